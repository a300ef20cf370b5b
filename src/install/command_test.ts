import assert from "node:assert/strict";
import { commandLine, type HookCommand, parseCommand } from "./command.ts";

const command: HookCommand = {
  program: "/usr/local/bin/guard",
  lead: [],
  host: "claude",
  event: "PreToolUse",
  policy: "/home/x/.config/guard/policy.jsonc",
  state: "/home/x/.local/state/guard",
};
const windows: HookCommand = {
  ...command,
  program: "C:\\Program Files\\guard\\guard.exe",
  policy: "C:\\Users\\O'Neill\\AppData\\Roaming\\guard\\policy.jsonc",
  state: "C:\\Users\\O'Neill\\AppData\\Local\\guard",
};
const plain = { system: "linux", wrapper: false, file: "/f" } as const;

Deno.test("a POSIX shell gets bare words where they are safe", () => {
  assert.equal(
    commandLine(command, { ...plain, shell: "sh" }),
    "/usr/local/bin/guard hook --host claude --event PreToolUse --policy /home/x/.config/guard/policy.jsonc " +
      "--state /home/x/.local/state/guard",
  );
});

Deno.test("the shells of Windows each get their own quotes", () => {
  const options = { system: "windows", wrapper: true, file: "C:\\f" } as const;
  const rest = "hook --host claude --event PreToolUse";
  assert.equal(
    commandLine({ ...windows, state: "C:\\s" }, { ...options, shell: "sh", wrapper: false }),
    `"C:/Program Files/guard/guard.exe" ${rest} --policy ` +
      `"C:/Users/O'Neill/AppData/Roaming/guard/policy.jsonc" --state C:/s`,
  );
  assert.equal(
    commandLine(windows, { ...options, shell: "cmd" }),
    `"C:\\Program Files\\guard\\guard.exe" ${rest} --policy ` +
      `"C:\\Users\\O'Neill\\AppData\\Roaming\\guard\\policy.jsonc" --state "C:\\Users\\O'Neill\\AppData\\Local\\guard"`,
  );
  assert.equal(
    commandLine({ ...windows, policy: "C:\\p", state: "C:\\Users\\O'Neill\\s" }, {
      ...options,
      shell: "powershell",
    }),
    `& 'C:\\Program Files\\guard\\guard.exe' hook --host ` +
      `'claude' --event 'PreToolUse' --policy 'C:\\p' --state 'C:\\Users\\O''Neill\\s'` +
      `; if ($LASTEXITCODE -ne 0) { [Console]::Error.WriteLine('guard blocked this call or did not run. To the ` +
      `person at the keyboard, when no other reason is given: install guard again and run "guard doctor", or ` +
      `take the entries of guard out of C:\\f.'); exit 2 }`,
  );
});

Deno.test("the wrapper follows only in a shell that can go on after a failure", () => {
  const line = commandLine(command, {
    ...plain,
    shell: "sh",
    wrapper: true,
    file: "/home/o'x/settings.json",
  });
  assert.match(line, / \|\| \{ echo 'guard blocked this call or did not run\..*' >&2; exit 2; \}$/);
  assert.ok(line.includes(`/home/o'\\''x/settings.json`));
  for (const shell of ["cmd", "none"] as const) {
    const options = { ...plain, shell, wrapper: true };
    assert.equal(commandLine(command, options), commandLine(command, { ...options, wrapper: false }));
  }
});

Deno.test("paths that a shell cannot carry are refused", () => {
  assert.throws(
    () => commandLine({ ...command, program: "/a\nb/guard" }, { ...plain, shell: "sh" }),
    /line break/,
  );
  assert.throws(
    () => commandLine({ ...windows, state: "C:\\%TEMP%\\s" }, { ...plain, shell: "cmd", system: "windows" }),
    /cmd\.exe/,
  );
});

Deno.test("what was written is read back, whatever the path is called", () => {
  const names = [
    "/a b/guard",
    "/it's/guard",
    '/say "x"/guard',
    "/$HOME/`id`/guard",
    "/back\\slash/guard",
    "/ünï/guard",
  ];
  for (const program of names) {
    for (const wrapper of [true, false, { line: (reason: string) => `CONTROL\t{"reason":"${reason}"}` }]) {
      const line = commandLine({ ...command, program }, { ...plain, shell: "sh", wrapper });
      assert.deepEqual(parseCommand(line), { ...command, program });
    }
  }
  for (const shell of ["sh", "cmd", "powershell"] as const) {
    const line = commandLine(windows, {
      ...plain,
      shell,
      system: "windows",
      wrapper: shell === "powershell",
    });
    const read = parseCommand(line)!;
    assert.equal(read.program.replaceAll("/", "\\"), windows.program);
    assert.equal(read.policy?.replaceAll("/", "\\"), windows.policy);
    assert.equal(read.state?.replaceAll("/", "\\"), windows.state);
  }
});

Deno.test({
  name: "a POSIX shell hands over exactly the arguments",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    for (const odd of ["a b", "it's", '"x"', "$HOME `id` $(id)", "back\\slash", "*?[a]", "~", "ü;|&<>#!"]) {
      const line = commandLine(
        { ...command, program: "/usr/bin/printf", lead: ["%s\\n"], policy: `/${odd}`, state: "/s" },
        { ...plain, shell: "sh" },
      );
      const { stdout } = await new Deno.Command("sh", { args: ["-c", line] }).output();
      assert.equal(new TextDecoder().decode(stdout).split("\n")[6], `/${odd}`);
    }
  },
});

Deno.test({
  name:
    "the close of a command is silent after an answer, and true after guard's own block and without guard",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const ends: readonly [program: string, lead: string, code: number, stderr: RegExp][] = [
      ["/bin/sh", "exit 0", 0, /^$/],
      [
        "/bin/sh",
        "echo 'guard: blocked, and why.' >&2; exit 2",
        2,
        /^guard: blocked, and why\.\nguard blocked this call or /,
      ],
      ["/bin/sh", "exit 101", 2, /^guard blocked this call or did not run\./],
      ["/bin/sh", "kill -9 $$", 2, /guard blocked this call or did not run\./],
      ["/nowhere/guard", "", 2, /guard blocked this call or did not run\./],
    ];
    for (const [program, script, code, stderr] of ends) {
      const line = commandLine({ ...command, program, lead: ["-c", script] }, {
        ...plain,
        shell: "sh",
        wrapper: true,
      });
      const ended = await new Deno.Command("/bin/sh", { args: ["-c", line] }).output();
      assert.equal(ended.code, code, script);
      assert.match(new TextDecoder().decode(ended.stderr), stderr);
    }
  },
});

Deno.test({
  name: "where no exit code counts, the close answers on a line of its own, after whatever guard said",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const answer = (reason: string) => `CONTROL\t${JSON.stringify({ cancel: true, reason })}`;
    const ends: readonly [program: string, script: string, stdout: RegExp][] = [
      ["/bin/sh", "printf '{}'", /^\{\}$/],
      [
        "/bin/sh",
        "printf '{\"half'; kill -9 $$",
        /^\{"half\nCONTROL\t\{"cancel":true,"reason":"guard blocked .*"\}\n$/,
      ],
      ["/nowhere/guard", "", /^\nCONTROL\t\{"cancel":true,"reason":"guard blocked .*\\\\d\/\\"f\\".*"\}\n$/],
    ];
    for (const [program, script, stdout] of ends) {
      const line = commandLine({ ...command, program, lead: ["-c", script] }, {
        ...plain,
        shell: "sh",
        wrapper: { line: answer },
        file: '/it\'s/\\d/"f"',
      });
      const ended = await new Deno.Command("/bin/sh", { args: ["-c", line] }).output();
      assert.match(new TextDecoder().decode(ended.stdout), stdout);
    }
  },
});

Deno.test("only a command that starts guard is guard's", () => {
  const own = [
    "guard hook",
    "/opt/x/guard hook --host claude",
    "'/opt/my tools/guard' hook --host=claude --event PreToolUse",
    '"C:/Program Files/guard/guard.exe" hook --host claude',
    "C:\\guard\\guard.exe hook --host claude",
    "& 'C:\\Program Files\\guard\\GUARD.EXE' hook --host 'claude'",
    "/usr/bin/deno run --quiet -A --config /src/guard/deno.json /src/guard/main.ts hook --host claude",
    "/opt/guard-linux-x64 hook --host claude --event PreToolUse",
    "/opt/guard hook --host claude || { echo 'x' >&2; exit 2; }",
    "& 'C:\\guard\\guard.exe' hook --host 'x'; if ($LASTEXITCODE -ne 0) { exit 2 }",
  ];
  const foreign = [
    "",
    "guard",
    "guard check -- ls",
    "/srv/bodyguard/scan.sh",
    "/srv/bodyguard hook --host claude",
    "/opt/guard/run.sh hook --host claude",
    "echo guard hook --host claude",
    "sh -c 'guard hook --host claude'",
    "guard hook --host claude && my-own-check",
    "guard hook --host claude; my-own-check",
    "& 'C:\\guard.exe' hook --host 'x'; if ($LASTEXITCODE -eq 0) { my-own-check }",
    "my-own-check | guard hook --host claude",
    "/usr/bin/deno run -A /src/other/main.ts hook",
    "/usr/bin/deno run -A /src/other/hook.ts --host claude",
    "'guard hook --host claude",
    "GUARD=1 other hook",
    "/opt/guard-dog hook --now",
    "/opt/guardian hook --host claude --event PreToolUse",
  ];
  for (const line of own) assert.ok(parseCommand(line), line);
  for (const line of foreign) assert.equal(parseCommand(line), undefined, line);
  assert.deepEqual(parseCommand("/home/kim/.local/bin/guard", ["hook", "--host", "claude"])?.host, "claude");
  assert.equal(parseCommand("/opt/node", ["hook", "--host", "claude"]), undefined);
});
