/**
 * Writes every generated file anew, or with --check only says which are not fresh.
 *
 *   deno task generate [--check]
 *
 * A generator is a file tools/generate_*.ts that writes its files and, with --check, fails when they differ instead.
 */
import { checkVersion, deno, root } from "./deno.ts";
import { files } from "./files.ts";

/** What others read of what was generated, in this order before them. */
const first = ["registry_adapters", "host_data", "registry_rules"].map((name) => `tools/generate_${name}.ts`);

/** The generators, by path relative to the checkout, in the order in which they have to run. */
export function generators(): string[] {
  const all = files("tools", (path) => /\/generate_(?!.*_test\.ts$)\w+\.ts$/.test(path));
  return [...first.filter((path) => all.includes(path)), ...all.filter((path) => !first.includes(path))];
}

/** Runs all generators. @returns those that failed. */
export async function generate(check: boolean): Promise<string[]> {
  const failed: string[] = [];
  for (const generator of generators()) {
    const args = ["run", "-A", "--quiet", `${root}/${generator}`, ...(check ? ["--check"] : [])];
    if (await deno(args) !== 0) failed.push(generator);
  }
  return failed;
}

if (import.meta.main) {
  checkVersion();
  const check = Deno.args.includes("--check");
  const failed = await generate(check);
  const what = check ? "finds files that are not fresh" : "failed";
  for (const generator of failed) console.error(`${generator} ${what}`);
  if (failed.length > 0 && check) console.error("run: deno task generate");
  Deno.exit(failed.length === 0 ? 0 : 1);
}
