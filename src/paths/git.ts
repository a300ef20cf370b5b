/** Paths that git shows, writes and deletes; what it does to the repository is for its own rules. */

import { parseArguments } from "../../rules/options.ts";
import type { Invocation, PathOperation, Word } from "../shell/model.ts";
import { dropStart, staticWord } from "../words.ts";
import type { Draft } from "./draft.ts";
import { patched } from "./patching.ts";

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
      drafts.push({ operation: prints ? "read" : "list", path, recursive: verb.text === "grep", base });
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
  } else if (verb.text === "config") {
    const options = parseArguments(rest, {
      values: ["-f", "--file", "--blob", "--type", "--default", "--value", "--comment"],
    });
    const path = options.value("-f", "--file");
    const [action = "", ...more] = options.operands.map((word) => word.text);
    const writes = options.has(
      "--unset",
      "--unset-all",
      "--add",
      "--replace-all",
      "--rename-section",
      "--remove-section",
      "-e",
      "--edit",
    ) || /^(?:set|unset|rename-section|remove-section|edit)$/.test(action) ||
      (!/^(?:get|list)$/.test(action) && more.length > 0 &&
        !options.has("--get", "--get-all", "--get-regexp", "--get-urlmatch"));
    // What is written to its own settings is judged by the rules about git.
    const own = /(?:^|\/)(?:\.gitconfig|\.gitmodules|\.git\/config|git\/config|config\.worktree)$/.test(
      path?.text ?? "",
    );
    if (path !== undefined && !own) drafts.push({ operation: writes ? "append" : "read", path, base });
  } else if (verb.text === "apply" || verb.text === "am") {
    const options = parseArguments(rest, { values: ["-p", "-C", "--directory", "--exclude", "--include"] });
    for (const path of options.operands) drafts.push({ operation: "list", path, base });
    if (!options.has("--check", "--stat", "--numstat", "--summary") || options.has("--apply")) {
      const directory = options.value("--directory");
      const strip = options.value("-p")?.text;
      drafts.push(...patched(invocation, [strip === undefined ? 1 : Number(strip)], directory ?? base));
      if (directory !== undefined) {
        drafts.push({ operation: "append", path: directory, recursive: true, base });
      }
    }
  } else if (verb.text === "rm") {
    const options = parseArguments(rest);
    if (!options.has("--cached", "-n", "--dry-run")) {
      for (const path of options.operands) {
        // Without -f git refuses to remove what differs from the last commit.
        drafts.push({
          operation: options.has("-f", "--force") ? "delete" : "append",
          path,
          recursive: options.has("-r"),
          base,
        });
      }
    }
  } else {
    const changed = changedBy(verb.text, rest);
    for (const { path, recursive } of changed) drafts.push({ operation: "append", path, recursive, base });
  }
  return drafts;
}

interface Changed {
  readonly path: Word;
  /** It may be, or become, a whole directory. */
  readonly recursive: boolean;
}

const dashes = (words: readonly Word[]) => words.findIndex((word) => word.text === "--");

/**
 * The files and directories that a command names and changes from the repository, or another one. What may be lost by
 * it is for git's own rules.
 */
function changedBy(verb: string, rest: readonly Word[]): readonly Changed[] {
  const whole = (path: Word) => ({ path, recursive: true });
  const at = dashes(rest);
  switch (verb) {
    case "checkout": {
      if (at >= 0) return rest.slice(at + 1).map(whole);
      const options = parseArguments(rest, { values: ["-b", "-B", "--orphan", "--pathspec-from-file"] });
      return options.has("-b", "-B", "--orphan", "--detach") ? [] : options.operands.map(whole);
    }
    case "restore": {
      const options = parseArguments(rest, { values: ["-s", "--source", "--pathspec-from-file"] });
      return options.has("-S", "--staged") && !options.has("-W", "--worktree")
        ? []
        : options.operands.map(whole);
    }
    case "checkout-index":
      return parseArguments(rest, { values: ["--prefix", "--stage"] }).operands.map(whole);
    case "stash": {
      const [action] = rest;
      if (at >= 0) return rest.slice(at + 1).map(whole);
      if (action?.text !== "push") return [];
      return parseArguments(rest.slice(1), { values: ["-m", "--message"] }).operands.map(whole);
    }
    case "mv": {
      const { operands } = parseArguments(rest);
      const target = operands.at(-1);
      const sources = operands.slice(0, -1);
      const moved = target === undefined
        ? []
        : sources.filter((word) => word.isStatic && target.isStatic).map((word) =>
          staticWord(
            `${target.text}/${word.text.split("/").filter((part) => part !== "").at(-1) ?? ""}`,
            target.span,
          )
        );
      return [...operands, ...moved].map(whole);
    }
    case "clone":
      return cloned(rest).map(whole);
    case "worktree":
      return rest[0]?.text === "add"
        ? parseArguments(rest.slice(1), { values: ["-b", "-B", "--reason"] }).operands.slice(0, 1).map(whole)
        : [];
    case "submodule": {
      if (rest[0]?.text !== "add") return [];
      return cloned(rest.slice(1)).map(whole);
    }
    case "init":
      return parseArguments(rest, { values: ["-b", "--initial-branch", "--template", "--separate-git-dir"] })
        .operands.slice(0, 1).map(whole);
  }
  return [];
}

/** The directory of a clone: the one that is named, or the last part of the address. */
export function cloned(args: readonly Word[]): readonly Word[] {
  const { operands } = parseArguments(args, {
    values: [
      "-b",
      "--branch",
      "--depth",
      "-o",
      "--origin",
      "--reference",
      "--separate-git-dir",
      "-j",
      "--jobs",
      "--filter",
      "-c",
      "--config",
      "--template",
      "-u",
      "--upload-pack",
      "--name",
    ],
  });
  const [address, directory] = operands;
  if (directory !== undefined) return [directory];
  if (address === undefined || !address.isStatic) return [];
  const name = /([^/:]+?)(?:\.git)?\/*$/.exec(address.text)?.[1];
  return name === undefined ? [] : [staticWord(name, address.span)];
}
