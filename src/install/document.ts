/** Reads a JSON or JSONC configuration into a tree with exact offsets. Nothing here changes a byte. */

import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { gapBetween } from "./gap.ts";
import { positionAt, RefusedError } from "./refusal.ts";

export type { Node } from "jsonc-parser";
/** Format of a configuration file. */
export type Format = "json" | "jsonc";

/** The largest configuration file that is edited, in UTF-16 code units. */
export const sizeLimit = 8 * 1024 * 1024;

/**
 * The root of a document whose text has no byte order mark, or undefined for a blank one (white space, and
 * comments where the format has them). Throws RefusedError with a position when it cannot be parsed or its
 * root is no object.
 */
export function parseDocument(text: string, format: Format): Node | undefined {
  if (text.length > sizeLimit) {
    throw new RefusedError(`The file has ${text.length} characters; at most ${sizeLimit} are edited.`);
  }
  if (isBlank(text, format)) return undefined;
  const errors: ParseError[] = [];
  const options = format === "json"
    ? { disallowComments: true, allowTrailingComma: false }
    : { disallowComments: false, allowTrailingComma: true };
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, options);
  } catch (error) {
    if (error instanceof RangeError) throw new RefusedError("The file is nested too deeply to be edited.");
    throw error;
  }
  const first = errors[0];
  if (first !== undefined) {
    throw new RefusedError(
      `The file is not valid ${format === "json" ? "JSON" : "JSONC"}: ${
        sentence(printParseErrorCode(first.error))
      }`,
      positionAt(text, first.offset),
    );
  }
  if (format === "json") checkStrictly(text);
  if (root !== undefined && isDeeperThan(root, maxDepth)) {
    throw new RefusedError(
      `The file is nested more than ${maxDepth} levels deep, which is more than is edited.`,
    );
  }
  if (root?.type !== "object") {
    throw new RefusedError(
      `The file holds ${article(root)} where an object was expected`,
      positionAt(text, root?.offset ?? 0),
    );
  }
  return root;
}

/** Deepest nesting that is edited: reading further would exhaust the stack. */
const maxDepth = 256;

function isDeeperThan(root: Node, limit: number): boolean {
  let level: readonly Node[] = [root];
  // A property is a node between an object and its value.
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > 2 * limit) return true;
    level = level.flatMap((node) => node.children ?? []);
  }
  return false;
}

/** The strict grammar, for what the tolerant parser lets pass (control characters, odd white space). */
function checkStrictly(text: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    const at = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
    throw new RefusedError(
      "The file is not valid JSON",
      at === undefined ? undefined : positionAt(text, Number(at)),
    );
  }
}

function isBlank(text: string, format: Format): boolean {
  if (format === "json") return /^[ \t\r\n]*$/.test(text);
  const gap = gapBetween(text, 0, text.length);
  return gap.stop === text.length && gap.comma === undefined;
}

/** `CloseBraceExpected` as `close brace expected`. */
function sentence(code: string): string {
  return code.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}

/** The kind of a node with its article, for messages. */
export function article(node: Node | undefined): string {
  switch (node?.type) {
    case "object":
    case "array":
      return `an ${node.type}`;
    case "string":
    case "number":
    case "boolean":
      return `a ${node.type}`;
    case "null":
      return "null";
    default:
      return "nothing";
  }
}

/** Offset behind a node. */
export function endOf(node: Node): number {
  return node.offset + node.length;
}

/** The property nodes of an object or the elements of an array. */
export function childrenOf(node: Node): readonly Node[] {
  return node.children ?? [];
}

/** The value of a property; undefined when there is none. Throws RefusedError when the key occurs twice. */
export function member(text: string, object: Node, key: string): Node | undefined {
  const found = childrenOf(object).filter((property) => keyOf(property) === key);
  const second = found[1];
  if (second !== undefined) {
    throw new RefusedError(
      `The key ${
        JSON.stringify(key)
      } occurs twice in one object, so it is not clear which one the host reads`,
      positionAt(text, second.offset),
    );
  }
  return found[0]?.children?.[1];
}

/** Key of a property. */
export function keyOf(property: Node): string | undefined {
  const value: unknown = property.children?.[0]?.value;
  return typeof value === "string" ? value : undefined;
}

/** The plain value of a node; keys such as `__proto__` become own properties. */
export function valueOf(node: Node): unknown {
  if (node.type === "array") return childrenOf(node).map(valueOf);
  if (node.type !== "object") return node.value as unknown;
  const object: Record<string, unknown> = {};
  for (const property of childrenOf(node)) {
    const key = keyOf(property);
    const value = property.children?.[1];
    if (key === undefined || value === undefined) continue;
    Object.defineProperty(object, key, {
      value: valueOf(value),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return object;
}
