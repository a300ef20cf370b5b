/** Starts a hook command as the host would: through the host's shell, with a payload on stdin. */

import type { HookShell } from "../types.ts";

export interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** It had not ended after the limit and was killed. */
  readonly timedOut: boolean;
  readonly milliseconds: number;
}

export interface StartOptions {
  readonly shell: HookShell;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly limit: number;
}

/** Most bytes of output that are looked at. */
const outputLimit = 256 * 1024;

/** Runs the command line. Throws when the shell itself cannot be started. */
export async function start(line: string, payload: string, options: StartOptions): Promise<Run> {
  const [program, args] = shellCommand(line, options.shell);
  const began = performance.now();
  const child = new Deno.Command(program, {
    args,
    cwd: options.cwd,
    env: options.env,
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    try {
      child.kill("SIGKILL");
    } catch {
      // It has just ended.
    }
  }, options.limit);
  const writing = feed(child.stdin, payload);
  try {
    const output = await child.output();
    return {
      exitCode: output.code,
      stdout: textOf(output.stdout),
      stderr: textOf(output.stderr),
      timedOut,
      milliseconds: performance.now() - began,
    };
  } finally {
    clearTimeout(timer);
    await writing;
  }
}

/** A command that ends without reading breaks the pipe, which is no failure of the writer. */
async function feed(stdin: WritableStream<Uint8Array>, payload: string): Promise<void> {
  const writer = stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(payload));
    await writer.close();
  } catch {
    await writer.abort().catch(() => {});
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, outputLimit));
}

function shellCommand(line: string, shell: HookShell): [string, string[]] {
  switch (shell) {
    case "cmd":
      return ["cmd.exe", ["/d", "/s", "/c", line]];
    case "powershell":
      return ["powershell.exe", ["-NoProfile", "-Command", line]];
    case "sh":
    case "none":
      return ["sh", ["-c", line]];
  }
}
