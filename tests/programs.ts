/** The forms of guard that black-box tests run: from source, and as the compiled executable where there is one. */
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");

export interface Program {
  readonly name: "source" | "compiled";
  /** Executable and leading arguments; guard's own arguments follow. */
  readonly command: readonly [string, ...string[]];
  /** Set for `ignore` of a test: this form cannot be run here. */
  readonly missing: boolean;
}

/** Path of the compiled executable, from GUARD_BINARY (set by `deno task test`); undefined when there is none. */
export const executable = Deno.env.get("GUARD_BINARY") || undefined;

/** Both forms; register a test for each with `ignore: program.missing`, so that a missing one is a counted skip. */
export const programs: readonly Program[] = [
  {
    name: "source",
    command: [Deno.execPath(), "run", "--no-prompt", "-A", "--quiet", `${root}/main.ts`],
    missing: false,
  },
  { name: "compiled", command: [executable ?? "guard (not compiled)"], missing: executable === undefined },
];
