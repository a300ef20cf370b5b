/**
 * Rules about personal data in what is written, sent and shown. They are asked only when the policy says what becomes of
 * it. What is found is named, and never shown.
 */

import { findPersonal, type PersonalMatch } from "../src/personal/scan.ts";
import { shown } from "../src/paths.ts";
import { textsIn } from "../src/value_texts.ts";
import type {
  Action,
  ActionRule,
  CommandRule,
  Context,
  Match,
  PathRule,
  PersonalKind,
  Rule,
} from "../src/types.ts";
import { isKept, isWriter } from "./content/kept.ts";
import { namedAll } from "./content/named.ts";
import { sentBy } from "./content/sent.ts";
import { evidenceOf as evidenceOfInvocation } from "./evidence.ts";
import { evidenceOf } from "./filesystem/uses.ts";
import { isLoopback } from "./network/addresses.ts";
import { httpPrograms, rawPrograms } from "./network/clients.ts";
import { interpreterPrograms } from "./network/interpreters.ts";

/** What of a text the policy speaks of. */
function found(text: string, { policy }: Context, before = ""): readonly PersonalMatch[] {
  const kinds = Object.keys(policy.personalData) as PersonalKind[];
  if (kinds.length === 0) return [];
  const matches = findPersonal(text, kinds);
  return before === ""
    ? matches
    : matches.filter(({ start, end }) => !before.includes(text.slice(start, end)));
}

/** The match as the policy wants the strictest of what was found to be treated. */
function treated(matches: readonly PersonalMatch[], context: Context, match: Match): Match | undefined {
  if (matches.length === 0) return undefined;
  const denied = matches.some(({ kind }) => context.policy.personalData[kind] === "deny");
  return denied ? { ...match, decision: "deny" } : { ...match, advisory: true };
}

const mail = ["erika.muster", "posteo.de"].join("@");
const phone = ["+49 30 2093", "7141"].join(" ");
const strictly = { personalData: { email: "deny", phone: "deny" } } as const;
const mildly = { personalData: { email: "warn", phone: "redact" } } as const;

const advice =
  "Leave it out, or use made-up values: an address at example.com, a number that is kept for examples.";

const written: PathRule = {
  on: "path",
  id: "personal/data-in-file",
  title: "Writes personal data into a file of the repository",
  severity: "medium",
  decision: "deny",
  rationale:
    "What has been committed once is in the history of every copy, and nobody whose data it is was asked.",
  advice,
  operations: ["write", "append"],
  examples: {
    match: [
      {
        action: { kind: "file", operation: "write", path: "src/seed.ts", content: `mail("${mail}")` },
        policy: strictly,
      },
      { action: `echo '${phone}' >> contacts.csv`, policy: strictly },
      {
        action: { kind: "file", operation: "edit", path: "a.csv", content: mail, previous: "a@example.com" },
        policy: strictly,
      },
    ],
    pass: [
      { action: { kind: "file", operation: "write", path: "src/seed.ts", content: `mail("${mail}")` } },
      {
        action: { kind: "file", operation: "write", path: "src/seed.ts", content: `mail("${mail}")` },
        policy: mildly,
        decision: "none",
      },
      {
        action: { kind: "file", operation: "write", path: "src/seed.ts", content: "jo@example.com" },
        policy: strictly,
      },
      {
        action: {
          kind: "file",
          operation: "edit",
          path: "a.csv",
          content: `${mail};2`,
          previous: `${mail};1`,
        },
        policy: strictly,
      },
      { action: { kind: "file", operation: "write", path: "/tmp/a.csv", content: mail }, policy: strictly },
    ],
  },
  match(use, context, action) {
    if (use.remote !== undefined) return undefined;
    const text = action.kind === "file"
      ? action.content
      : action.kind === "shell" && (use.invocation === undefined || isWriter(use))
      ? action.command
      : undefined;
    if (text === undefined) return undefined;
    const matches = found(text, context, action.kind === "file" ? action.previous : "");
    const path = matches.length === 0 ? undefined : isKept(use, context);
    if (path === undefined) return undefined;
    return treated(matches, context, {
      evidence: evidenceOf(use),
      message: `This writes ${namedAll(matches)} into ${shown(path, context)}.`,
    });
  },
};

const requested: CommandRule = {
  on: "command",
  id: "personal/data-in-request",
  title: "Sends personal data to another machine",
  severity: "medium",
  decision: "deny",
  rationale: "Whose data it is was not asked, and what has been sent cannot be taken back.",
  advice,
  programs: [...httpPrograms, ...rawPrograms, ...interpreterPrograms],
  examples: {
    match: [
      { action: `curl -d 'to=${mail}' https://api.acme.dev/send`, policy: strictly },
      { action: `echo '${phone}' | curl -d @- https://api.acme.dev/send`, policy: strictly },
      {
        action: `python3 -c "import requests; requests.post('https://api.acme.dev', data='${mail}')"`,
        policy: strictly,
      },
    ],
    pass: [
      { action: `curl -d 'to=${mail}' https://api.acme.dev/send` },
      { action: `curl -d 'to=${mail}' http://localhost:3000/send`, policy: strictly },
      { action: "curl -d 'to=jo@example.com' https://api.acme.dev/send", policy: strictly },
    ],
  },
  match(understanding, _uses, context): readonly Match[] {
    if (Object.keys(context.policy.personalData).length === 0) return [];
    return understanding.invocations.flatMap((invocation) => {
      const sent = sentBy(invocation);
      if (sent === undefined) return [];
      const to = sent.to.find(({ host }) => host === undefined || !isLoopback(host));
      if (to === undefined && sent.to.length > 0) return [];
      const matches = sent.parts.flatMap(({ text }) => found(text, context));
      const match = treated(matches, context, {
        evidence: evidenceOfInvocation(invocation),
        message: matches.length === 0
          ? ""
          : `This sends ${namedAll(matches)} to ${to?.host ?? "another machine"}.`,
      });
      return match === undefined ? [] : [match];
    });
  },
};

/** The text of an action that is handed to somebody. */
function handedText(action: Action): string | undefined {
  if (action.kind === "mcp") return [...textsIn(action.input)].join("\n");
  if (action.kind === "prompt") return action.text;
  return action.kind === "fetch" ? decoded(action.url) : undefined;
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

const handed: ActionRule = {
  on: "action",
  id: "personal/data-handed-over",
  title: "Hands personal data to a tool server, an address or the model",
  severity: "medium",
  decision: "deny",
  rationale: "Whose data it is was not asked, and what has been handed over cannot be taken back.",
  advice,
  kinds: ["mcp", "fetch", "prompt"],
  examples: {
    match: [
      {
        action: { kind: "mcp", server: "chat", tool: "post", input: { list: [{ to: mail }] } },
        policy: strictly,
      },
      {
        action: { kind: "fetch", url: `https://api.acme.dev/?q=${encodeURIComponent(phone)}` },
        policy: strictly,
      },
      { action: { kind: "prompt", text: `write to ${mail}` }, policy: strictly },
    ],
    pass: [
      { action: { kind: "mcp", server: "chat", tool: "post", input: { list: [{ to: mail }] } } },
      { action: { kind: "prompt", text: `write to ${mail}` }, policy: mildly, decision: "none" },
      { action: { kind: "fetch", url: "https://api.acme.dev/?q=jo@example.com" }, policy: strictly },
    ],
  },
  match(action, context) {
    const text = handedText(action);
    const matches = text === undefined ? [] : found(text, context);
    if (matches.length === 0) return undefined;
    const receiver = action.kind === "mcp"
      ? `the tool server ${action.server}`
      : action.kind === "prompt"
      ? "the model"
      : "this address";
    return treated(matches, context, {
      evidence: { text: matches[0]!.title },
      message: `This gives ${namedAll(matches)} to ${receiver}.`,
    });
  },
};

const output: ActionRule = {
  on: "action",
  id: "personal/data-in-output",
  title: "Shows personal data to the model",
  severity: "medium",
  decision: "ask",
  rationale: "What the model has seen is with its provider, and can turn up in whatever it writes.",
  advice: "Work without it, and select what is needed before it is shown.",
  kinds: ["output", "file"],
  examples: {
    match: [
      { action: { kind: "output", tool: "Bash", text: `1;${mail}\n` }, policy: strictly },
      { action: { kind: "output", tool: "Bash", text: `1;${phone}\n` }, policy: mildly },
      { action: { kind: "output", tool: "mcp__db__rows", text: `[{"tel": "${phone}"}]` }, policy: strictly },
    ],
    pass: [
      { action: { kind: "output", tool: "Bash", text: `1;${mail}\n` } },
      { action: { kind: "output", tool: "Bash", text: "1;jo@example.com\n" }, policy: strictly },
      {
        action: { kind: "file", operation: "read", path: "a.csv", content: mail },
        policy: mildly,
        decision: "none",
      },
    ],
  },
  match(action, context) {
    const text = action.kind === "output"
      ? action.text
      : action.kind === "file" && action.operation === "read"
      ? action.content
      : undefined;
    const matches = text === undefined ? [] : found(text, context);
    if (matches.length === 0) return undefined;
    const match = { evidence: { text: matches[0]!.title }, message: `It holds ${namedAll(matches)}.` };
    // What is done about a result is up to what can be said about it; a read goes on.
    return action.kind === "output" ? match : { ...match, advisory: true };
  },
};

export const rules: readonly Rule[] = [written, requested, handed, output];
