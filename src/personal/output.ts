/** What a policy wants to be done about personal data in the result of a tool. */

import type { TakeOut } from "../output.ts";
import type { PersonalKind, Policy } from "../types.ts";
import { findPersonal, replacePersonal } from "./scan.ts";

/** How results are looked at. */
export interface PersonalOutput {
  /** Whether a text holds something of which the policy speaks. */
  concerns(text: string): boolean;
  readonly take: TakeOut;
}

/** Undefined where the policy does not speak of personal data. */
export function takeOutOf({ personalData }: Policy): PersonalOutput | undefined {
  const kinds = Object.keys(personalData) as PersonalKind[];
  if (kinds.length === 0) return undefined;
  const taken = kinds.filter((kind) => personalData[kind] !== "warn");
  return {
    concerns: (text) => findPersonal(text, kinds).length > 0,
    take(text) {
      const { text: rest, found } = replacePersonal(text, taken);
      return { text: rest, titles: found.map(({ title }) => title) };
    },
  };
}
