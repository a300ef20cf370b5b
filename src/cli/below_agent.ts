/**
 * Whether this process runs below an AI agent: then nobody knows that a person is typing. What the environment
 * says can be removed by the agent. Who started whom cannot, but a process whose parent has ended is given to the
 * first one, so that the environments in which the ancestors were started are looked at as well. An agent that
 * empties the environment first and then detaches itself looks like a person's own terminal; SECURITY.md says so.
 */

import { basename } from "node:path";
import { agentExecutables } from "../host_data.ts";

/** Variables that agents set for the commands they run, but not for a person's own terminal. */
const MARKERS: readonly string[] = [
  "AI_AGENT",
  "AIDER",
  "AMP_THREAD_ID",
  "CLAUDECODE",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLINE_ACTIVE",
  "CODEX_SANDBOX",
  "CODEX_SANDBOX_NETWORK_DISABLED",
  "CODEX_THREAD_ID",
  "COPILOT_AGENT",
  "COPILOT_CLI",
  "CURSOR_AGENT",
  "GEMINI_CLI",
  "GOOSE_TERMINAL",
  "OPENCODE",
  "OPENCODE_PID",
  "QWEN_CODE",
];

/** Names of agents' executables. An editor that contains an agent also holds the person's own terminal. */
const AGENTS: ReadonlySet<string> = new Set([
  ...agentExecutables,
  "aider",
  "amp",
  "crush",
  "goose",
  "kilocode",
  "kimi",
  "opencode",
  "openhands",
  "plandex",
]);

/** Packages of agents, as they occur in the path of a script that an interpreter runs. */
const PACKAGES =
  /(?:claude-code|@openai[\\/]codex|gemini-cli|@github[\\/]copilot|qwen-code|opencode-ai|@augmentcode[\\/]auggie|@sourcegraph[\\/]amp|cursor-agent|aider_chat|open_?hands)(?:[\\/@.]|$)/;

const INTERPRETERS =
  /^(?:node|nodejs|bun|deno|python[\d.]*|uv|npx|npm|ruby|sh|bash|MainThread|node-MainThread)$/;

/** A process among the ancestors. */
export interface Ancestor {
  readonly pid: number;
  readonly parent: number;
  /** Name that the system knows it by. */
  readonly name: string;
  readonly args: readonly string[];
  /** Variable of an agent with which it was started, where that can be seen. */
  readonly marker?: string;
}

/** The name of the marker that is set, or undefined. */
export function agentMarker(env: (name: string) => string | undefined = Deno.env.get): string | undefined {
  for (const name of MARKERS) {
    const value = env(name);
    if (value !== undefined && value !== "" && value !== "0" && value !== "false") return name;
  }
  return undefined;
}

/** The agent among these processes, as its name and number, or undefined. */
export function agentAmong(ancestors: readonly Ancestor[]): string | undefined {
  for (const { pid, name, args, marker } of ancestors) {
    if (marker !== undefined) return `${name} (process ${pid}, started with ${marker})`;
    const program = basename((args[0] ?? "").replace(/^-/, "").split(" ")[0] ?? "").replace(/\.exe$/i, "");
    for (const candidate of [name, program]) {
      if (AGENTS.has(candidate.toLowerCase())) return `${candidate} (process ${pid})`;
    }
    if (!INTERPRETERS.test(program) && !INTERPRETERS.test(name)) continue;
    // The script is among the first arguments, behind the options of the interpreter.
    for (const arg of args.slice(1, 8)) {
      if (arg.startsWith("-")) continue;
      const script = basename(arg).replace(/\.[cm]?[jt]s$|\.py$|\.exe$/, "");
      if (AGENTS.has(script) || PACKAGES.test(arg)) return `${script} (process ${pid})`;
    }
  }
  return undefined;
}

/** Ancestors of a process from its parent upwards; undefined where they cannot be looked at. */
export function ancestors(pid: number = Deno.ppid): Ancestor[] | undefined {
  if (Deno.build.os === "windows") return [];
  const found: Ancestor[] = [];
  let next = pid;
  for (let i = 0; i < 128 && next > 0; i++) {
    const ancestor = Deno.build.os === "linux" ? fromProc(next) : fromPs(next);
    if (ancestor === undefined) return found.length === 0 && next > 1 ? undefined : found;
    found.push(ancestor);
    if (next === 1) return found;
    next = ancestor.parent;
  }
  return found;
}

function fromProc(pid: number): Ancestor | undefined {
  const status = procFile(`/proc/${pid}/stat`);
  // The name stands in parentheses and may hold some itself.
  const end = status?.lastIndexOf(")") ?? -1;
  if (status === undefined || end < 0) return undefined;
  const parent = Number(status.slice(end + 2).split(" ")[1]);
  const name = status.slice(status.indexOf("(") + 1, end);
  const args = (procFile(`/proc/${pid}/cmdline`) ?? "").split("\0").filter((arg) => arg !== "");
  // Of another user's process it cannot be seen.
  const started = new Map(
    (procFile(`/proc/${pid}/environ`) ?? "").split("\0").map((pair): [string, string] => {
      const equals = pair.indexOf("=");
      return [pair.slice(0, Math.max(equals, 0)), pair.slice(equals + 1)];
    }),
  );
  const marker = agentMarker((name) => started.get(name));
  return {
    pid,
    parent: Number.isInteger(parent) ? parent : 0,
    name,
    args,
    ...(marker === undefined ? {} : { marker }),
  };
}

/** Deno reads /proc only with all permissions, which the executable does not have; `cat` does. */
function procFile(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    for (const cat of ["/bin/cat", "/usr/bin/cat", "/run/current-system/sw/bin/cat", "/bin/busybox"]) {
      const args = cat.endsWith("busybox") ? ["cat", path] : [path];
      const text = output(cat, args);
      if (text !== undefined) return text;
    }
    return undefined;
  }
}

function fromPs(pid: number): Ancestor | undefined {
  const text = output("/bin/ps", ["-ww", "-o", "ppid=,comm=", "-p", String(pid)]);
  const found = /^\s*(\d+)\s+(.*?)\s*$/.exec(text ?? "");
  if (found === null) return undefined;
  const args = output("/bin/ps", ["-ww", "-o", "args=", "-p", String(pid)])?.trim().split(/\s+/) ?? [];
  return { pid, parent: Number(found[1]), name: basename(found[2] ?? ""), args };
}

/** Output of a program at a fixed place; the environment of the agent must not reach it. */
function output(program: string, args: string[]): string | undefined {
  try {
    const result = new Deno.Command(program, {
      args,
      clearEnv: true,
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).outputSync();
    return result.success ? new TextDecoder().decode(result.stdout) : undefined;
  } catch {
    return undefined;
  }
}
