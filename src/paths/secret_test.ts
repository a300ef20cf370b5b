import assert from "node:assert/strict";
import { makeContext } from "../context.ts";
import { fakeFacts } from "../facts/fake.ts";
import { isDatabase, secretByGlob, secretOf } from "./secret.ts";

const context = makeContext({
  call: { event: "pre_tool", cwd: "/home/eva/shop" },
  home: "/home/eva",
  processDirectory: "/home/eva/shop",
  facts: fakeFacts(),
});
const home = "/home/eva/";
const project = "/home/eva/shop/";

for (
  const path of [
    home + ".ssh/id_rsa",
    home + ".ssh/work",
    home + ".aws/credentials",
    home + ".kube/config",
    home + ".gnupg/private-keys-v1.d/x.key",
    home + ".config/gcloud/credentials.db",
    home + ".mozilla/firefox/abc.default/logins.json",
    home + ".config/google-chrome/Default/Cookies",
    home + ".git-credentials",
    home + ".snowflake/connections.toml",
    home + "Library/Application Support/Bitwarden CLI/data.json",
    home + ".cache/huggingface/stored_tokens",
    "C:/Users/eva/AppData/Roaming/postgresql/pgpass.conf",
    "C:/Users/eva/AppData/Local/.IdentityService/msal.cache",
    "/root/.ssh/id_ed25519",
    "/home/other/.netrc",
    "/etc/shadow",
    project + "keys/id_rsa",
    "C:/Users/eva/.ssh/id_rsa",
    "/mnt/c/Users/eva/.aws/credentials",
  ]
) Deno.test(`a grave secret: ${path}`, () => assert.equal(secretOf(path, context)?.grave, true));

for (
  const path of [
    project + ".env",
    project + ".env.local",
    project + "api/.env.production",
    project + "prod.env",
    project + "server.key",
    project + "certs/private.pem",
    project + "secrets.yaml",
    project + "service-account.json",
    project + "terraform.tfstate",
    home + ".npmrc",
    "/proc/self/environ",
  ]
) Deno.test(`a secret to ask about: ${path}`, () => assert.equal(secretOf(path, context)?.grave, false));

for (
  const path of [
    project + ".env.example",
    project + ".env.sample",
    project + "env.ts",
    project + "src/credentials.ts",
    project + "secrets.example.yaml",
    project + "certs/ca.pem",
    project + "fullchain.pem",
    project + "src/environment.ts",
    project + "key.ts",
    home + ".ssh/id_rsa.pub",
    home + ".ssh/known_hosts",
    home + ".ssh/config",
    home + ".aws/config",
    home + ".docker/daemon.json",
    "/etc/passwd",
    "/proc/cpuinfo",
  ]
) Deno.test(`no secret: ${path}`, () => assert.equal(secretOf(path, context), undefined));

Deno.test("globs are tried on typical names", () => {
  assert.equal(secretByGlob("/home/eva/.ssh", "id_*", context)?.grave, true);
  assert.equal(secretByGlob("/home/eva/.ssh", undefined, context)?.grave, true);
  assert.equal(secretByGlob("/home/eva/shop", ".env*", context)?.grave, false);
  assert.equal(secretByGlob("/home/eva/shop", "*.ts", context), undefined);
  assert.equal(secretByGlob("/home/eva/shop", undefined, context), undefined);
  assert.equal(secretByGlob("/home/eva/.ssh", "*.pub", context), undefined);
});

Deno.test("databases", () => {
  for (const name of ["a.sqlite", "b.sqlite3", "c.db", "dump.rdb"]) assert.ok(isDatabase(`/x/${name}`), name);
  for (const name of ["db.ts", "database.md", "thumbs.db"]) assert.ok(!isDatabase(`/x/${name}`), name);
});

Deno.test("what lies beside the stores of tools stays free", () => {
  for (
    const name of [
      ".snowflake/logs/cli.log",
      ".cache/huggingface/hub/model.bin",
      ".config/Bitwarden CLI/README.md",
      ".config/kaggle/notes.md",
      ".local/share/gem/ruby/3.3.0/specs.4.8",
    ]
  ) assert.equal(secretOf(home + name, context), undefined, name);
});
