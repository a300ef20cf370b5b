/** Paths that archivers read, write and delete. */

import { parseArguments } from "../../rules/options.ts";
import type { Invocation } from "../shell/model.ts";
import { dropStart, staticWord } from "../words.ts";
import type { Draft } from "./draft.ts";

/** What `tar` does to paths; its first word may be options without a dash. */
export function tar(invocation: Invocation): readonly Draft[] {
  // The first word may be a cluster without a dash (`tar cz`, `tar xzf a.tgz`).
  const [first, ...rest] = invocation.args;
  const bare = first !== undefined && first.isStatic && /^[A-Za-z]+$/.test(first.text);
  const args = bare ? [staticWord(`-${first.text}`, first.span), ...rest] : invocation.args;
  const parsed = parseArguments(args, {
    values: [
      "-f",
      "-C",
      "-T",
      "-X",
      "-b",
      "-I",
      "-g",
      "-K",
      "--file",
      "--directory",
      "--files-from",
      "--exclude",
      "--use-compress-program",
      "--transform",
      "--strip-components",
      "--owner",
      "--group",
      "--mode",
    ],
    long: [
      "--create",
      "--extract",
      "--get",
      "--list",
      "--append",
      "--update",
      "--delete",
      "--remove-files",
      "--overwrite",
      "--keep-old-files",
    ],
  });
  const base = parsed.value("-C", "--directory");
  const archive = parsed.value("-f", "--file");
  const drafts: Draft[] = [];
  const creates = parsed.has("-c", "--create", "-r", "--append", "-u", "--update");
  if (creates) {
    for (const path of parsed.operands) {
      drafts.push({ operation: "read", path, recursive: true, base });
      if (parsed.has("--remove-files")) drafts.push({ operation: "delete", path, recursive: true, base });
    }
    if (archive !== undefined && archive.text !== "-") drafts.push({ operation: "write", path: archive });
  } else if (parsed.has("-x", "--extract", "--get")) {
    if (archive !== undefined && archive.text !== "-") drafts.push({ operation: "list", path: archive });
    if (!parsed.has("-O", "--to-stdout", "-k", "--keep-old-files")) {
      // Members that are named are all that is unpacked.
      for (const path of parsed.operands) {
        drafts.push({ operation: "append", path, recursive: true, base });
      }
      if (parsed.operands.length === 0) {
        drafts.push({ operation: "append", path: base ?? staticWord("."), recursive: true });
      }
    }
  } else if (archive !== undefined) drafts.push({ operation: "list", path: archive });
  return drafts;
}

/** What `unzip` does to paths. */
export function unzip(invocation: Invocation): readonly Draft[] {
  const parsed = parseArguments(invocation.args, { values: ["-d", "-x", "-P"] });
  const archive = parsed.operands[0];
  const drafts: Draft[] = archive === undefined ? [] : [{ operation: "list", path: archive }];
  if (!parsed.has("-l", "-t", "-v", "-Z", "-p", "-n")) {
    drafts.push({ operation: "append", path: parsed.value("-d") ?? staticWord("."), recursive: true });
  }
  return drafts;
}

/** What `7z` and its relatives do to paths. */
export function sevenZip(invocation: Invocation): readonly Draft[] {
  const [verb, ...rest] = parseArguments(invocation.args, { style: "words" }).operands;
  if (verb === undefined) return [];
  if (verb.text === "a" || verb.text === "u") {
    return rest.map((path, index) => ({
      operation: index === 0 ? "write" : "read",
      path,
      recursive: index > 0,
    }));
  }
  if (verb.text === "x" || verb.text === "e") {
    const out = invocation.args.find((word) => word.text.startsWith("-o"));
    return [
      ...rest.slice(0, 1).map((path) => ({ operation: "list" as const, path })),
      { operation: "append", path: out === undefined ? staticWord(".") : dropStart(out, 2), recursive: true },
    ];
  }
  return [];
}

/** What `cpio` does to paths. */
export function cpio(invocation: Invocation): readonly Draft[] {
  const parsed = parseArguments(invocation.args, {
    values: ["-D", "-F", "-I", "-O", "-E", "-H", "-R", "-C", "-M", "--directory", "--file", "--format"],
  });
  if (parsed.has("-t", "--list", "--to-stdout")) return [];
  const base = parsed.value("-D", "--directory");
  if (parsed.has("-i", "--extract")) {
    return [{ operation: "append", path: base ?? staticWord("."), recursive: true }];
  }
  if (parsed.has("-p", "--pass-through")) {
    return parsed.operands.map((path) => ({ operation: "append", path, recursive: true, base }));
  }
  return [];
}

/** What `ar` does to paths: a key such as `x` or `rcs`, an archive, members. */
export function ar(invocation: Invocation): readonly Draft[] {
  const parsed = parseArguments(invocation.args, { values: ["--output", "--target", "--plugin"] });
  const dashed = invocation.args.find((word) => /^-[dmpqrtx][A-Za-z]*$/.test(word.text));
  const key = dashed ?? parsed.operands[0];
  const [archive, ...members] = dashed === undefined ? parsed.operands.slice(1) : parsed.operands;
  if (key === undefined || archive === undefined) return [];
  if (/x/.test(key.text)) {
    return [{ operation: "append", path: parsed.value("--output") ?? staticWord("."), recursive: true }];
  }
  if (!/[rq]/.test(key.text)) return [];
  return [
    ...members.map((path) => ({ operation: "read" as const, path })),
    { operation: "append", path: archive },
  ];
}
