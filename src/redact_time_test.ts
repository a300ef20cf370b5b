import assert from "node:assert/strict";
import { usedTime } from "../tests/cpu_time.ts";
import { redact } from "./redact.ts";

Deno.test("time grows linearly on hostile text", () => {
  const seeds = [
    "token",
    "password=",
    "ghp_",
    "eyJ",
    "eyJaaaaaaaaaa.",
    "://",
    "://a:",
    "a@",
    "-----BEGIN ",
    "-----BEGIN PRIVATE KEY-----",
    "bearer ",
    "=",
    ":",
    '"',
    'secret\\"',
    " -p",
    "mysql -pa ",
    "authorization: ",
    "curl -u ",
    "A1b",
    "cookie",
    "echo a",
    "echo a | ",
    "sudo -S ",
    "sudo -S <<< ",
    "openssl passwd -6 ",
    "zip -P",
    "htpasswd -b a a ",
    "config set a",
    " -u 'a:",
    "[redacted]",
    "token=[redacted]",
  ];
  for (const seed of seeds) {
    const text = `mysql curl redis-cli sshpass smb zip vault login config set <<< ${
      seed.repeat(Math.ceil(400_000 / seed.length))
    }`;
    const started = usedTime();
    redact(text);
    const took = usedTime() - started;
    assert.ok(took < 1500, `${JSON.stringify(seed)} took ${Math.round(took)} ms`);
  }
});
