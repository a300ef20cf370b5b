/** A server that is defined where an adapter says that its host keeps servers is found there, in the file's format. */

import assert from "node:assert/strict";
import { dirname } from "node:path";
import { allAdapters } from "../src/install/hosts.ts";
import { resolveLocation } from "../src/install/location.ts";
import { runningSystem } from "../src/locations.ts";
import { definitionsOf } from "../src/servers/definitions.ts";

let hosts = 0;
for (const { id, servers } of await allAdapters()) {
  if (servers === undefined) continue;
  hosts++;
  Deno.test(`${id}: servers are found in every file that the adapter names`, async () => {
    for (const source of servers) {
      const root = Deno.makeTempDirSync();
      try {
        const around = {
          system: runningSystem(),
          home: `${root}/home`,
          project: `${root}/home/app`,
          env: {},
        };
        const path = resolveLocation(source.location, around);
        // What lies outside of the home directory is not for a test to write.
        if (source.location.base === "system") continue;
        assert(path.startsWith(root), path);
        Deno.mkdirSync(dirname(path), { recursive: true });
        const definition = { command: "docs-server", args: ["--stdio"] };
        const keys = source.at.map((key) => key === "{project}" ? around.project : key);
        Deno.writeTextFileSync(
          path,
          source.format === "toml"
            ? `[${keys.join(".")}.docs]\ncommand = "docs-server"\nargs = ["--stdio"]\n`
            : `${source.format === "jsonc" ? "// mine\n" : ""}${
              JSON.stringify(
                keys.toReversed().reduce<unknown>((inner, key) => ({ [key]: inner }), { docs: definition }),
              )
            }`,
        );
        const found = await definitionsOf("docs", "search", servers, [around]);
        assert.deepEqual(found, { definitions: [{ command: "docs-server --stdio" }], name: "docs" }, path);
      } finally {
        Deno.removeSync(root, { recursive: true });
      }
    }
  });
}

Deno.test("most hosts say where they keep servers", () => {
  assert(hosts >= 18, `${hosts}`);
});
