/**
 * The form of a policy file. This one schema validates on the hook path, explains itself in `guard policy`,
 * and is the source of docs/policy.schema.json. Loaded only when a policy file exists.
 */

import * as z from "zod/mini";
import { parseEntry } from "../../rules/network/address_entries.ts";

/** Bounds keep judging linear in a policy that a project, and so an agent, can write. */
const LIST_LIMIT = 500;
const TEXT_LIMIT = 2000;
/** Characters of globs on tools and their arguments. */
const ARGUMENT_LIMIT = 200;

const RULE_ID = /^[a-z0-9][a-z0-9-]{0,63}\/[a-z0-9][a-z0-9-]{0,63}$/;
const RULE_PATTERN = /^[a-z0-9][a-z0-9-]{0,63}\/(?:\*|[a-z0-9][a-z0-9-]{0,63})$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

const text = (description: string) =>
  z.string().check(z.minLength(1), z.maxLength(TEXT_LIMIT), z.describe(description));
const texts = (description: string) =>
  z.array(z.string().check(z.minLength(1), z.maxLength(TEXT_LIMIT))).check(
    z.maxLength(LIST_LIMIT),
    z.describe(description),
  );
const oneOrMore = (description: string) =>
  z.union([
    z.string().check(z.minLength(1), z.maxLength(TEXT_LIMIT)),
    z.array(z.string().check(z.minLength(1), z.maxLength(TEXT_LIMIT))).check(
      z.minLength(1),
      z.maxLength(LIST_LIMIT),
    ),
  ]).check(
    z.describe(description),
  );

const rulePattern = z.string().check(
  z.regex(RULE_PATTERN, "a rule id such as git/force-push, or a category such as git/*"),
);

const PERSONAL_USE = z.enum(["off", "warn", "redact", "deny"]);

/** An exception. */
export const exceptionForm = z.strictObject({
  rule: rulePattern.check(z.describe("Rule id or category/* whose findings it removes.")),
  reason: text("Why this is fine; shown in the log and by `guard policy`."),
  match: z.optional(text("Glob on the command text or the path. Without it, every action counts.")),
  under: z.optional(text("Absolute directory (or ~/…) in and below which it holds.")),
  expires: z.optional(
    z.string().check(
      z.regex(INSTANT, "a date such as 2026-12-31, or an instant such as 2026-12-31T18:00Z"),
      z.refine((value: string) => !Number.isNaN(Date.parse(value)), "a date that exists"),
      z.describe("Last day (UTC), or the instant, up to which it counts."),
    ),
  ),
});

const OPERATIONS = ["read", "list", "write", "append", "delete", "mode", "execute", "link"] as const;

/** Conditions of an own rule. */
export const matcherForm = z.strictObject({
  program: z.optional(oneOrMore("Program name, any of several.")),
  subcommand: z.optional(texts("Leading arguments that are no options, in order; alternatives with |.")),
  anyOption: z.optional(texts("At least one of these options is present.")),
  allOptions: z.optional(texts("All of these options are present.")),
  noOption: z.optional(texts("None of these options is present.")),
  operand: z.optional(text("Glob that some operand matches.")),
  path: z.optional(oneOrMore("Glob on a path that is used, any of several.")),
  operation: z.optional(
    z.array(z.enum(OPERATIONS)).check(
      z.minLength(1),
      z.describe("What is done to the path; default: anything."),
    ),
  ),
  tool: z.optional(text("Glob on the tool name; server/tool for MCP.")),
  url: z.optional(text("Host name, or *.suffix, of a URL that is fetched.")),
  text: z.optional(text("Regular expression (RE2) on the action's text.")),
});

/** An own rule. */
export const ownRuleForm = z.strictObject({
  id: z.string().check(
    z.regex(RULE_ID, "an id such as team/no-production"),
    z.describe("Stable id, category/name, of your choice."),
  ),
  title: text("What it stops, in a few words."),
  decision: z.enum(["ask", "deny"]).check(z.describe("What happens when it matches.")),
  severity: z.optional(
    z.enum(["low", "medium", "high", "critical"]).check(z.describe("Default: medium.")),
  ),
  rationale: z.optional(text("Why this is dangerous.")),
  advice: text("What to do instead, addressed to the agent."),
  match: matcherForm.check(
    z.refine((value: object) => Object.keys(value).length > 0, "at least one condition"),
    z.describe("Conditions; all of them have to hold."),
  ),
});

/** A text among the values of a tool's argument is a glob. */
const toolValue = z.union([z.string().check(z.maxLength(ARGUMENT_LIMIT)), z.number(), z.boolean(), z.null()]);
const toolValues = z.union([toolValue, z.array(toolValue).check(z.minLength(1), z.maxLength(50))]);

/** What a policy says about tools. */
export const toolForm = z.strictObject({
  tool: z.string().check(
    z.minLength(1),
    z.maxLength(ARGUMENT_LIMIT),
    z.describe(
      "Glob on the tool: server/tool for MCP (mcp__server__tool and the hosts' other forms count too), the host's own name for its tools, or @shell, @read, @write, @edit, @delete, @fetch.",
    ),
  ),
  hosts: z.optional(texts("Ids of the hosts on which it counts. Default: all.")),
  arguments: z.optional(
    z.record(
      z.string().check(z.minLength(1), z.maxLength(ARGUMENT_LIMIT)),
      z.union([toolValues, z.strictObject({ not: toolValues })]),
    ).check(
      z.describe(
        "Conditions on arguments, by member names joined with dots: a glob, a number, true, false or null, a list of these, or { not: … }.",
      ),
    ),
  ),
  decision: z.enum(["allow", "ask", "deny"]).check(z.describe("deny wins over ask, ask over allow.")),
  reason: z.optional(text("Why; shown to the agent and the person.")),
});

const address = z.string().check(
  z.minLength(1),
  z.maxLength(260),
  z.refine(
    (value: string) => parseEntry(value) !== undefined,
    "a host name, *.suffix, an IP address or a range of them such as 10.0.0.0/8, without scheme, port and path",
  ),
);

/** What a policy says about addresses. */
export const addressesForm = z.strictObject({
  allow: z.optional(
    z.array(address).check(
      z.maxLength(LIST_LIMIT),
      z.describe(
        "Hosts that neither private nor * in deny is about: names, *.suffix, IP addresses, CIDR ranges.",
      ),
    ),
  ),
  deny: z.optional(
    z.array(address).check(
      z.maxLength(LIST_LIMIT),
      z.describe("Hosts that are denied, whatever else allows them; * is every host that is not allowed."),
    ),
  ),
  private: z.optional(
    z.enum(["none", "ask", "deny"]).check(
      z.describe(
        "What happens to addresses of private networks. Default: none. This machine's own stay free.",
      ),
    ),
  ),
});

/** What a policy says about paths. */
export const pathForm = z.strictObject({
  paths: texts("Globs; ~/ is home, relative ones are below the workspace.").check(z.minLength(1)),
  operations: z.optional(
    z.array(z.enum(["read", "write", "delete", "list", "execute"])).check(
      z.minLength(1),
      z.maxLength(5),
      z.describe("What is done to them. Default: anything."),
    ),
  ),
  decision: z.enum(["ask", "deny"]).check(z.describe("deny wins over ask.")),
  reason: z.optional(text("Why; shown to the agent and the person.")),
});

const HOST = /^(?:\*|[a-z][a-z0-9-]{0,40})$/;

/** A policy file. */
export const policySchema = z.strictObject({
  $schema: z.optional(z.string().check(z.describe("Address of this schema, for editors."))),
  profile: z.optional(
    z.enum(["minimal", "standard", "strict"]).check(
      z.describe("Starting values for the other keys, which count before it. Default: standard."),
    ),
  ),
  mode: z.optional(
    z.enum(["enforce", "observe"]).check(
      z.describe("enforce (default) blocks; observe writes decisions to the log and blocks nothing."),
    ),
  ),
  level: z.optional(
    z.enum(["standard", "strict", "paranoid"]).check(
      z.describe(
        "How strict the built-in rules are. Default: standard. `guard rules --level` shows the decisions.",
      ),
    ),
  ),
  onError: z.optional(
    z.enum(["deny", "ask", "none"]).check(
      z.describe("What a host is told when guard itself fails. Default: deny."),
    ),
  ),
  whenAskUnsupported: z.optional(
    z.enum(["deny", "none"]).check(
      z.describe("What a host that cannot ask is told instead of ask. Default: deny."),
    ),
  ),
  prompts: z.optional(
    z.enum(["off", "warn", "deny"]).check(
      z.describe(
        "What becomes of a prompt with a secret or a hidden text: nothing, a note, or a block where the host can. " +
          "Default: warn.",
      ),
    ),
  ),
  inlineAllow: z.optional(
    z.boolean().check(
      z.describe(
        "Whether a comment guard:allow with a rule's id excepts the secret on its line. Default: false. Not from a project.",
      ),
    ),
  ),
  personalData: z.optional(
    z.union([
      PERSONAL_USE,
      z.strictObject({
        email: z.optional(PERSONAL_USE),
        phone: z.optional(PERSONAL_USE),
        card: z.optional(PERSONAL_USE),
        iban: z.optional(PERSONAL_USE),
        nationalId: z.optional(PERSONAL_USE),
      }),
    ]).check(
      z.describe(
        "What becomes of personal data, for all kinds or by kind. Default: off, it is not looked for.",
      ),
    ),
  ),
  canaries: z.optional(
    z.array(z.string().check(z.minLength(8), z.maxLength(200))).check(
      z.maxLength(100),
      z.describe(
        "Texts of 8 or more characters that must never leave: what carries one is denied. Never shown.",
      ),
    ),
  ),
  rules: z.optional(
    z.record(rulePattern, z.enum(["off", "deny-only", "ask", "deny"])).check(
      z.describe(
        "Decision by rule id or category/*; an id counts before its category. deny-only leaves questions out and keeps denials.",
      ),
    ),
  ),
  exceptions: z.optional(
    z.array(exceptionForm).check(z.maxLength(LIST_LIMIT), z.describe("Findings that do not count.")),
  ),
  protectedPaths: z.optional(texts("Globs of paths that agents must not change.")),
  allowedCommands: z.optional(
    texts("Commands (program and leading words, or globs) that are allowed without the host's own question."),
  ),
  ownRules: z.optional(
    z.array(ownRuleForm).check(z.maxLength(LIST_LIMIT), z.describe("Your own rules.")),
  ),
  tools: z.optional(
    z.array(toolForm).check(
      z.maxLength(LIST_LIMIT),
      z.describe("Tools that are allowed, asked about or denied."),
    ),
  ),
  toolDefaults: z.optional(
    z.record(
      z.string().check(z.regex(HOST, "the id of a host, as `guard hosts` lists them, or *")),
      z.enum(["none", "ask", "deny"]),
    ).check(
      z.describe(
        "What happens to tools that no entry of tools allows, by host or * for the others; the host's own tools count too.",
      ),
    ),
  ),
  addresses: z.optional(addressesForm.check(z.describe("Where requests may go."))),
  paths: z.optional(
    z.array(pathForm).check(
      z.maxLength(LIST_LIMIT),
      z.describe("Paths that are asked about or denied, by what is done to them."),
    ),
  ),
});

/** What one policy file says, as validated. */
export type PolicyFile = z.infer<typeof policySchema>;
/** A rule as a policy file writes it. */
export type OwnRuleForm = z.infer<typeof ownRuleForm>;
