import assert from "node:assert/strict";
import { join } from "node:path";
import { openText } from "./open.ts";

const posix = Deno.build.os !== "windows";

function inTemporary(name: string, body: (directory: string) => void, ignore = false): void {
  Deno.test({
    name,
    ignore,
    fn() {
      const directory = Deno.makeTempDirSync();
      try {
        body(directory);
      } finally {
        Deno.removeSync(directory, { recursive: true });
      }
    },
  });
}

inTemporary("openText reads up to the limit, bytes and not characters", (directory) => {
  const path = join(directory, "a.txt");
  Deno.writeTextFileSync(path, "\uFEFFäbc");
  assert.deepEqual(openText(path, 7), { state: "text", text: "\uFEFFäbc" }, "three bytes of BOM, two of ä");
  assert.equal(openText(path, 6).state, "unreadable");
  Deno.writeFileSync(path, new Uint8Array([0x61, 0xff, 0x62]));
  assert.deepEqual(openText(path, 10), { state: "text", text: "a\uFFFDb" });
  Deno.writeTextFileSync(path, "");
  assert.deepEqual(openText(path, 0), { state: "text", text: "" });
  Deno.writeTextFileSync(path, "x".repeat(200_000));
  const opened = openText(path, 200_000);
  assert.ok(opened.state === "text" && opened.text.length === 200_000);
});

inTemporary("openText says missing for what is not there", (directory) => {
  assert.equal(openText(join(directory, "none"), 10).state, "missing");
  Deno.writeTextFileSync(join(directory, "file"), "x");
  assert.equal(openText(join(directory, "file", "below"), 10).state, "missing");
});

inTemporary("openText refuses a directory, a name with NUL and a huge sparse file", (directory) => {
  assert.equal(openText(directory, 10).state, "unreadable");
  assert.equal(openText(join(directory, "a\0b"), 10).state, "unreadable");
  const sparse = join(directory, "sparse");
  Deno.writeTextFileSync(sparse, "");
  Deno.truncateSync(sparse, 50 * 1024 ** 3);
  const started = performance.now();
  assert.deepEqual(openText(sparse, 1000), { state: "unreadable", reason: "it is larger than 1000 bytes" });
  assert.ok(performance.now() - started < 500);
});

inTemporary("openText never waits for a FIFO or a device", (directory) => {
  const fifo = join(directory, "fifo");
  assert.ok(new Deno.Command("mkfifo", { args: [fifo] }).outputSync().success);
  Deno.symlinkSync(fifo, join(directory, "link"));
  Deno.symlinkSync("/dev/zero", join(directory, "zero"));
  const started = performance.now();
  for (const name of ["fifo", "link", "zero"]) {
    assert.deepEqual(openText(join(directory, name), 1000), {
      state: "unreadable",
      reason: "it is not a regular file",
    }, name);
  }
  assert.equal(openText("/dev/zero", 1000).state, "unreadable");
  assert.ok(performance.now() - started < 1000);
}, !posix);

inTemporary("openText follows links and refuses a loop", (directory) => {
  Deno.writeTextFileSync(join(directory, "target"), "t");
  Deno.symlinkSync("target", join(directory, "good"));
  Deno.symlinkSync("b", join(directory, "a"));
  Deno.symlinkSync("a", join(directory, "b"));
  Deno.symlinkSync("nowhere", join(directory, "dangling"));
  assert.deepEqual(openText(join(directory, "good"), 10), { state: "text", text: "t" });
  assert.deepEqual(openText(join(directory, "a"), 10), {
    state: "unreadable",
    reason: "its links form a loop or lead nowhere",
  });
  assert.deepEqual(openText(join(directory, "dangling"), 10), {
    state: "unreadable",
    reason: "it is a link to nowhere, which does not exist",
  });
}, !posix);

inTemporary("openText says what keeps it from reading", (directory) => {
  const reason = (path: string) => {
    const opened = openText(path, 10);
    return opened.state === "unreadable" ? opened.reason : opened.state;
  };
  assert.match(reason(join(directory, "n".repeat(300))), /name is longer/);
  Deno.mkdirSync(join(directory, "closed"));
  Deno.writeTextFileSync(join(directory, "closed", "file"), "x");
  Deno.chmodSync(join(directory, "closed"), 0);
  // Root reads it all the same.
  if (Deno.uid() !== 0) assert.match(reason(join(directory, "closed", "file")), /permissions.*EACCES/);
  Deno.chmodSync(join(directory, "closed"), 0o700);
}, !posix);

Deno.test({
  name: "openText stops at the limit in a file whose size is not told",
  ignore: Deno.build.os !== "linux",
  fn() {
    assert.equal(Deno.statSync("/proc/self/maps").size, 0);
    assert.equal(openText("/proc/self/maps", 100).state, "unreadable");
    const opened = openText("/proc/self/maps", 10_000_000);
    assert.ok(opened.state === "text" && opened.text.length > 100);
  },
});
