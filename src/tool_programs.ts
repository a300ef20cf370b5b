/**
 * Command lines that tools stand for which are named after a program: `kubectl_delete`, `git_reset`, `call_aws`. They are
 * judged as the same line in a shell. Names and arguments come from the documentation of the servers.
 */

import { categories } from "../rules/registry.ts";
import { quoteWord } from "./quote.ts";
import type { ActionOf } from "./types.ts";

/** A line with the directory in which it runs, where the input names one. */
export interface ToolCommand {
  readonly command: string;
  readonly cwd?: string;
}

/** Programs by the words of a tool's name, and their subcommands that a tool may be named after. */
const programs: Readonly<Record<string, { readonly name: string; readonly verbs: string }>> = {
  aws: { name: "aws", verbs: "" },
  az: { name: "az", verbs: "" },
  docker: { name: "docker", verbs: "" },
  gcloud: { name: "gcloud", verbs: "" },
  gh: { name: "gh", verbs: "" },
  git: {
    name: "git",
    verbs: " branch checkout clean commit push rebase reset restore rm stash switch tag worktree ",
  },
  glab: { name: "glab", verbs: "" },
  gsutil: { name: "gsutil", verbs: "" },
  helm: { name: "helm", verbs: " delete rollback uninstall " },
  heroku: { name: "heroku", verbs: "" },
  kubectl: { name: "kubectl", verbs: " delete drain patch replace rollout scale " },
  podman: { name: "podman", verbs: "" },
  pulumi: { name: "pulumi", verbs: " destroy up " },
  supabase: { name: "supabase", verbs: "" },
  terraform: { name: "terraform", verbs: " apply destroy taint " },
  tofu: { name: "tofu", verbs: " apply destroy taint " },
  vercel: { name: "vercel", verbs: "" },
  wrangler: { name: "wrangler", verbs: "" },
};

const keys = {
  line: ["command", "cmd", "cli_command", "clicommand", "cli", "command_line", "commandline"],
  under: ["subcommand", "sub_command"],
  list: ["args", "arguments", "argv", "flags", "options", "parameters", "extra_args"],
  kind: ["resourcetype", "resource_type", "resource", "kind"],
  name: [
    "name",
    "release",
    "releasename",
    "release_name",
    "branchname",
    "branch_name",
    "tagname",
    "tag_name",
  ],
  space: ["namespace"],
  place: [
    "repo_path",
    "repopath",
    "working_directory",
    "workingdirectory",
    "working_dir",
    "workdir",
    "cwd",
    "directory",
    "dir",
    "path",
  ],
  mode: ["mode", "operation", "action", "reset_type", "resettype"],
  operand: ["remote", "branch", "target", "ref", "commit", "commit_hash", "revision", "source"],
  files: ["files", "paths", "pathspec", "file"],
} as const;

/** Members that are true as options. */
const switches: Readonly<Record<string, string>> = {
  all: "--all",
  autoapprove: "-auto-approve",
  auto_approve: "-auto-approve",
  amend: "--amend",
  cascade: "--cascade",
  delete: "--delete",
  directories: "-d",
  force: "--force",
  forcewithlease: "--force-with-lease",
  force_with_lease: "--force-with-lease",
  hard: "--hard",
  ignored: "-x",
  mirror: "--mirror",
  noverify: "--no-verify",
  no_verify: "--no-verify",
  prune: "--prune",
  recursive: "--recursive",
  skip_hooks: "--no-verify",
  yes: "--yes",
};

type Members = ReadonlyMap<string, unknown>;

/** The lines that a call of a tool stands for; none for tools that are named after no program. */
export function toolCommands(action: ActionOf<"mcp"> | ActionOf<"unknown">): readonly ToolCommand[] {
  const words = wordsOf(action.tool);
  const at = words.findIndex((word) => Object.hasOwn(programs, word));
  const members = membersOf(action.input);
  if (members === undefined) return [];
  const request = awsRequest(words, action, members);
  if (request !== undefined) return [{ command: request }];
  const known = at < 0 ? undefined : programs[words[at]!];
  // What runs inside of a container is no subcommand of the program that runs it.
  if (known === undefined || words.some((word) => /^(?:exec|ssh|shell)$/.test(word))) return [];
  const place = first(members, keys.place);
  const cwd = typeof place === "string" && place !== "" ? { cwd: place } : {};
  const verb = words.slice(at + 1).find((word) => known.verbs.includes(` ${word} `));
  const lines = verb === undefined ? given(known.name, members) : [named(known.name, verb, members)];
  return lines.map((command) => ({ command: unasked(known.name, command), ...cwd }));
}

/** A server has nobody whom the program could ask. */
function unasked(program: string, line: string): string {
  if (/^(?:terraform|tofu)\s+(?:-\S+\s+)*(?:apply|destroy)\b/.test(line)) return `${line} -auto-approve`;
  return program === "pulumi" && /^pulumi\s+(?:up|destroy)\b/.test(line) ? `${line} --yes` : line;
}

/** `delete_repo`, `deleteRepo` and `DELETE-repo` as their words in lower case. */
export function wordsOf(name: string): string[] {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase().split(/[^a-z0-9]+/).filter((word) =>
    word !== ""
  );
}

/** The members of an input by their names in lower case, and of what wraps it. */
function membersOf(input: unknown): Members | undefined {
  let value = input;
  if (typeof value === "string" && /^\s*\{/.test(value) && value.length < 256 * 1024) {
    try {
      value = JSON.parse(value);
    } catch {
      return undefined;
    }
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value).slice(0, 200);
  const [only] = entries;
  if (entries.length === 1 && only !== undefined && /^(?:params|input|request|arguments)$/i.test(only[0])) {
    if (typeof only[1] === "object" && only[1] !== null && !Array.isArray(only[1])) {
      return new Map(Object.entries(only[1]).slice(0, 200).map(([name, one]) => [name.toLowerCase(), one]));
    }
  }
  return new Map(entries.map(([name, one]) => [name.toLowerCase(), one]));
}

function first(members: Members, names: readonly string[]): unknown {
  for (const name of names) {
    const value = members.get(name);
    if (value !== undefined && value !== null && value !== "") return value;
  }
  return undefined;
}

/** Words of a list, a text, or options by their names. */
function listed(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) {
    return value.slice(0, 2000).flatMap((one) =>
      typeof one === "string" || typeof one === "number" ? [quoteWord(String(one))] : []
    );
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).slice(0, 200).flatMap(([name, one]) => {
    if (one === false || one === null) return [];
    const option = `${name.startsWith("-") ? "" : "--"}${kebab(name)}`;
    if (one === true || one === "") return [quoteWord(option)];
    const words = listed(Array.isArray(one) ? one : [typeof one === "object" ? JSON.stringify(one) : one]);
    return [quoteWord(option), ...words];
  });
}

function kebab(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2").replaceAll("_", "-").toLowerCase();
}

/** Lines from an input that holds them, without the program or with it. */
function given(program: string, members: Members): readonly string[] {
  const main = first(members, keys.line);
  const under = first(members, keys.under);
  const rest = keys.list.flatMap((name) => listed(members.get(name)));
  if (Array.isArray(main) && main.some((one) => typeof one === "string" && /\s/.test(one))) {
    return main.slice(0, 200).flatMap((one) => typeof one === "string" ? [prefixed(program, one)] : []);
  }
  const words = [
    ...(typeof main === "string" ? [main] : listed(main)),
    ...listed(under),
    ...(program === "kubectl" ? objectOf(members) : []),
    ...rest,
  ];
  if (main === undefined && under === undefined && rest.length === 0) return [];
  const line = words.join(" ");
  // Arguments alone are those of the program.
  return [
    typeof main === "string"
      ? prefixed(program, line)
      : line.startsWith(`${program} `)
      ? line
      : `${program} ${line}`,
  ];
}

/** A line that names a program of its own is one already. */
function prefixed(program: string, line: string): string {
  const [start = ""] = line.trim().split(/\s+/, 1);
  const isOther = categories.some((category) => category.programs.includes(` ${start} `));
  return start === program || isOther ? line : `${program} ${line}`;
}

function objectOf(members: Members): readonly string[] {
  const space = first(members, keys.space);
  return [
    ...[first(members, keys.kind), first(members, keys.name)].flatMap((one) =>
      typeof one === "string" ? [quoteWord(one)] : []
    ),
    ...(typeof space === "string" ? ["-n", quoteWord(space)] : []),
  ];
}

/** The line of a tool that is named after a subcommand. */
function named(program: string, verb: string, members: Members): string {
  const words: string[] = [program, verb];
  const mode = first(members, keys.mode);
  const modes = listed(mode).map((one) => one.toLowerCase());
  const [way] = modes;
  if (verb === "reset" && /^(?:hard|soft|mixed|merge|keep)$/.test(way ?? "")) words.push(`--${way}`);
  else if ((verb === "branch" || verb === "tag") && /^(?:delete|remove)$/.test(way ?? "")) {
    words.push(members.get("force") === true ? "-D" : "-d");
  } else if ((verb === "stash" || verb === "worktree") && /^[a-z]{2,12}$/.test(way ?? "")) words.push(way!);
  for (const [name, value] of members) {
    if (value === true && Object.hasOwn(switches, name)) words.push(switches[name]!);
  }
  if (program === "kubectl" || program === "helm") words.push(...objectOf(members));
  else {
    for (const name of [...keys.operand, ...keys.name]) {
      const value = members.get(name);
      if (typeof value === "string" && value !== "" && verb !== "commit") words.push(quoteWord(value));
    }
  }
  words.push(...keys.list.flatMap((name) => listed(members.get(name))));
  const files = keys.files.flatMap((name) => listed(members.get(name)));
  if (files.length > 0 && /^(?:checkout|restore|rm)$/.test(verb)) words.push("--", ...files);
  return words.join(" ");
}

/** A request to AWS by its service and operation (`use_aws`), as a line of its command line client. */
function awsRequest(
  words: readonly string[],
  action: ActionOf<"mcp"> | ActionOf<"unknown">,
  members: Members,
): string | undefined {
  const isAws = words.includes("aws") || (action.kind === "mcp" && wordsOf(action.server).includes("aws"));
  const service = first(members, ["service_name", "servicename", "service"]);
  const operation = first(members, ["operation_name", "operationname", "operation"]);
  if (!isAws || typeof service !== "string" || typeof operation !== "string") return undefined;
  const program = service.toLowerCase() === "s3" ? "s3api" : service.toLowerCase();
  return ["aws", quoteWord(program), quoteWord(kebab(operation)), ...listed(members.get("parameters"))].join(
    " ",
  );
}
