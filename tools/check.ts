/**
 * Everything that can be said about the checkout without running it: format, lint, types, fresh generated files.
 *
 *   deno task check
 */
import { checkVersion, deno } from "./deno.ts";
import { generate } from "./generate.ts";

checkVersion();
const steps: readonly (readonly [string, readonly string[]])[] = [
  ["format", ["fmt", "--check"]],
  ["lint", ["lint"]],
  ["types", ["check", "--frozen", "."]],
];
let failed = 0;
for (const [name, args] of steps) {
  const code = await deno(args, { quiet: true });
  console.log(`${name}: ${code === 0 ? "ok" : `failed; run: deno ${args.join(" ")}`}`);
  if (code !== 0) failed++;
}
const stale = await generate(true);
const freshness = stale.length === 0 ? "ok" : `failed (${stale.join(", ")}); run: deno task generate`;
console.log(`generated files: ${freshness}`);
Deno.exit(failed + stale.length === 0 ? 0 : 1);
