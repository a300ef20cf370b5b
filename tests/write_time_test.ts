/** Scanning what is written costs little beside the rest of a hook; compares CPU times of whole processes. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { cpuSeconds } from "../tools/ratio.ts";
import { environment, makePlace, type Place, targets } from "./hook_process.ts";

const line =
  "const value = await client.fetch(path, { token: process.env.API_TOKEN }); // https://docs.acme.dev/x\n";
/** Long runs that could be base64 of something, which none is. */
const encoded = `${"q7Xw2Lr9Tz4Kd8Vb1Nc6Hj3Mf5Ps0Gyq7Xw2Lr9Tz4Kd8Vb1Nc6Hj3Mf5Ps0Gy"}\n`;

/** Most that a write of 1 MB may cost, as a multiple of a small one. */
const limit = 3;

function payload(place: Place, name: string, unit: string, length: number): string {
  const path = join(place.root, `${name}.json`);
  const content = unit.repeat(Math.ceil(length / unit.length));
  const call = {
    session_id: "s",
    cwd: place.project,
    hook_event_name: "PreToolUse",
    tool_name: "Write",
    tool_input: { file_path: join(place.project, "src", "a.ts"), content },
  };
  Deno.writeTextFileSync(path, JSON.stringify(call));
  return path;
}

const executable = targets().find(({ name }) => name === "executable");

Deno.test({
  name: "executable: a write of 1 MB takes less than three times the CPU time of a small one",
  ignore: executable === undefined || Deno.build.os === "windows",
  fn: () => {
    const place = makePlace();
    try {
      const args = ["hook", "--host", "claude", "--event", "PreToolUse", "--state", place.state];
      const measure = (file: string): number => {
        const { stderr } = new Deno.Command("bash", {
          args: [
            "-c",
            `TIMEFORMAT='%3U %3S'; file=$1; shift; time "$@" <"$file" >/dev/null 2>&1`,
            "measure",
            file,
            executable!.command,
            ...args,
          ],
          cwd: place.project,
          clearEnv: true,
          env: { ...environment(place), LC_ALL: "C", TZ: "UTC" },
          stderr: "piped",
        }).outputSync();
        return cpuSeconds(new TextDecoder().decode(stderr));
      };
      const small = payload(place, "small", line, 300);
      for (const [name, unit] of Object.entries({ source: line, encoded })) {
        const large = payload(place, name, unit, 1_000_000);
        const least = { small: Infinity, large: Infinity };
        for (let run = 0; run < 6; run++) {
          least.small = Math.min(least.small, measure(small));
          least.large = Math.min(least.large, measure(large));
        }
        const ratio = least.large / least.small;
        assert.ok(least.small > 0 && ratio < limit, `${name}: ${ratio.toFixed(2)} times a small write`);
      }
    } finally {
      place.remove();
    }
  },
});
