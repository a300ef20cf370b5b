/** Text of a policy file to its validated form, with every problem at its line and column. */

import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from "jsonc-parser";
import { nearest } from "../suggest.ts";
import { visible } from "../visible.ts";
import {
  addressesForm,
  exceptionForm,
  matcherForm,
  ownRuleForm,
  pathForm,
  type PolicyFile,
  policySchema,
  toolForm,
} from "./schema.ts";

/** A problem at a place in the text; lines and columns count from 1. */
export interface PlacedProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A policy file, parsed. */
export interface ParsedPolicy {
  /** Absent when there is any problem. */
  readonly file?: PolicyFile;
  readonly problems: readonly PlacedProblem[];
  /** Place of a value in the text, for problems that are found later. */
  place(path: readonly (string | number)[]): { readonly line: number; readonly column: number };
}

/** The part of a zod issue that messages are made of. */
interface Issue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly expected?: string;
  readonly values?: readonly unknown[];
  readonly keys?: readonly string[];
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly origin?: string;
  readonly issues?: readonly Issue[];
  readonly errors?: readonly (readonly Issue[])[];
}

const SYNTAX: Readonly<Record<number, string>> = {
  1: "expected a value, found something that is none",
  2: "expected a number in JSON form",
  3: "expected a property name in double quotes",
  4: "expected a value",
  5: "expected a colon after the property name",
  6: "expected a comma between members",
  7: "expected a closing brace",
  8: "expected a closing bracket",
  9: "expected the end of the file after the policy",
  11: "expected the comment to end with */",
  12: "expected the string to end with a double quote",
  13: "expected the number to go on",
  14: "expected a \\u escape with four hexadecimal digits",
  15: "expected a known escape after the backslash",
  16: "expected no control character in the string; write it as an escape",
};

/** Names that reach into the prototypes of objects when they are copied. */
const FORBIDDEN = new Set(["__proto__", "constructor", "prototype"]);
const DEPTH_LIMIT = 32;
/** Most problems of one kind that are told; finding the place of each costs a walk through the file. */
const SHOWN = 20;

/** Parses and validates a policy file. Never throws. */
export function parsePolicy(source: string): ParsedPolicy {
  const text = source.charCodeAt(0) === 0xFEFF ? source.slice(1) : source;
  const lines = lineStarts(text);
  const at = (offset: number, message: string): PlacedProblem => ({ ...position(lines, offset), message });
  const nowhere = () => ({ line: 1, column: 1 });
  if (nestsDeeperThan(text, DEPTH_LIMIT)) {
    return {
      problems: [at(0, `expected at most ${DEPTH_LIMIT} levels of braces and brackets, found more`)],
      place: nowhere,
    };
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  if (errors.length > 0) {
    const problems = errors.slice(0, SHOWN).map((e) =>
      at(e.offset, SYNTAX[e.error] ?? "expected JSON with comments")
    );
    return { problems, place: nowhere };
  }
  // A file of comments alone says nothing, which is a valid thing to say.
  if (root === undefined) return { file: {}, problems: [], place: nowhere };
  const place = (path: readonly (string | number)[]) => position(lines, offsetOf(root, path));
  const keys = keyProblems(root, at);
  if (keys.length > 0) return { problems: keys, place };
  const value: unknown = getNodeValue(root);
  const result = policySchema.safeParse(value);
  if (result.success) return { file: result.data, problems: [], place };
  const problems = result.error.issues.slice(0, 50).flatMap((issue) => explain(issue as Issue, root, at));
  return { problems, place };
}

/** Repeated and forbidden property names, which a conversion to objects would hide. */
function keyProblems(root: Node, at: (offset: number, message: string) => PlacedProblem): PlacedProblem[] {
  const problems: PlacedProblem[] = [];
  const visit = (node: Node): void => {
    const seen = new Set<string>();
    for (const child of node.children ?? []) {
      if (node.type === "object") {
        const key = child.children?.[0];
        const name = String(key?.value);
        if (FORBIDDEN.has(name)) {
          problems.push(at(child.offset, `expected a policy key, found the reserved name "${name}"`));
        } else if (seen.has(name)) {
          problems.push(at(child.offset, `expected "${shown(name)}" once, found it again`));
        }
        seen.add(name);
        const value = child.children?.[1];
        if (value !== undefined) visit(value);
      } else {
        visit(child);
      }
    }
  };
  visit(root);
  return problems.slice(0, SHOWN);
}

function explain(
  issue: Issue,
  root: Node,
  at: (offset: number, message: string) => PlacedProblem,
): PlacedProblem[] {
  const path = issue.path.map((part) => typeof part === "number" ? part : String(part));
  const node = findNodeAtLocation(root, path);
  const offset = node?.offset ?? offsetOf(root, path);
  const name = path.length === 0 ? "the policy" : pathText(path);
  const came = node === undefined ? "nothing" : valueText(node);
  switch (issue.code) {
    case "unrecognized_keys":
      return (issue.keys ?? []).slice(0, SHOWN).map((key) => {
        const known = nearest(key, knownKeys(path));
        const hint = known === undefined ? "" : `; did you mean "${known}"?`;
        const where = path.length === 0 ? "" : ` in ${name}`;
        return at(
          keyOffset(node ?? root, key),
          `expected a policy key${where}, found "${shown(key)}"${hint}`,
        );
      });
    case "invalid_key":
      return [at(
        keyOffset(findNodeAtLocation(root, path.slice(0, -1)) ?? root, String(path.at(-1))),
        `expected ${issue.issues?.[0]?.message ?? "another key"}, found "${shown(String(path.at(-1)))}"`,
      )];
    case "invalid_value":
      return [at(offset, `expected ${name} to be ${list(issue.values ?? [])}, found ${came}`)];
    case "invalid_type":
      return [at(offset, `expected ${name} to be ${article(issue.expected ?? "value")}, found ${came}`)];
    case "too_small":
      return [at(offset, `expected ${name} to have at least ${issue.minimum} ${unit(issue)}, found ${came}`)];
    case "too_big":
      return [at(offset, `expected ${name} to have at most ${issue.maximum} ${unit(issue)}, found more`)];
    case "invalid_union":
      if (path[2] === "arguments") {
        return [at(
          offset,
          `expected ${name} to be a glob of at most 200 characters, a number, true, false, null, a list of these, or ` +
            `an object with "not", found ${came}`,
        )];
      }
      return [at(offset, `expected ${name} to be a string or an array of strings, found ${came}`)];
    default:
      return [at(offset, `expected ${name} to be ${issue.message}, found ${came}`)];
  }
}

function unit(issue: Issue): string {
  return issue.origin === "string" ? "character(s)" : "element(s)";
}

function article(type: string): string {
  if (type === "record") return "an object";
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function list(values: readonly unknown[]): string {
  const quoted = values.map((value) => JSON.stringify(value));
  return quoted.length < 2 ? quoted.join("") : `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
}

function pathText(path: readonly (string | number)[]): string {
  return path.map((part, index) =>
    typeof part === "number"
      ? `[${part}]`
      : /^[A-Za-z_$][\w$]*$/.test(part)
      ? (index === 0 ? part : `.${part}`)
      : `["${shown(part)}"]`
  ).join("");
}

function valueText(node: Node): string {
  if (node.type === "object" || node.type === "array") {
    return (node.children?.length ?? 0) === 0 ? `an empty ${node.type}` : `an ${node.type}`;
  }
  return shown(JSON.stringify(node.value) ?? "nothing");
}

/** Text from the file as it can be shown: short, and control characters visible. */
function shown(text: string): string {
  return visible(text, 60);
}

/** Offset of the property with this name, or of the node. */
function keyOffset(node: Node, name: string): number {
  const property = node.children?.find((child) => child.children?.[0]?.value === name);
  return property?.offset ?? node.offset;
}

/** Offset of the value at a path, or of the deepest part of it that exists. */
function offsetOf(root: Node, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node !== undefined) return node.offset;
  }
  return root.offset;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === "\n" || (c === "\r" && text[i + 1] !== "\n")) starts.push(i + 1);
  }
  return starts;
}

function position(starts: readonly number[], offset: number): { line: number; column: number } {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}

/** Whether brackets outside strings and comments nest deeper; the parser calls itself for each level. */
function nestsDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '"') {
      for (i++; i < text.length && text[i] !== '"' && text[i] !== "\n"; i++) if (text[i] === "\\") i++;
    } else if (c === "/" && text[i + 1] === "/") {
      while (i < text.length && text[i] !== "\n" && text[i] !== "\r") i++;
    } else if (c === "/" && text[i + 1] === "*") {
      const end = text.indexOf("*/", i + 2);
      i = end < 0 ? text.length : end + 1;
    } else if (c === "{" || c === "[") {
      if (++depth > limit) return true;
    } else if (c === "}" || c === "]") depth--;
  }
  return false;
}

/** Keys that are known in the object at a path. */
function knownKeys(path: readonly (string | number)[]): string[] {
  if (path.length === 0) return Object.keys(policySchema.shape);
  if (path[0] === "tools") return path.length === 2 ? Object.keys(toolForm.shape) : [];
  if (path[0] === "addresses") return path.length === 1 ? Object.keys(addressesForm.shape) : [];
  if (path[0] === "paths") return path.length === 2 ? Object.keys(pathForm.shape) : [];
  if (path[0] === "exceptions") return Object.keys(exceptionForm.shape);
  if (path[0] === "ownRules") return Object.keys(path.length === 2 ? ownRuleForm.shape : matcherForm.shape);
  return [];
}
