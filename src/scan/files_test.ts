import assert from "node:assert/strict";
import { join } from "node:path";
import { filesIn } from "./files.ts";
import { leaksIn } from "./finding.ts";

const password = ["Zx9", "kQ2", "vT7", "mB4"].join("-");
const address = (name: string) => `postgres://${name}:${password}@db.acme.dev/app`;

/** The places of the leaks of one file with this content, as `line:column`, and in how many parts it was read. */
async function scanned(content: Uint8Array | string): Promise<{ places: string[]; parts: number }> {
  const folder = Deno.makeTempDirSync({ prefix: "guard-files-" });
  try {
    const path = join(folder, "a.txt");
    Deno.writeFileSync(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
    const places: string[] = [];
    let parts = 0;
    for await (const source of filesIn([path])) {
      assert.ok("text" in source);
      parts++;
      for (const { line, column } of await leaksIn(source, "salt")) places.push(`${line}:${column}`);
    }
    return { places, parts };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const megabyte = 1024 * 1024;
/** Where the parts of a file may meet, and around it. */
const around = [-3, -2, -1, 0, 1, 2, 3].map((offset) => 4 * megabyte - 64 * 1024 + offset);

Deno.test("secrets where parts of a large file meet are found once, at their place", async () => {
  for (
    const at of [
      0,
      100,
      ...around,
      ...around.map((place) => place - 20),
      4 * megabyte - 20,
      9 * megabyte,
    ]
  ) {
    const before = "x ".repeat(Math.ceil(at / 2)).slice(0, at);
    const { places, parts } = await scanned(`${before} ${address("svc")} ${"y ".repeat(megabyte / 2)}`);
    assert.deepEqual(places, [`1:${at + 1 + "postgres://svc:".length + 1}`], `at ${at}`);
    assert.equal(parts > 1, at > 3 * megabyte, `${parts} parts at ${at}`);
  }
});

Deno.test("lines and columns of a large file are those of the whole text", async () => {
  const lines = Array.from(
    { length: 90_000 },
    (_, index) =>
      index % 9000 === 7 ? `ä🙂 ${address(`svc${index}`)}` : `zeile ${index} ${"ö🙂x".repeat(index % 20)}`,
  );
  for (const separator of ["\n", "\r\n"]) {
    const { places, parts } = await scanned(lines.join(separator));
    assert.ok(parts > 1);
    assert.deepEqual(
      places,
      lines.flatMap((line, index) =>
        index % 9000 === 7 ? [`${index + 1}:${line.indexOf(password) + 1}`] : []
      ),
    );
  }
});

Deno.test("UTF-16 and binary files are read in parts too", async () => {
  const text = `${"пример\n".repeat(700_000)}${address("svc")}\n`;
  const wide = new Uint8Array(2 + 2 * text.length);
  wide.set([0xff, 0xfe]);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    wide[2 + 2 * index] = code & 0xff;
    wide[3 + 2 * index] = code >> 8;
  }
  assert.deepEqual((await scanned(wide)).places, ["700001:16"]);
  const binary = new Uint8Array(6 * megabyte).fill(7);
  binary[10] = 0;
  binary.set(new TextEncoder().encode(` ${address("svc")} `), 5 * megabyte);
  assert.deepEqual((await scanned(binary)).places, [`1:${5 * megabyte + 17}`]);
});

Deno.test("links, directories and what is no file are not read", async () => {
  const folder = Deno.makeTempDirSync({ prefix: "guard-files-" });
  try {
    Deno.writeTextFileSync(join(folder, "a.txt"), "a\n");
    Deno.writeTextFileSync(join(folder, "empty.txt"), "");
    Deno.mkdirSync(join(folder, "b"));
    if (Deno.build.os !== "windows") {
      Deno.symlinkSync("a.txt", join(folder, "link"));
      Deno.symlinkSync("none", join(folder, "broken"));
    }
    const read: string[] = [];
    for await (const source of filesIn([folder])) read.push(source.path);
    assert.deepEqual(read, ["a.txt", "empty.txt"].map((name) => join(folder, name)));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
