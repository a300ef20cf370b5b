/** Rules that a policy file writes in data form, as rules that are judged like built-in ones. */

import type { Rule } from "../types.ts";
import type { OwnRuleForm } from "./schema.ts";

/** Makes a rule of its form. */
export type CompileOwnRule = (form: OwnRuleForm) => Rule;

/** The compiler of own rules; its parts are loaded only when `wanted`. */
export function compileOwnRule(_wanted: boolean): Promise<CompileOwnRule> {
  return Promise.resolve((form) => {
    throw new Error(`own rule ${form.id} cannot be compiled yet`);
  });
}
