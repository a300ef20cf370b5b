/** What a policy wants to be done about personal data in the result of a tool. */

import type { Locations } from "../locations.ts";
import type { TakeOut } from "../output.ts";
import type { HookCall, PersonalKind } from "../types.ts";
import { policyFor } from "../verdict.ts";
import { findPersonal, replacePersonal } from "./scan.ts";

/** How results are looked at. */
export interface PersonalOutput {
  /** Whether a text holds something of which the policy speaks. */
  concerns(text: string): boolean;
  readonly take: TakeOut;
}

/** Undefined where the policy does not speak of personal data. Rejects when it cannot be used. */
export async function takeOutOf(call: HookCall, places: Locations): Promise<PersonalOutput | undefined> {
  const { personalData } = await policyFor(call, places);
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
