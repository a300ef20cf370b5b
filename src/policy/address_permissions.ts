/** What a policy says about the hosts that an action would reach. Loaded only when it says something. */

import { parseArguments } from "../../rules/options.ts";
import { addressesIn, addressesOfWord, addressOf, addressOfText } from "../../rules/network/addresses.ts";
import { lookupPrograms, rawHost, requestOf } from "../../rules/network/clients.ts";
import { remotesOf } from "../../rules/network/git_remotes.ts";
import { codeOf, isShell } from "../../rules/network/interpreters.ts";
import { shorten } from "../../rules/evidence.ts";
import { isLate } from "../bounds.ts";
import type { Invocation, Span, Understanding, Word } from "../shell/model.ts";
import type { Action, AddressRules, Context, Finding } from "../types.ts";
import { dropStart, literalStart } from "../words.ts";
import { policyAdvice, policySeverity, trust } from "./said.ts";
import { isAllowed, isDenied, isPrivate, isThisMachine } from "../../rules/network/address_entries.ts";

/** A host that would be reached; undefined when it is not known before. */
interface Reached {
  readonly host: string | undefined;
  readonly text: string;
  readonly span?: Span;
}

/** Most values of a tool's input that are looked at. */
const mostValues = 20_000;

/** Findings about the hosts that an action would reach. */
export function addressesSay(
  action: Action,
  understanding: Understanding | undefined,
  at: number,
  context: Context,
): readonly Finding[] {
  const { addresses } = context.policy;
  const findings: Finding[] = [];
  const told = new Set<string>();
  for (const reached of reachedBy(action, understanding)) {
    if (isLate(context)) break;
    const said = saidOf(reached.host, addresses);
    const key = `${said?.decision} ${reached.host} ${reached.span?.start}`;
    if (said === undefined || told.has(key)) continue;
    told.add(key);
    findings.push({
      rule: `policy/${said.decision}-address`,
      decision: said.decision,
      severity: policySeverity[said.decision],
      message: said.message,
      advice: policyAdvice.address[said.decision],
      evidence: { text: reached.text, ...(reached.span === undefined ? {} : { span: reached.span }) },
      action: at,
    });
  }
  return findings;
}

/** What the layers say about a host; each holds by itself, and the strictest counts. */
export function saidOf(
  host: string | undefined,
  layers: readonly AddressRules[],
): { readonly decision: "ask" | "deny"; readonly message: string } | undefined {
  const closed = layers.filter(({ deny }) => deny.includes("*"));
  if (host === undefined) {
    return closed.length === 0 ? undefined : {
      decision: "ask",
      message: "The policy allows only hosts that it names, and this one is not known before it runs.",
    };
  }
  if (layers.some(({ deny }) => isDenied(deny, host))) {
    return { decision: "deny", message: `The policy denies the host ${host}.` };
  }
  if (isThisMachine(host)) return undefined;
  const allowed = (layer: AddressRules["layer"]) =>
    layers.some((one) => trust[one.layer] >= trust[layer] && isAllowed(one.allow, host));
  if (closed.some(({ layer }) => !allowed(layer))) {
    return { decision: "deny", message: `The policy allows only hosts that it names, and not ${host}.` };
  }
  if (!isPrivate(host)) return undefined;
  const open = layers.filter((one) => one.private !== "none" && !allowed(one.layer));
  const strictest = open.some((one) => one.private === "deny") ? "deny" : open.length > 0 ? "ask" : undefined;
  return strictest === undefined ? undefined : {
    decision: strictest,
    message: `${host} is in a private network, about which the policy ${
      strictest === "deny" ? "says no" : "asks"
    }.`,
  };
}

function reachedBy(action: Action, understanding: Understanding | undefined): readonly Reached[] {
  switch (action.kind) {
    case "fetch":
      return /^(?:file|data|about|blob):/i.test(action.url) ? [] : [{
        host: addressOfText(action.url)?.host,
        text: shorten(action.url, 120),
      }];
    case "mcp":
    case "unknown":
      return addressesInInput(action.input);
    case "shell":
      return (understanding?.invocations ?? []).flatMap(reachedByProgram);
    default:
      return [];
  }
}

/** Texts of an input that are an address as a whole, whatever their member is called. */
function addressesInInput(input: unknown): readonly Reached[] {
  const found: Reached[] = [];
  let left = mostValues;
  const walk = (value: unknown, depth: number): void => {
    if (left-- <= 0 || depth > 16) return;
    if (typeof value === "string") {
      const text = asBrowsersRead(value.trim());
      if (/^[a-z][a-z0-9+.-]{1,20}:\/\/\S+$/i.test(text) && !/^(?:file|data):/i.test(text)) {
        const host = addressOfText(text)?.host;
        if (host !== undefined && host !== "") found.push({ host, text: shorten(text, 120) });
      } else if (/^\s*[[{]/.test(value)) walk(parsed(value), depth + 1);
    } else if (typeof value === "object" && value !== null) {
      for (const member of Object.values(value)) walk(member, depth + 1);
    }
  };
  walk(input, 0);
  return found;
}

/** Slashes of an address may be missing, too many or turned, and the scheme may be the page's own. */
function asBrowsersRead(text: string): string {
  if (text.length > 8192) return text;
  const [lead, scheme] = /^(https?|wss?|ftp):[\\/]*(?=[^\\/\s])/i.exec(text) ?? [];
  if (lead !== undefined) return `${scheme}://${text.slice(lead.length)}`;
  return /^(?:\/\/|\\\\)[\w[][^\s\\/]*\.[^\s\\/]+(?:[\\/]|$)/.test(text) ? `https://${text.slice(2)}` : text;
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Programs that take the text of an address for data, and reach nothing. */
const local: ReadonlySet<string> = new Set(
  ("echo printf grep egrep fgrep rg ag ack sed awk gawk mawk cat head tail tee test [ [[ : true false export local declare set unset " +
    "jq yq tr cut sort uniq wc diff comm find fd ls touch mkdir cp mv rm ln code vim vi nano emacs gh-md read case alias date " +
    "git gh glab basename dirname sha256sum md5sum base64 xxd od iconv column paste nl tac rev fold fmt write-output write-host " +
    "select-string set-content add-content").split(" "),
);

const remoteOptions: readonly string[] = [
  ..."bcDEeFIiJLlmOopQRSWwP".split("").map((letter) => `-${letter}`),
];

function reachedByProgram(invocation: Invocation): readonly Reached[] {
  const { program, args, assignments, redirections, stdin } = invocation;
  const text = shorten([invocation.word, ...args].map((word) => word.text).join(" "), 120);
  const found: Reached[] = [];
  const add = (host: string | undefined) => found.push({ host, text, span: invocation.span });
  const addWord = (word: Word) => {
    if (/^(?:file|data):/i.test(word.text)) return;
    const addresses = addressesOfWord(word);
    if (addresses.length === 0) add(undefined);
    for (const { host } of addresses) add(host);
  };
  const addText = (written: string | undefined) => {
    const host = written === undefined ? undefined : addressOfText(written)?.host;
    if (host !== undefined) add(host);
  };
  const request = requestOf(invocation);
  for (const url of request?.urls ?? []) addWord(url);
  for (const detour of request?.detours ?? []) addDetour(detour.text, addText);
  for (const { name, value } of assignments) {
    if (/^(?:https?|all|ftp)_proxy$/i.test(name)) addText(value.text);
  }
  addText(rawHost(invocation));
  for (const { target } of redirections) {
    addText(/^\/dev\/(?:tcp|udp)\/([^/]+)\//.exec(target.text)?.[1]);
  }
  switch (program) {
    case "git":
      for (const remote of gitRemotes(args)) addRemote(remote, addText);
      for (const { text } of parseArguments(args, { values: gitValues, stopAtOperand: true }).values("-c")) {
        const to = /^url\.(.+)\.(?:push)?insteadof=/i.exec(text)?.[1] ??
          /^http\.(?:.*\.)?proxy=(.+)$/i.exec(text)?.[1];
        if (to !== undefined) addRemote(to, addText, true);
      }
      break;
    case "ssh":
    case "mosh":
    case "ssh-copy-id":
    case "sftp": {
      const options = parseArguments(args, { values: remoteOptions, stopAtOperand: true });
      const [destination] = options.operands;
      if (destination !== undefined) addRemote(destination.text, addText, true);
      for (const { text } of options.values("-o")) {
        const host = /^\s*(?:hostname|proxyjump)\s*[=\s]\s*"?([^\s"]+)/i.exec(text)?.[1];
        for (const one of host?.split(",").slice(0, 16) ?? []) addRemote(one, addText, true);
      }
      for (const jump of options.values("-J")) {
        for (const one of jump.text.split(",").slice(0, 16)) addRemote(one, addText, true);
      }
      break;
    }
    case "ssh-keyscan":
    case "ftp":
    case "lftp":
    case "lynx":
    case "w3m":
    case "links":
      for (const word of args) if (!word.text.startsWith("-") && /[.:]/.test(word.text)) addText(word.text);
      break;
    case "scp":
    case "rsync":
      for (const word of args) {
        if (!word.text.startsWith("-")) addRemote(word.text, addText);
      }
      break;
    case "docker":
    case "podman":
    case "nerdctl":
    case "crane":
    case "skopeo":
      for (const host of registries(args)) add(host);
      break;
    case "psql":
    case "pg_dump":
    case "pg_restore":
    case "mysql":
    case "mysqldump":
    case "mariadb":
    case "mongo":
    case "mongosh":
    case "redis-cli":
      for (const host of parseArguments(args, { values: ["-h", "--host"] }).values("-h", "--host")) {
        if (!host.text.startsWith("/")) addText(host.text);
      }
      for (const { text } of args) addText(/(?:^|\s)host(?:addr)?\s*=\s*'?([^\s'/]+)/.exec(text)?.[1]);
      for (const { name, value } of assignments) if (/^PGHOST(?:ADDR)?$/.test(name)) addText(value.text);
      break;
    default:
      if ((lookupPrograms as readonly string[]).includes(program)) {
        for (const word of args) {
          if (!/^[-+]/.test(word.text)) addText(word.text.replace(/^@/, ""));
        }
      }
  }
  const code = isShell(program) ? undefined : codeOf(invocation);
  for (
    const word of [...(code?.inline ?? []), ...(code?.stdin === true && stdin !== undefined ? [stdin] : [])]
  ) {
    for (const { host } of addressesIn(word.text)) if (host !== undefined) add(host);
  }
  if (request === undefined && !local.has(program)) {
    for (const word of args) {
      const start = /^(?:-{1,2}[\w-]+=)?(?=[a-z][a-z0-9+.-]{1,20}:\/\/)/i.exec(literalStart(word))?.[0];
      if (start === undefined || /^(?:file|data):/i.test(word.text.slice(start.length))) continue;
      const host = addressOf(dropStart(word, start.length))?.host;
      if (host !== undefined) add(host);
    }
  }
  return found;
}

/** `name:port:address`, `name:port:host:port`, `scheme://host:port`. */
function addDetour(text: string, add: (host: string) => void): void {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return add(text);
  const parts = text.slice(0, 512).split(/[:,](?![^[]*\])/);
  for (const part of parts.length > 2 ? parts.slice(2) : parts) {
    if (part !== "" && !/^\d{1,5}$/.test(part)) add(part.replace(/^\/+/, ""));
  }
}

/** `scheme://host/path`, `user@host:path`; with `bare` also `user@host`. */
function addRemote(text: string, add: (host: string) => void, bare = false): void {
  if (text.length > 8192) return;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    if (!/^file:/i.test(text)) add(text);
    return;
  }
  const host = /^(?:[^/@\s]+@)?(\[[0-9a-f:.]+\]|[^/:@\s[]{2,}):/i.exec(text)?.[1] ??
    (bare ? /^(?:[^/@\s]+@)?([^/:@\s]+)$/.exec(text)?.[1] : undefined);
  if (host !== undefined) add(host);
}

const gitValues = ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env"];

function gitRemotes(args: readonly Word[]): readonly string[] {
  const [verb, ...rest] = parseArguments(args, { values: gitValues, stopAtOperand: true }).operands;
  return verb === undefined ? [] : remotesOf(verb.text, rest);
}

const imageVerbs: ReadonlySet<string> = new Set([
  "pull",
  "push",
  "run",
  "create",
  "copy",
  "inspect",
  "manifest",
  "export",
]);

/** The registries of the images that are fetched or sent; a name without one is on Docker Hub. */
function registries(args: readonly Word[]): readonly string[] {
  const words = args.map((word) => word.text).filter((text) => !text.startsWith("-"));
  const verb = words[0] === "image" ? words[1] : words[0];
  const rest = words.slice(words[0] === "image" ? 2 : 1);
  if (verb === "login" || verb === "logout") {
    const host = rest.at(-1);
    return host !== undefined && /[.:]/.test(host) ? [addressOfText(host)?.host ?? host] : ["docker.io"];
  }
  if (verb === undefined || !imageVerbs.has(verb)) return [];
  const fetches = verb === "pull" || verb === "push";
  return rest.slice(0, 64).flatMap((image) => {
    const first = /^(?:docker:\/\/)?([^/\s]+)\/\S/.exec(image)?.[1];
    if (first !== undefined && (/^[^.:]+(?:\.[^.:]+)+(?::\d+)?$/.test(first) || first === "localhost")) {
      const host = addressOfText(first)?.host;
      return host === undefined ? [] : [host];
    }
    return fetches && /^[a-z0-9]/.test(image) ? ["docker.io"] : [];
  });
}
