/** For every target of every host: an installation that somebody has weakened is told, and one that is as it was is not. */

import assert from "node:assert/strict";
import { dirname } from "node:path";
import { install, uninstall } from "../src/install/apply.ts";
import { allAdapters } from "../src/install/hosts.ts";
import { weakened } from "../src/install/integrity.ts";
import { inHome, posix } from "./install_place.ts";

for (const adapter of await allAdapters()) {
  for (const target of adapter.install) {
    const name = `${adapter.id}, ${target.scope}, ${target.location.segments.join("/")}`;
    Deno.test({
      name: `${name}: a weakened installation is told`,
      ignore: !posix,
      fn: () =>
        inHome(adapter, target, async (job, path) => {
          const told = async () => (await weakened(job.state, adapter)).map(({ message }) => message);
          assert.deepEqual(await told(), []);
          assert.equal((await install(job)).status, "installed");
          assert.deepEqual(await told(), []);
          const text = await Deno.readTextFile(path);

          // What others write beside guard's entries is their own business.
          if (target.format !== "whole") {
            const document: unknown = JSON.parse(text);
            await Deno.writeTextFile(path, JSON.stringify({ theirs: 1, ...document as object }, null, 1));
            assert.deepEqual(await told(), []);
            await Deno.writeTextFile(path, '{"theirs": 1}');
            assert.match((await told()).join(), /has been removed or changed/);
            // An option that holds a call back counts as much as the command.
            const weaker = text.replace(/("(?:timeout|timeoutSec|timeoutMs|failClosed)"\s*:\s*)\w+/, "$17");
            if (weaker !== text) {
              await Deno.writeTextFile(path, weaker);
              assert.match((await told()).join(), /has been removed or changed/);
            }
          }
          const other = [text.replaceAll("/guard", "/true"), text.replaceAll("true", "false")]
            .find((one) => one !== text);
          await Deno.writeTextFile(path, other!);
          assert.match((await told()).join(), /changed/);
          await Deno.writeTextFile(path, "}{");
          assert.equal((await told()).length, 1);
          await Deno.remove(path);
          assert.match((await told()).join(), /is gone/);
          // A directory that guard has made does not go with the host.
          await Deno.remove(dirname(path), { recursive: true });
          const project = dirname(path) === job.around.project;
          assert.equal((await told()).length, project ? 0 : 1);
          for (const folder of [job.around.home, job.around.project]) {
            await Deno.remove(folder, { recursive: true }).catch(() => {});
          }
          assert.deepEqual(await told(), []);
          for (const folder of [job.around.home, job.around.project]) {
            await Deno.mkdir(folder, { recursive: true });
          }

          assert.equal((await install(job)).status, "installed");
          await uninstall(job);
          assert.deepEqual(await told(), []);
        }),
    });
  }
}
