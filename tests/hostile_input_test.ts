/** What a hostile or broken surrounding can do to `guard hook`: it answers in time, and never with a false pass. */

import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { loadAdapter } from "../adapters/registry.ts";
import { respond } from "../src/hook.ts";
import { commandLine } from "../src/install/command.ts";
import { claude, codex, cursor, gemini } from "./hook_cases.ts";
import {
  environment,
  makePlace,
  type Place,
  runHook,
  type RunResult,
  type Target,
  targets,
} from "./hook_process.ts";
import { type Outcome, outcome } from "./host_reading.ts";

/** Longest time to an answer in milliseconds. */
const limit = 5000;
const posix = Deno.build.os !== "windows";
const utf8 = (text: string) => new TextEncoder().encode(text);

interface Setting {
  readonly place: Place;
  readonly target: Target;
  /** Runs the Claude Code hook on a payload. */
  run(payload: unknown, more?: Partial<Parameters<typeof runHook>[1]>): Promise<RunResult>;
}

/** Outcomes on Claude Code, whose silence means that the tool runs. */
function found(result: RunResult): Outcome {
  assert(result.milliseconds < limit, `${result.milliseconds} ms`);
  return outcome("claude", "PreToolUse", result);
}

/** A run that took too long, without what a harmless one takes on a machine that is this busy now. */
async function withoutWaiting(result: RunResult, again: () => Promise<RunResult>): Promise<RunResult> {
  if (result.milliseconds < limit) return result;
  const { milliseconds } = await again();
  return { ...result, milliseconds: result.milliseconds - milliseconds };
}

function test(name: string, body: (setting: Setting) => Promise<void>, ignore = false): void {
  for (const target of targets()) {
    Deno.test({
      name: `${target.name}: ${name}`,
      ignore,
      async fn() {
        const place = makePlace();
        const args = [
          "--host",
          "claude",
          "--event",
          "PreToolUse",
          "--policy",
          place.policy,
          "--state",
          place.state,
        ];
        try {
          await body({
            place,
            target,
            run: async (payload, more = {}) => {
              const result = await runHook(target, {
                args,
                place,
                stdin: payloadBytes(payload, place),
                ...more,
              });
              return await withoutWaiting(
                result,
                () => runHook(target, { args, place, stdin: payloadBytes(harmless, place) }),
              );
            },
          });
        } finally {
          place.remove();
        }
      },
    });
  }
}

function payloadBytes(payload: unknown, place: Place): Uint8Array {
  if (payload instanceof Uint8Array) return payload;
  const inside = (path: string) => JSON.stringify(path).slice(1, -1);
  return utf8(
    JSON.stringify(payload).replaceAll("{home}", inside(place.home)).replaceAll(
      "{project}",
      inside(place.project),
    ),
  );
}

const harmless = claude("Bash", { command: "git status" });
const harmful = claude("Bash", { command: "rm -rf ~" });

function makeFifo(path: string): void {
  const { success } = new Deno.Command("mkfifo", { args: [path] }).outputSync();
  assert(success, "mkfifo");
}

test("ten megabytes of content are read and pass", async ({ run }) => {
  const content = "All work and no play. ".repeat(10 * 1024 * 1024 / 22);
  assert.equal(found(await run(claude("Write", { file_path: "{project}/big.txt", content }))), "runs");
});

test("ten megabytes of command are not waved through", async ({ run }) => {
  const command = `echo ${"x".repeat(10 * 1024 * 1024)}; rm -rf ~`;
  assert.notEqual(found(await run(claude("Bash", { command }))), "runs");
});

test("more than the limit is stopped", async ({ run }) => {
  const content = "x".repeat(17 * 1024 * 1024);
  assert.equal(found(await run(claude("Write", { file_path: "{project}/big.txt", content }))), "stopped");
});

test("bytes that are no text do not hide a command", async ({ run, place }) => {
  const text = payloadBytes(claude("Bash", { command: "echo @@; rm -rf ~" }), place);
  const at = text.indexOf(0x40);
  text.set([0xff, 0xfe], at);
  assert.equal(found(await run(text)), "stopped");
});

test("half a surrogate pair does not hide a command", async ({ run, place }) => {
  const text = new TextDecoder().decode(payloadBytes(claude("Bash", { command: "echo @; rm -rf ~" }), place));
  assert.equal(found(await run(utf8(text.replace("@", "\\ud83d")))), "stopped");
});

test("a hundred thousand open brackets are stopped", async ({ run }) => {
  assert.equal(found(await run(utf8("[".repeat(100_000)))), "stopped");
  assert.equal(found(await run(utf8(`{"tool_name":"Bash","tool_input":${"[".repeat(100_000)}`))), "stopped");
});

test("a whole document on a stdin that stays open is judged", async ({ run }) => {
  assert.equal(found(await run(harmless, { keepOpen: true })), "runs");
  assert.equal(found(await run(harmful, { keepOpen: true })), "stopped");
});

test("half a document on a stdin that stays open is stopped", async ({ run, place }) => {
  const bytes = payloadBytes(harmless, place);
  assert.equal(found(await run(bytes.subarray(0, bytes.length - 10), { keepOpen: true })), "stopped");
});

test("a stdin that says nothing and stays open is stopped", async ({ run }) => {
  assert.equal(found(await run(new Uint8Array(), { keepOpen: true })), "stopped");
});

test("a closed stdin is stopped", async ({ target, place }) => {
  const result = await throughShell(target, place, 'exec "$@" <&-', harmless);
  assert.equal(found(result), "stopped");
}, !posix);

test("an answer that nobody can be given is still a block", async ({ target, place }) => {
  const result = await throughShell(target, place, 'exec "$@" > /dev/full', harmful);
  assert.equal(result.exitCode, 2);
  assert.match(result.stderr, /guard: blocked/);
}, Deno.build.os !== "linux");

test("a policy that is no file is a failure, not a pass", async ({ run, place }) => {
  makeFifo(place.policy);
  assert.equal(found(await run(harmless)), "stopped");
  Deno.removeSync(place.policy);
  Deno.mkdirSync(place.policy);
  assert.equal(found(await run(harmless)), "stopped");
  Deno.removeSync(place.policy);
  Deno.symlinkSync("policy.jsonc", place.policy);
  assert.equal(found(await run(harmless)), "stopped");
  Deno.removeSync(place.policy);
  Deno.symlinkSync("/dev/zero", place.policy);
  assert.equal(found(await run(harmless)), "stopped");
}, !posix);

test(
  "a project policy that is no file neither blocks everything nor switches guard off",
  async ({ run, place }) => {
    const path = join(place.project, ".guard", "policy.jsonc");
    Deno.mkdirSync(join(place.project, ".guard"));
    for (
      const make of [
        makeFifo,
        (at: string) => Deno.symlinkSync("/dev/zero", at),
        (at: string) => Deno.mkdirSync(at),
      ]
    ) {
      make(path);
      assert.equal(found(await run(harmless)), "runs");
      assert.equal(found(await run(harmful)), "stopped");
      Deno.removeSync(path);
    }
  },
  !posix,
);

test("a project policy cannot loosen", async ({ run, place }) => {
  Deno.mkdirSync(join(place.project, ".guard"));
  Deno.writeTextFileSync(
    join(place.project, ".guard", "policy.jsonc"),
    '{"mode":"observe","onError":"none","rules":{"filesystem/*":"off"},"exceptions":[{"rule":"*","reason":"x"}],' +
      '"allowedCommands":["rm"]}',
  );
  assert.equal(found(await run(harmful)), "stopped");
});

test("the environment neither chooses nor loosens a policy", async ({ run, place }) => {
  const loose = join(place.home, "loose");
  Deno.mkdirSync(join(loose, "guard"), { recursive: true });
  Deno.writeTextFileSync(join(loose, "guard", "policy.jsonc"), '{"mode":"observe"}');
  const env = {
    ...environment(place),
    XDG_CONFIG_HOME: loose,
    GUARD_POLICY: join(loose, "guard", "policy.jsonc"),
    GUARD_MODE: "observe",
    GUARD_DISABLE: "1",
  };
  assert.equal(found(await run(harmful, { env })), "stopped");
});

test("a state folder that cannot be written changes no verdict", async ({ run, place }) => {
  Deno.writeTextFileSync(place.state, "a file where a folder should be");
  assert.equal(found(await run(harmless)), "runs");
  assert.equal(found(await run(harmful)), "stopped");
});

test("an audit log that is no file changes no verdict", async ({ run, place }) => {
  Deno.mkdirSync(place.state);
  makeFifo(join(place.state, "audit.jsonl"));
  assert.equal(found(await run(harmless)), "runs");
  assert.equal(found(await run(harmful)), "stopped");
}, !posix);

test("folders of permissions that are no folders permit nothing", async ({ run, place }) => {
  Deno.mkdirSync(place.state);
  makeFifo(join(place.state, "grants"));
  makeFifo(join(place.state, "pending"));
  assert.equal(found(await run(harmful)), "stopped");
}, !posix);

test("without HOME the machine is still protected", async ({ run, place }) => {
  const { HOME: _home, USERPROFILE: _profile, ...env } = environment(place);
  assert.equal(found(await run(harmless, { env })), "runs");
  assert.equal(found(await run(claude("Bash", { command: "rm -rf /" }), { env })), "stopped");
});

test("a directory that does not exist is judged by its name", async ({ run }) => {
  const gone = { cwd: "{project}/gone" };
  assert.equal(found(await run({ ...harmless, ...gone })), "runs");
  assert.equal(found(await run({ ...harmful, ...gone })), "stopped");
});

test("a process whose own directory was removed never passes a harmful call", async ({ target, place }) => {
  const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
  const { cwd: _cwd, ...nowhere } = harmful;
  for (const payload of [harmful, nowhere]) {
    const result = await throughShell(target, place, script, payload);
    // The runtime itself may fail to start there; the shell around the hook turns that into a block.
    assert(result.exitCode !== 0 || found(result) === "stopped", result.stdout);
  }
}, !posix);

const hosts = [
  ["claude", "PreToolUse", (input: unknown) => claude("Bash", input)],
  ["codex", "PreToolUse", (input: unknown) => codex("Bash", input)],
  ["gemini", "BeforeTool", (input: unknown) => gemini("run_shell_command", input)],
  [
    "cursor",
    "preToolUse",
    (input: unknown) => cursor("preToolUse", { tool_name: "Shell", tool_input: input }),
  ],
] as const;

for (const target of targets()) {
  for (const [host, event, payload] of hosts) {
    Deno.test({
      name:
        `${target.name}: ${host}: the registered command blocks a harmful call from a directory that was removed`,
      ignore: !posix,
      async fn() {
        const place = makePlace();
        try {
          const adapter = await loadAdapter(host);
          assert(adapter !== undefined);
          const start = {
            program: target.command,
            lead: target.args,
            host,
            event,
            policy: place.policy,
            state: place.state,
          };
          const line = commandLine(start, {
            shell: "sh",
            system: "linux",
            wrapper: adapter.wrapper,
            file: join(place.home, "settings.json"),
          });
          const script = `mkdir gone && cd gone && rmdir ../gone && { ${line}; }`;
          const result = await throughShell(target, place, script, payload({ command: "rm -rf ~" }));
          // Without the closing of the command, the host itself takes a failing hook for a block.
          const failed = adapter.wrapper
            ? result.exitCode === 2 && result.stderr.trim() !== ""
            : result.exitCode !== 0;
          assert(failed || outcome(host, event, result) === "stopped", JSON.stringify(result));
        } finally {
          place.remove();
        }
      },
    });
  }
}

/** Starts the hook through `sh`, which can take away what a process usually has. */
async function throughShell(
  target: Target,
  place: Place,
  script: string,
  payload: unknown,
): Promise<RunResult> {
  const args = [
    "hook",
    "--host",
    "claude",
    "--event",
    "PreToolUse",
    "--policy",
    place.policy,
    "--state",
    place.state,
  ];
  const file = join(place.root, "payload.json");
  Deno.writeFileSync(file, payloadBytes(payload, place));
  const started = performance.now();
  const redirected = script.includes("<&-") ? script : `${script} < ${file}`;
  const { code, stdout, stderr } = await new Deno.Command("sh", {
    args: ["-c", redirected, "sh", target.command, ...target.args, ...args],
    cwd: place.project,
    clearEnv: true,
    env: environment(place),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  const decoder = new TextDecoder();
  return {
    stdout: decoder.decode(stdout),
    stderr: decoder.decode(stderr),
    exitCode: code,
    milliseconds: performance.now() - started,
  };
}

for (const [host, event, payload] of hosts) {
  Deno.test(`${host}: no surrounding makes a destructive command pass`, async () => {
    const place = makePlace();
    const names = ["extra", "permission_mode", "session_id", "transcript_path", "agent_id", "__proto__", "x"];
    const noise = fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 3 }));
    const args = ["--host", host, "--event", event, "--policy", place.policy, "--state", place.state];
    try {
      await fc.assert(
        fc.asyncProperty(noise, noise, fc.constantFrom("", "\n", "\r\n \t"), async (outer, inner, end) => {
          const document = { ...outer, ...payload({ ...inner, command: "rm -rf /" }), cwd: place.project };
          const { reply } = await respond(args, sourceOf(utf8(JSON.stringify(document) + end)));
          assert.equal(outcome(host, event, reply), "stopped", JSON.stringify(document));
        }),
        { numRuns: 40 },
      );
    } finally {
      place.remove();
    }
  });

  Deno.test(`${host}: any JSON value and any bytes are answered`, async () => {
    const place = makePlace();
    const args = ["--host", host, "--event", event, "--policy", place.policy, "--state", place.state];
    try {
      const bytes = fc.oneof(fc.json({ maxDepth: 4 }).map(utf8), fc.uint8Array({ maxLength: 200 }));
      await fc.assert(
        fc.asyncProperty(bytes, async (input) => {
          const { reply } = await respond(args, sourceOf(input));
          assert.equal(outcome(host, event, reply), "stopped");
        }),
        { numRuns: 60 },
      );
    } finally {
      place.remove();
    }
  });
}

function sourceOf(bytes: Uint8Array) {
  let at = 0;
  return {
    read(buffer: Uint8Array): Promise<number | null> {
      const part = bytes.subarray(at, at + buffer.length);
      buffer.set(part);
      at += part.length;
      return Promise.resolve(part.length === 0 ? null : part.length);
    },
  };
}
