/** Validates the texts of policy files and layers them; loaded only when there is one. */

import { cachedForm, keepForm } from "./cache.ts";
import { compileOwnRule } from "./own_rule.ts";
import type { PolicyProblem } from "./load.ts";
import type { PlacedProblem } from "./parse.ts";
import type { PolicyFile } from "./schema.ts";
import { type FileLayer, type LayerFile, type Merged, mergeLayers, OwnRuleError } from "./merge.ts";

export interface LayerText {
  readonly layer: FileLayer;
  readonly path: string;
  readonly text: string;
}

/** Most ignored values that are told: finding the place of each costs a walk through its file. */
const PROBLEM_LIMIT = 100;

/** What a text says. */
interface Form {
  readonly file?: PolicyFile;
  readonly problems: readonly PlacedProblem[];
  /** Absent for a form that was kept: the text has not been looked at. */
  place?(path: readonly (string | number)[]): { readonly line: number; readonly column: number };
}

/**
 * Parses the texts and merges those that are valid; the others are left out and reported.
 *
 * @param state Directory of guard's state, when forms may be taken from there and kept there. Problems that
 *   leave a file valid then have no line.
 */
export async function parseLayers(
  texts: readonly LayerText[],
  home: string | undefined,
  now: number,
  state?: string,
): Promise<Omit<Merged, "problems"> & { readonly problems: readonly PolicyProblem[] }> {
  const parsed: (LayerText & Form)[] = [];
  for (const text of texts) parsed.push({ ...text, ...await formOf(text, state) });
  const problems: PolicyProblem[] = parsed.flatMap(({ layer, path, problems }) =>
    problems.map((problem) => ({ layer, path, ...problem, broken: true }))
  );
  const place = (layer: FileLayer, path: readonly (string | number)[]) => {
    const source = parsed.find((entry) => entry.layer === layer);
    return { layer, path: source?.path ?? "", ...source?.place?.(path) };
  };
  let files: readonly LayerFile[] = parsed.flatMap(({ layer, file }) =>
    file === undefined ? [] : [{ layer, file }]
  );
  const compile = await compileOwnRule(files.flatMap(({ file }) => file.ownRules ?? []));
  while (true) {
    try {
      const merged = mergeLayers(files, { home, now, compile });
      return {
        ...merged,
        problems: [
          ...problems,
          ...merged.problems.slice(0, PROBLEM_LIMIT).map((p) => ({
            ...place(p.layer, p.path),
            message: p.message,
            broken: false,
          })),
        ],
      };
    } catch (error) {
      if (!(error instanceof OwnRuleError)) throw error;
      problems.push({ ...place(error.layer, error.path), message: error.message, broken: true });
      files = files.filter(({ layer }) => layer !== error.layer);
    }
  }
}

/** The validated form of a text, kept or made; the parser and the schema are loaded only to make one. */
async function formOf({ layer, path, text }: LayerText, state: string | undefined): Promise<Form> {
  if (state === undefined || layer === "managed") return (await import("./parse.ts")).parsePolicy(text);
  const kept = cachedForm(state, layer, path, text);
  if (kept !== undefined) return { file: kept, problems: [] };
  const form = (await import("./parse.ts")).parsePolicy(text);
  if (form.file !== undefined) keepForm(state, layer, path, text, form.file);
  return form;
}
