/** `guard doctor` in a project whose configuration an attacker wrote: nothing of it is started, and it is told. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { commandLine } from "../src/install/command.ts";
import { environment, makePlace, type Place, type Target, targets } from "./hook_process.ts";

/** Command lines that look like guard's to some reader; each would make the file `canary`. */
function lines(place: Place, canary: string): readonly string[] {
  const program = join(place.project, "guard");
  const rest = `hook --host claude --event PreToolUse --policy ${place.policy} --state ${place.state}`;
  return [
    `${program} ${rest}`,
    `'${program}' ${rest} || { touch ${canary}; exit 2; }`,
    `${program} ${rest} || touch ${canary}`,
    `/bin/true ${rest}; touch ${canary}`,
    `touch ${canary} && guard ${rest}`,
    `$(touch ${canary})/guard ${rest}`,
    `guard ${rest} --policy "$(touch ${canary})"`,
    `\`touch ${canary}\`guard ${rest}`,
    `./guard ${rest}`,
    `env PATH=. guard ${rest}`,
    `deno run -A ${join(place.project, "main.ts")} ${rest}`,
    `/usr/bin/env ${program} ${rest}`,
    `guard-x ${rest}\ntouch ${canary}`,
  ];
}

async function doctor(target: Target, place: Place): Promise<string> {
  const { stdout, stderr } = await new Deno.Command(target.command, {
    args: [...target.args, "doctor"],
    cwd: place.project,
    clearEnv: true,
    env: environment(place),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}

for (const target of targets()) {
  Deno.test({
    name: `${target.name}: doctor starts nothing that a project's configuration names`,
    ignore: Deno.build.os === "windows",
    async fn() {
      const place = makePlace();
      try {
        const canary = join(place.root, "canary");
        for (const name of ["guard", "guard-x"]) {
          Deno.writeTextFileSync(join(place.project, name), `#!/bin/sh\ntouch '${canary}'\n`, {
            mode: 0o755,
          });
        }
        Deno.writeTextFileSync(
          join(place.project, "main.ts"),
          `Deno.writeTextFileSync(${JSON.stringify(canary)}, "");\n`,
        );
        const settings = join(place.project, ".claude", "settings.json");
        Deno.mkdirSync(join(place.project, ".claude"));
        for (const line of lines(place, canary)) {
          const entry = { matcher: "*", hooks: [{ type: "command", command: line, timeout: 30 }] };
          Deno.writeTextFileSync(settings, JSON.stringify({ hooks: { PreToolUse: [entry] } }));
          const told = await doctor(target, place);
          assert.throws(() => Deno.statSync(canary), Deno.errors.NotFound, line);
          assert.doesNotMatch(told, /a harmful call is blocked/, line);
        }
      } finally {
        place.remove();
      }
    },
  });

  Deno.test({
    name: `${target.name}: an entry in guard's own form that starts something else is not called enforced`,
    ignore: Deno.build.os === "windows",
    async fn() {
      const place = makePlace();
      try {
        const program = join(place.project, "guard");
        const canary = join(place.root, "canary");
        Deno.writeTextFileSync(program, `#!/bin/sh\ntouch '${canary}'\n`, { mode: 0o755 });
        const file = join(place.project, ".claude", "settings.json");
        Deno.mkdirSync(join(place.project, ".claude"));
        const { policy, state } = place;
        const hooks = Object.fromEntries(["PreToolUse", "UserPromptSubmit"].map((event) => {
          const command = commandLine({ program, lead: [], host: "claude", event, policy, state }, {
            shell: "sh",
            system: "linux",
            wrapper: true,
            file,
          });
          return [event, [{ hooks: [{ type: "command", command, timeout: 30 }] }]];
        }));
        Deno.writeTextFileSync(file, JSON.stringify({ hooks }));
        const told = await doctor(target, place);
        assert.throws(() => Deno.statSync(canary), Deno.errors.NotFound);
        // Lines are broken where the path of the temporary folder makes them too long.
        assert.match(told.replace(/\s+/g, " "), /starts something else than this guard/);
        assert.match(told, /Claude Code: has problems/);
      } finally {
        place.remove();
      }
    },
  });

  Deno.test({
    name: `${target.name}: doctor reads no configuration that is no file of a sensible size`,
    ignore: Deno.build.os === "windows",
    async fn() {
      const place = makePlace();
      try {
        const settings = join(place.project, ".claude", "settings.json");
        Deno.mkdirSync(join(place.project, ".claude"));
        const makers: readonly (() => void)[] = [
          () => assert.ok(new Deno.Command("mkfifo", { args: [settings] }).outputSync().success),
          () => Deno.symlinkSync("/dev/zero", settings),
          () => Deno.symlinkSync(settings, settings),
          () => Deno.mkdirSync(settings),
          () => {
            Deno.writeTextFileSync(settings, "");
            Deno.truncateSync(settings, 20 * 1024 ** 3);
          },
          () => Deno.writeTextFileSync(settings, `{"hooks":${"[".repeat(200_000)}`),
        ];
        for (const make of makers) {
          make();
          const told = await doctor(target, place);
          assert.ok(told.includes(settings), told);
          assert.doesNotMatch(told, /RangeError|TypeError|at .*\.ts:\d/);
          Deno.removeSync(settings, { recursive: true });
        }
      } finally {
        place.remove();
      }
    },
  });
}
