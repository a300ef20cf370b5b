/** `guard version`. */

import type { Command } from "commander";
import { fileURLToPath } from "node:url";
import { version } from "../version.ts";
import { line, table } from "./terminal.ts";

/** What is running: for problem reports. */
function versionReport(): Record<string, string> {
  return {
    version,
    runtime: `deno ${Deno.version.deno}`,
    platform: Deno.build.target,
    build: Deno.build.standalone ? "executable" : "source",
    executable: Deno.build.standalone
      ? Deno.execPath()
      : fileURLToPath(new URL("../../main.ts", import.meta.url)),
  };
}

export function register(program: Command): void {
  program
    .command("version")
    .description("show version, runtime, platform and build kind")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExamples:\n  $ guard version\n  $ guard version --json")
    .action((options: { json?: boolean }) => {
      const report = versionReport();
      if (options.json) line(JSON.stringify(report));
      else line(table(Object.entries(report)));
    });
}
