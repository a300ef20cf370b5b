/**
 * Writes docs/policy.schema.json, the JSON Schema of a policy file for editors, from the schema that guard
 * itself validates with.
 *
 *   deno run --allow-read --allow-write tools/generate_schema.ts [--check]
 *
 * With --check nothing is written; the exit code is 1 when the file is not up to date.
 */
import { toJSONSchema } from "zod";
import { policySchema } from "../src/policy/schema.ts";

/** Path of the generated file. */
export const schemaFile = new URL("../docs/policy.schema.json", import.meta.url);

/** Text of the generated file. */
export function schemaText(): string {
  const { $schema, ...schema } = toJSONSchema(policySchema);
  const whole = {
    $schema,
    title: "Policy of guard",
    description: "A policy.jsonc file: what guard stops, asks about and lets pass.",
    // Editors then accept comments and trailing commas, as guard does.
    allowComments: true,
    allowTrailingCommas: true,
    ...schema,
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

if (import.meta.main) {
  if (Deno.args.includes("--check")) {
    if (Deno.readTextFileSync(schemaFile) !== schemaText()) {
      console.error("docs/policy.schema.json is not up to date. Run: deno run -A tools/generate_schema.ts");
      Deno.exit(1);
    }
  } else {
    Deno.writeTextFileSync(schemaFile, schemaText());
  }
}
