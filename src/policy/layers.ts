/** Validates the texts of policy files and layers them; loaded only when there is one. */

import { compileOwnRule } from "./own_rule.ts";
import type { PolicyProblem } from "./load.ts";
import { type FileLayer, type LayerFile, type Merged, mergeLayers, OwnRuleError } from "./merge.ts";
import { parsePolicy } from "./parse.ts";

export interface LayerText {
  readonly layer: FileLayer;
  readonly path: string;
  readonly text: string;
}

/** Parses the texts and merges those that are valid; the others are left out and reported. */
export async function parseLayers(
  texts: readonly LayerText[],
  home: string | undefined,
  now: number,
): Promise<Omit<Merged, "problems"> & { readonly problems: readonly PolicyProblem[] }> {
  const parsed = texts.map((text) => ({ ...text, ...parsePolicy(text.text) }));
  const problems: PolicyProblem[] = parsed.flatMap(({ layer, path, problems }) =>
    problems.map((problem) => ({ layer, path, ...problem, broken: true }))
  );
  const place = (layer: FileLayer, path: readonly (string | number)[]) => {
    const source = parsed.find((entry) => entry.layer === layer);
    return { layer, path: source?.path ?? "", ...source?.place(path) };
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
          ...merged.problems.map((p) => ({ ...place(p.layer, p.path), message: p.message, broken: false })),
        ],
      };
    } catch (error) {
      if (!(error instanceof OwnRuleError)) throw error;
      problems.push({ ...place(error.layer, error.path), message: error.message, broken: true });
      files = files.filter(({ layer }) => layer !== error.layer);
    }
  }
}
