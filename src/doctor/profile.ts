/** Finds start-up files of the shell that print something: a host that reads them spoils every hook's answer. */

import { join } from "node:path";
import type { Surroundings } from "../install/location.ts";
import { type Check, note, ok } from "./check.ts";

const startUpFiles = [
  ".profile",
  ".bash_profile",
  ".bash_login",
  ".bashrc",
  ".zshenv",
  ".zprofile",
  ".zshrc",
  ".zlogin",
];

/** Starts the person's login shell with an empty script and looks at its stdout. */
export async function checkProfile(around: Surroundings, limit = 5000): Promise<Check[]> {
  const shell = around.env["SHELL"];
  if (around.system === "windows" || shell === undefined || !/\/(?:ba|z|da|k)?sh$/.test(shell)) return [];
  const printed = await printedBy(shell, around, limit);
  if (printed === undefined) return [];
  if (printed === "") return [ok("shell", `${shell} prints nothing when it starts.`)];
  const first = printed.split("\n")[0] ?? "";
  const place = await lineThatPrints(first, around);
  return [note(
    "shell",
    `${shell} prints ${JSON.stringify(first.slice(0, 60))} when it starts as a login shell${
      place === undefined ? "" : ` (${place})`
    }; hosts that start hooks so cannot read any answer.`,
    place === undefined
      ? "Print only when the shell is interactive."
      : `Change ${place} so that it prints only when the shell is interactive.`,
  )];
}

/** Undefined when the shell cannot be started or has not ended in time. */
async function printedBy(shell: string, around: Surroundings, limit: number): Promise<string | undefined> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(around.env)) {
    if (value !== undefined) env[name] = value;
  }
  try {
    const child = new Deno.Command(shell, {
      args: ["-l", "-c", ":"],
      cwd: around.home,
      env,
      clearEnv: true,
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const timer = setTimeout(() => child.kill("SIGKILL"), limit);
    const output = await child.output();
    clearTimeout(timer);
    return output.signal === null ? new TextDecoder().decode(output.stdout).trim() : undefined;
  } catch {
    return undefined;
  }
}

/** `file:line` of the first line in a start-up file that holds the printed text or its longest word. */
async function lineThatPrints(printed: string, around: Surroundings): Promise<string | undefined> {
  const longest = printed.split(/\s+/).toSorted((a, b) => b.length - a.length)[0] ?? printed;
  const files = startUpFiles.map((name) => join(around.home, name));
  for (const variable of ["BASH_ENV", "ENV"]) {
    const path = around.env[variable];
    if (path) files.push(path);
  }
  for (const wanted of [printed, longest]) {
    if (wanted.length < 3) continue;
    for (const file of files) {
      const text = await Deno.readTextFile(file).catch(() => "");
      const index = text.split("\n").findIndex((line) =>
        !line.trimStart().startsWith("#") && line.includes(wanted)
      );
      if (index >= 0) return `${file}:${index + 1}`;
    }
  }
  return undefined;
}
