/** Rules that a policy file writes in data form, as rules that are judged like built-in ones. */

import type { TextTest } from "../rule_matcher.ts";
import type { Rule } from "../types.ts";
import type { OwnRuleForm } from "./schema.ts";

/** Makes a rule of its form; throws when its regular expression is wrong. */
export type CompileOwnRule = (form: OwnRuleForm) => Rule;

/** The compiler of these own rules; what it needs is loaded only when there are any. */
export async function compileOwnRule(forms: readonly OwnRuleForm[]): Promise<CompileOwnRule> {
  if (forms.length === 0) {
    return (form) => {
      throw new Error(`own rule ${form.id} was not announced`);
    };
  }
  const { compileRule, textCompiler } = await import("../rule_matcher.ts");
  const compileText = forms.some((form) => form.match.text !== undefined) ? await textCompiler() : undefined;
  return (form) => compileRule(form, compileText === undefined ? undefined : bounded(compileText));
}

/** Longest text that an expression is tried on, in UTF-16 code units. */
const TEXT_LIMIT = 256 * 1024;

/** Linear time is still too long for a text of many megabytes; what is not looked at counts as a match. */
function bounded(compile: (source: string) => TextTest): (source: string) => TextTest {
  return (source) => {
    const test = compile(source);
    return (text) => text.length > TEXT_LIMIT || test(text);
  };
}
