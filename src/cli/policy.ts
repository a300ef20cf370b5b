/** `guard policy`. */

import type { Command } from "commander";
import { dirname } from "node:path";
import { GuardError } from "../errors.ts";
import { homeDirectory, locations, projectPolicy } from "../locations.ts";
import { type Layer, type LoadedPolicy, problemText, readPolicy } from "../policy/load.ts";
import type { PersonalKind, ToolPermission } from "../types.ts";
import { visible } from "../visible.ts";
import { exitCodes } from "./exit_codes.ts";
import { line, paint, table } from "./terminal.ts";

interface PolicyOptions {
  readonly json?: boolean;
  readonly cwd?: string;
  readonly policy?: string;
}

/** The policy that holds in a directory, with unknown rule ids reported as problems. */
async function policyAt(options: PolicyOptions): Promise<LoadedPolicy> {
  const places = locations();
  const { workspaceIn } = await import("./workspace.ts");
  const workspace = workspaceIn(options.cwd);
  return await readPolicy({
    managed: places.managed,
    user: options.policy ?? places.policy,
    project: projectPolicy(workspace),
    home: homeDirectory(),
  });
}

/** Ids in a policy that no rule has: they do nothing, which is not what their author meant. */
async function unknownIds(loaded: LoadedPolicy): Promise<string[]> {
  const { catalogue } = await import("./all_rules.ts");
  const { nearest } = await import("../suggest.ts");
  const ids = (await catalogue(loaded.policy.ownRules)).map((rule) => rule.id);
  const patterns = [...ids, ...new Set(ids.map((id) => `${id.slice(0, id.indexOf("/"))}/*`))];
  const used = [...Object.keys(loaded.policy.rules), ...loaded.policy.exceptions.map((e) => e.rule)];
  return [...new Set(used)].filter((id) => !patterns.includes(id)).map((id) => {
    const near = nearest(id, patterns);
    return `no rule has the id "${id}"${near === undefined ? "" : `; did you mean "${near}"?`}`;
  });
}

/** What is wrong with the ownership of an administrator's file: it binds only while users cannot write it. */
export function ownershipWarning(
  path: string,
  status: { readonly uid: number | null; readonly mode: number | null },
): string | undefined {
  if (status.uid === null || status.mode === null) return undefined;
  if (status.uid === 0 && (status.mode & 0o022) === 0) return undefined;
  return `expected ${path} to belong to root and to be writable for root alone, found owner ${status.uid} and mode ` +
    (status.mode & 0o777).toString(8).padStart(3, "0");
}

function managedWarnings(loaded: LoadedPolicy): string[] {
  const managed = loaded.files.find((file) => file.layer === "managed" && file.present);
  if (managed === undefined || Deno.build.os === "windows") return [];
  try {
    const warning = ownershipWarning(managed.path, Deno.statSync(managed.path));
    return warning === undefined ? [] : [warning];
  } catch {
    return [];
  }
}

/** What an entry about a tool says besides its name. */
function toolText({ decision, hosts, arguments: conditions, reason }: ToolPermission): string {
  return [
    decision,
    hosts && `on ${hosts.join(", ")}`,
    conditions && `when ${JSON.stringify(conditions)}`,
    reason && `(${reason})`,
  ].filter(Boolean).join(" ");
}

/** Hosts in entries about tools that guard does not know: such an entry holds nowhere. */
async function unknownHosts({ policy }: LoadedPolicy): Promise<string[]> {
  const { adapterIds } = await import("../../adapters/registry.ts");
  const { nearest } = await import("../suggest.ts");
  const named = [
    ...policy.tools.flatMap(({ hosts = [] }) => hosts),
    ...policy.toolDefaults.flatMap(({ hosts }) => Object.keys(hosts)),
  ];
  return [...new Set(named)].filter((host) => host !== "*" && !adapterIds.includes(host)).map((host) => {
    const near = nearest(host, [...adapterIds]);
    return `no host has the id "${host}"${near === undefined ? "" : `; did you mean "${near}"?`}`;
  });
}

async function show(options: PolicyOptions): Promise<void> {
  const loaded = await policyAt(options);
  const warnings = [...managedWarnings(loaded), ...await unknownIds(loaded), ...await unknownHosts(loaded)];
  const { policy, origins } = loaded;
  const broken = loaded.problems.some((problem) => problem.broken);
  if (options.json) {
    line(JSON.stringify({
      files: loaded.files,
      // How many there are; what they are is nobody's business.
      policy: {
        ...policy,
        canaries: policy.canaries.length,
        ownRules: policy.ownRules.map(({ id, decision }) => ({ id, decision })),
      },
      origins,
      problems: loaded.problems,
      warnings,
    }));
  } else {
    line(paint("bold", "Files"));
    line(table(loaded.files.map((f) => [`  ${f.layer}`, f.path, f.present ? "" : "(none)"])));
    line();
    line(paint("bold", "In effect"));
    /** The layer that a value comes from, with the profile when the file does not write it itself. */
    const from = (key: string, layer: Layer | undefined) => {
      const named = origins.profiles.find((one) => one.layer === layer && one.sets.includes(key));
      return named === undefined ? layer ?? "" : `${layer}, profile ${named.profile}`;
    };
    const plain = ["mode", "level", "onError", "whenAskUnsupported", "prompts"] as const;
    const rows: string[][] = [
      ...(origins.profiles.length === 0
        ? [["  profile", "standard", "built-in"]]
        : origins.profiles.map(({ profile, layer }) => ["  profile", profile, layer])),
      ...plain.map((key) => [`  ${key}`, policy[key], from(key, origins[key])]),
      ["  inlineAllow", String(policy.inlineAllow), origins.inlineAllow],
      ...Object.entries(policy.personalData).map((
        [kind, use],
      ) => [
        `  personalData ${kind}`,
        use,
        from(`personalData ${kind}`, origins.personalData[kind as PersonalKind]),
      ]),
      ...(policy.canaries.length === 0 ? [] : [[
        "  canaries",
        `${policy.canaries.length}, not shown`,
        [...new Set(origins.canaries)].join(", "),
      ]]),
      ...Object.entries(policy.rules).map((
        [id, d],
      ) => [`  rules ${id}`, d, from(`rules ${id}`, origins.rules[id])]),
      ...policy.exceptions.map((e, i) => [
        `  exception ${e.rule}`,
        visible(
          [e.match, e.under && `under ${e.under}`, e.expires && `until ${e.expires}`, `(${e.reason})`].filter(
            Boolean,
          )
            .join(" "),
          100,
        ),
        origins.exceptions[i] ?? "",
      ]),
      ...policy.protectedPaths.map((
        p,
        i,
      ) => ["  protectedPath", visible(p, 100), origins.protectedPaths[i] ?? ""]),
      ...policy.allowedCommands.map((
        c,
        i,
      ) => ["  allowedCommand", visible(c, 100), origins.allowedCommands[i] ?? ""]),
      ...policy.ownRules.map((r, i) => [`  own rule ${r.id}`, r.decision, origins.ownRules[i] ?? ""]),
      ...policy.tools.map((t, i) => [
        `  tool ${visible(t.tool, 60)}`,
        visible(toolText(t), 100),
        origins.tools[i] ?? "",
      ]),
      ...policy.toolDefaults.flatMap(({ hosts, layer }) =>
        Object.entries(hosts).map(([host, d]) => [`  toolDefaults ${host}`, d, layer])
      ),
      ...policy.addresses.flatMap((one) => [
        ["  addresses private", one.private, from("addresses private", one.layer)],
        ...(["deny", "allow"] as const).flatMap((key) =>
          one[key].map((entry) => [`  addresses ${key}`, visible(entry, 100), one.layer])
        ),
      ]),
      ...policy.paths.map((one, i) => [
        `  paths ${one.decision}`,
        visible(
          [one.operations?.join(", "), one.paths.join(" "), one.reason && `(${one.reason})`].filter(Boolean)
            .join(" "),
          100,
        ),
        origins.paths[i] ?? "",
      ]),
    ];
    line(table(rows.map(([a = "", b = "", c = ""]) => [a, b, `(${c})`])));
    if (loaded.problems.length + warnings.length > 0) {
      line();
      line(paint("bold", "Problems"));
      for (const problem of loaded.problems) {
        line(
          `  ${problem.broken ? paint("red", "broken") : paint("yellow", "ignored")}  ${
            problemText(problem)
          }`,
        );
      }
      for (const text of warnings) line(`  ${paint("yellow", "warning")}  ${text}`);
    }
    const user = loaded.files.find((file) => file.layer === "user");
    if (user !== undefined && !user.present) {
      line();
      line("Run: guard policy init    (writes a commented policy to start from)");
    }
  }
  if (broken) Deno.exitCode = exitCodes.failed;
}

/** A policy that says nothing yet, with every key explained. */
export const starter = `// Policy of guard. Check it with: guard policy
// Everything is optional; what is commented out shows the default or an example.
{
  // Starting values for all the keys below: "minimal", "standard" or "strict". See: guard rules --profile minimal
  // "profile": "standard",

  // Whether guard blocks ("enforce") or only writes its decisions to the log ("observe").
  // "mode": "enforce",

  // How strict the built-in rules are: "standard", "strict" or "paranoid". See: guard rules --level strict
  // "level": "standard",

  // What a host is told when guard itself fails: "deny", "ask" or "none".
  // "onError": "deny",

  // What a host that cannot ask is told instead of "ask": "deny" or "none".
  // "whenAskUnsupported": "deny",

  // What becomes of a prompt with a secret or a hidden text: nothing ("off"), a note ("warn"), or a block ("deny").
  // "prompts": "warn",

  // Whether a comment such as "guard:allow content/secret-in-file" excepts the secret on its line. Agents can write one.
  // "inlineAllow": false,

  // What becomes of personal data, for all kinds or some: not looked for ("off"), a note ("warn"), taken out of results
  // where the host can ("redact"), or denied where it would leave ("deny").
  // "personalData": { "email": "warn", "phone": "warn", "card": "deny", "iban": "deny", "nationalId": "redact" },

  // Texts that you have put where nobody needs them: what would carry one away is denied. They are shown nowhere.
  // "canaries": ["a text of at least 8 characters"],

  // Rules by id or category: "off", "deny-only" (no questions), "ask" or "deny". List them with: guard rules
  // "rules": { "git/*": "ask" },

  // Findings that do not count, with the reason and preferably an end.
  // "exceptions": [
  //   { "rule": "filesystem/delete-outside", "match": "rm -r /data/scratch/*",
  //     "reason": "scratch space of this machine", "expires": "2027-01-31" }
  // ],

  // Paths that agents must not change.
  // "protectedPaths": ["~/notes/**", "**/migrations/*.sql"],

  // Commands that are allowed without the host's own question when guard finds nothing.
  // "allowedCommands": ["git status", "npm test"],

  // Your own rules.
  // "ownRules": [
  //   { "id": "team/no-production", "title": "Deploys to production", "decision": "deny",
  //     "advice": "Deploy to staging.",
  //     "match": { "program": "deploy", "operand": "prod*" } }
  // ],

  // Tools: "deny" wins over "ask", "ask" over "allow". MCP tools are server/tool, the hosts' own have the host's
  // name for them, or @shell, @read, @write, @edit, @delete and @fetch on every host.
  // "tools": [
  //   { "tool": "github/delete_*", "decision": "deny", "reason": "repositories are removed by hand" },
  //   { "tool": "postgres/query", "decision": "allow" }
  // ],

  // What happens to tools that no entry allows, by host, or "*" for all: "none", "ask" or "deny".
  // The host's own tools count, too.
  // "toolDefaults": { "*": "ask" },

  // Where requests may go: host names, "*.suffix", IP addresses and ranges. "*" in deny is every host that is not
  // allowed; private says what happens to addresses of private networks: "none", "ask" or "deny".
  // "addresses": { "deny": ["*.pastebin.com"], "allow": ["wiki.internal"], "private": "ask" },

  // Paths by what is done to them ("read", "write", "delete", "list", "execute"); "deny" wins over "ask".
  // "paths": [
  //   { "paths": ["customers/**"], "operations": ["read"], "decision": "deny", "reason": "personal data" }
  // ]
}
`;

function init(options: PolicyOptions): void {
  const path = options.policy ?? locations().policy;
  Deno.mkdirSync(dirname(path), { recursive: true });
  try {
    Deno.writeTextFileSync(path, starter, { createNew: true, mode: 0o644 });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    throw new GuardError(
      `expected no policy at ${path}, found one; it is left as it is`,
      "guard policy",
    );
  }
  line(path);
}

export function register(program: Command): void {
  const policy = program
    .command("policy")
    .description("show the effective policy, where each value comes from, and its problems")
    .option("--json", "as JSON")
    .option("--cwd <directory>", "directory whose project policy counts")
    .option("--policy <file>", "the user's policy, when it is not in its usual place")
    .addHelpText(
      "after",
      `
Exit codes: 0 every file is valid; 1 a file is broken and does not count; 64 wrong usage.

Examples:
  $ guard policy
  $ guard policy --json
  $ guard policy init
  $ $EDITOR "$(guard policy path)"`,
    )
    .action((options: PolicyOptions) => show(options));
  policy
    .command("init")
    .description("write a commented policy to start from; never overwrites one")
    .action((_options: unknown, command: Command) => init(command.optsWithGlobals()));
  policy
    .command("path")
    .description("print the path of the user's policy")
    .action((_options: unknown, command: Command) => {
      line(command.optsWithGlobals<PolicyOptions>().policy ?? locations().policy);
    });
}
