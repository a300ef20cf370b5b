import assert from "node:assert/strict";
import { join } from "node:path";
import type { HostAdapter } from "../types.ts";
import { detectHost } from "./detect.ts";

const adapter: Pick<HostAdapter, "detect"> = {
  detect: { executables: ["tool"], locations: [{ base: "home", segments: [".tool"] }] },
};

Deno.test({
  name: "a host is found by an executable on PATH or by its directory, and by nothing else",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const root = await Deno.makeTempDir({ prefix: "guard-detect-" });
    try {
      const bin = join(root, "bin");
      await Deno.mkdir(join(bin, "nested", "tool"), { recursive: true });
      const around = {
        system: "linux",
        home: root,
        project: root,
        env: { PATH: `relative:${join(bin, "nested")}:${bin}` },
      } as const;
      assert.deepEqual(
        (await detectHost(adapter, around)).found,
        [],
        "a directory called tool is no executable",
      );
      await Deno.writeTextFile(join(bin, "tool"), "", { mode: 0o644 });
      assert.deepEqual((await detectHost(adapter, around)).found, []);
      await Deno.chmod(join(bin, "tool"), 0o755);
      assert.deepEqual((await detectHost(adapter, around)).found, [join(bin, "tool")]);
      await Deno.mkdir(join(root, ".tool"));
      assert.deepEqual((await detectHost(adapter, around)).found, [join(bin, "tool"), join(root, ".tool")]);
    } finally {
      await Deno.remove(root, { recursive: true });
    }
  },
});
