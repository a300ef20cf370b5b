/** Paths that git shows, writes and deletes; what it does to the repository is for its own rules. */

import { parseArguments } from "../../rules/options.ts";
import type { Invocation, PathOperation } from "../shell/model.ts";
import { dropStart } from "../words.ts";
import type { Draft } from "./draft.ts";

const gitReaders = new Set([
  "show",
  "cat-file",
  "diff",
  "blame",
  "log",
  "grep",
  "annotate",
  "archive",
  "difftool",
]);

/** What commands of git do to the files that they name. */
export function git(invocation: Invocation): readonly Draft[] {
  const parsed = parseArguments(invocation.args, {
    values: ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env"],
    stopAtOperand: true,
  });
  const base = parsed.value("-C");
  const [verb, ...rest] = parsed.operands;
  if (verb === undefined) return [];
  const drafts: Draft[] = [];
  const noIndex = rest.some((word) => word.text === "--no-index");
  if (noIndex || verb.text === "hash-object") {
    const prints = noIndex || rest.some((word) => /^-[a-z]*w/.test(word.text));
    for (const path of parseArguments(rest, { values: ["-t", "-e", "-A", "-B", "-C", "-U"] }).operands) {
      drafts.push({ operation: prints ? "read" : "list", path, base });
    }
  } else if (gitReaders.has(verb.text)) {
    const names = rest.some((word) =>
      /^--(?:name-only|name-status|stat|numstat|shortstat|quiet|oneline)$/.test(word.text)
    ) &&
      !rest.some((word) =>
        /^(?:-p|-u|--patch)$/.test(word.text)
      );
    const prints = !names && (verb.text !== "log" || rest.some((word) =>
      /^(?:-p|-u|--patch|-L.*)$/.test(word.text)
    )) &&
      !rest.some((word) => /^(?:-t|-s|-e)$/.test(word.text) && verb.text === "cat-file");
    const dashes = rest.findIndex((word) => word.text === "--");
    for (const [index, word] of rest.entries()) {
      const operation: PathOperation = prints ? "read" : "list";
      const colon = word.text.indexOf(":");
      if (index !== dashes && colon >= 0 && !word.text.startsWith("-") && !/^:[(/!^]/.test(word.text)) {
        const path = dropStart(word, colon + 1);
        // `:0:file` names a stage of the index.
        drafts.push({ operation, path: /^\d:/.test(path.text) ? dropStart(path, 2) : path, base });
      } else if (dashes >= 0 ? index > dashes : verb.text === "blame" && !word.text.startsWith("-")) {
        drafts.push({ operation, path: word, base });
      }
    }
    const output = rest.find((word) => word.text.startsWith("--output="));
    if (output !== undefined) drafts.push({ operation: "write", path: dropStart(output, 9), base });
  } else if (
    verb.text === "add" && rest.some((word) => /^(?:--force|-[a-zA-Z]*f[a-zA-Z]*)$/.test(word.text))
  ) {
    // What git is told to ignore gets a copy that others will see.
    for (const path of parseArguments(rest).operands) drafts.push({ operation: "read", path, base });
  } else if (verb.text === "apply" || verb.text === "am") {
    for (const path of parseArguments(rest, { values: ["-p", "-C", "--directory"] }).operands) {
      drafts.push({ operation: "list", path, base });
    }
  } else if (verb.text === "rm") {
    const options = parseArguments(rest);
    if (!options.has("--cached", "-n", "--dry-run")) {
      for (const path of options.operands) {
        // Without -f git refuses to remove what differs from the last commit.
        drafts.push({
          operation: options.has("-f", "--force") ? "delete" : "list",
          path,
          recursive: options.has("-r"),
          base,
        });
      }
    }
  }
  return drafts;
}
