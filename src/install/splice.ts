/**
 * Inserts values into a configuration and cuts them out again, by splicing text: every character that was not
 * inserted stays. What `appendTo` inserts, `cut` removes without a trace.
 */

import { article, childrenOf, endOf, keyOf, member, type Node } from "./document.ts";
import { gapBetween } from "./gap.ts";
import { positionAt, RefusedError } from "./refusal.ts";

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** How the document is written, so that what is added looks like the rest. */
export interface Style {
  readonly indent: string;
  readonly newline: "\n" | "\r\n";
  /** The document is one line. */
  readonly inline: boolean;
  readonly afterColon: "" | " ";
}

/** What an insertion made besides the value, so that it can be undone. */
export interface Appended {
  readonly text: string;
  /** Keys that lead to the outermost member that had to be created; undefined when the array existed. */
  readonly created: readonly string[] | undefined;
  /** The container that was empty before, with the white space and comments that were in it. */
  readonly filled: Filled | undefined;
}

export interface Filled {
  readonly at: readonly string[];
  readonly interior: string;
}

export function styleOf(text: string, root: Node | undefined): Style {
  const newline = /\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n";
  if (root === undefined) return { indent: "  ", newline, inline: false, afterColon: " " };
  const children = childrenOf(root);
  const inline = children.length > 0 && !text.slice(root.offset, endOf(root)).includes("\n");
  return { indent: indentOf(text, root), newline, inline, afterColon: afterColonOf(text, root) };
}

function afterColonOf(text: string, root: Node): "" | " " {
  const colon = childrenOf(root)[0]?.colonOffset;
  return colon !== undefined && !/\s/.test(text[colon + 1] ?? " ") ? "" : " ";
}

/** The unit of indentation: how much deeper the first child that starts a line is than its parent. */
function indentOf(text: string, node: Node): string {
  const outer = lineIndent(text, node.offset);
  for (const child of childrenOf(node)) {
    const own = leadOf(text, child.offset);
    if (own !== undefined && own.length > outer.length && own.startsWith(outer)) {
      return own.slice(outer.length);
    }
    const value = child.type === "property" ? child.children?.[1] : child;
    if (value?.type === "object" || value?.type === "array") {
      const inner = indentOf(text, value);
      if (childrenOf(value).length > 0 && inner !== "") return inner;
    }
  }
  return "  ";
}

/** White space between the start of the line and the offset; undefined when something else is there. */
function leadOf(text: string, offset: number): string | undefined {
  let start = offset;
  while (text[start - 1] === " " || text[start - 1] === "\t") start--;
  return text[start - 1] === "\n" ? text.slice(start, offset) : undefined;
}

/** White space at the start of the line that holds the offset. */
function lineIndent(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  let end = start;
  while (text[end] === " " || text[end] === "\t") end++;
  return text.slice(start, end);
}

/** A value as text; continuation lines are indented by `outer`. */
export function render(value: unknown, style: Style, inline: boolean, outer: string): string {
  if (inline) return renderInline(value, style.afterColon);
  const indent = style.indent === "" ? "  " : style.indent;
  // Only spaces and tabs can be an indent, and JSON.stringify cuts it at ten characters.
  return JSON.stringify(value, null, "\t").split("\n").map((line, index) => {
    const depth = /^\t*/.exec(line)?.[0].length ?? 0;
    return (index === 0 ? "" : outer) + indent.repeat(depth) + line.slice(depth);
  }).join(style.newline);
}

function renderInline(value: unknown, space: "" | " "): string {
  if (Array.isArray(value)) return `[${value.map((item) => renderInline(item, space)).join(`,${space}`)}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => `${JSON.stringify(key)}:${space}${renderInline(item, space)}`)
      .join(`,${space}`)
  }}`;
}

/**
 * Appends a value to the array that `at` leads to, creating the members that are missing. Throws RefusedError
 * when something else than an object or array is in the way, or a key on the way occurs twice.
 */
export function appendTo(text: string, root: Node, at: readonly string[], value: unknown): Appended {
  let node = root;
  for (const [index, key] of at.entries()) {
    const path = at.slice(0, index);
    const next = member(text, node, key);
    const last = index === at.length - 1;
    if (next === undefined) {
      let made: unknown = [value];
      for (const inner of at.slice(index + 1).toReversed()) made = { [inner]: made };
      const inserted = insert(text, root, node, { key, value: made });
      return {
        text: inserted.text,
        created: at.slice(0, index + 1),
        filled: filled(inserted.interior, path),
      };
    }
    const wanted = last ? "array" : "object";
    if (next.type !== wanted) {
      throw new RefusedError(
        `${at.slice(0, index + 1).join(".")} is ${article(next)} where an ${wanted} was expected`,
        positionAt(text, next.offset),
      );
    }
    node = next;
  }
  const inserted = insert(text, root, node, { value });
  return { text: inserted.text, created: undefined, filled: filled(inserted.interior, at) };
}

/**
 * Sets the member that `at` leads to, creating the objects that are missing; undefined when it has that value already.
 * Throws RefusedError when it has another one, something else than an object is in the way, or a key occurs twice.
 */
export function setMember(
  text: string,
  root: Node,
  at: readonly string[],
  value: string | number | boolean,
): Appended | undefined {
  let node = root;
  for (const [index, key] of at.entries()) {
    const path = at.slice(0, index);
    if (node.type !== "object") {
      throw new RefusedError(
        `${path.join(".")} is ${article(node)} where an object was expected`,
        positionAt(text, node.offset),
      );
    }
    const next = member(text, node, key);
    if (next === undefined) {
      let made: unknown = value;
      for (const inner of at.slice(index + 1).toReversed()) made = { [inner]: made };
      const inserted = insert(text, root, node, { key, value: made });
      return {
        text: inserted.text,
        created: at.slice(0, index + 1),
        filled: filled(inserted.interior, path),
      };
    }
    node = next;
  }
  if (node.value === value) return undefined;
  // Somebody has decided otherwise.
  const found = node.children === undefined ? JSON.stringify(node.value) : article(node);
  throw new RefusedError(
    `${at.join(".")} is ${found} where ${JSON.stringify(value)} was expected`,
    positionAt(text, node.offset),
  );
}

function filled(interior: string | undefined, at: readonly string[]): Filled | undefined {
  return interior === undefined ? undefined : { at, interior };
}

/** Appends a member to an object. The caller has made sure that the key is not there. */
export function appendMember(text: string, root: Node, key: string, value: unknown): Appended {
  const inserted = insert(text, root, root, { key, value });
  return { text: inserted.text, created: [key], filled: filled(inserted.interior, []) };
}

function insert(
  text: string,
  root: Node,
  container: Node,
  item: { readonly key?: string; readonly value: unknown },
): { readonly text: string; readonly interior: string | undefined } {
  const style = styleOf(text, root);
  const children = childrenOf(container);
  const last = children.at(-1);
  const close = endOf(container) - 1;
  const gap = gapBetween(text, last === undefined ? container.offset + 1 : endOf(last), close);
  const broken = text.slice(container.offset, close).includes("\n");
  const inline = last === undefined ? style.inline && !broken : !broken;
  const closeIndent = lineIndent(text, container.offset);
  const indent = children.map((child) => leadOf(text, child.offset)).findLast((lead) => lead !== undefined) ??
    closeIndent + style.indent;

  let piece = item.key === undefined ? "" : `${JSON.stringify(item.key)}:${style.afterColon}`;
  piece += render(item.value, style, inline, indent);
  if (gap.comma !== undefined) piece += ",";
  let lead = style.newline + indent;
  if (inline) lead = last === undefined ? "" : spaceBetween(text, container, style);
  let trail = "";
  if (!inline && !text.slice(gap.tail, close).includes("\n")) {
    // `[ a ]` over several lines keeps its bracket where it is; an empty `{}` is opened up.
    if (last === undefined) trail = style.newline + closeIndent;
  }
  const edits: Edit[] = [{ start: gap.tail, end: gap.tail, text: lead + piece + trail }];
  if (last !== undefined && gap.comma === undefined) {
    edits.unshift({ start: endOf(last), end: endOf(last), text: "," });
  }
  const interior = last === undefined ? text.slice(container.offset + 1, close) : undefined;
  if (interior !== undefined && gap.tail === container.offset + 1) {
    const indented = inline ? piece : style.newline + indent + piece + style.newline + closeIndent;
    return { text: splice(text, [{ start: container.offset + 1, end: close, text: indented }]), interior };
  }
  return { text: splice(text, edits), interior };
}

/** What separates two neighbours of a container that is written on one line. */
function spaceBetween(text: string, container: Node, style: Style): "" | " " {
  const [first, second] = childrenOf(container);
  if (first === undefined || second === undefined) return style.afterColon;
  return /\s/.test(text.slice(endOf(first), second.offset)) ? " " : "";
}

/**
 * Cuts a child out of its container, with the separator that becomes superfluous and the white space before it.
 * Comments stay. A container that becomes empty gets `interior` between its brackets.
 */
export function cut(text: string, container: Node, child: Node, interior: string): string {
  const children = childrenOf(container);
  const index = children.indexOf(child);
  const before = children[index - 1];
  const after = children[index + 1];
  const close = endOf(container) - 1;
  const gap = gapBetween(text, endOf(child), after?.offset ?? close);
  // The end of whatever precedes the child: a bracket, a comma, a comment or the neighbour itself.
  const lead = gapBetween(text, before === undefined ? container.offset + 1 : endOf(before), child.offset);
  const start = lead.tail;
  const edits: Edit[] = [];
  let end = endOf(child);
  if (gap.comma !== undefined) {
    if (/^[ \t]*$/.test(text.slice(end, gap.comma))) end = gap.comma + 1;
    else edits.push({ start: gap.comma, end: gap.comma + 1, text: "" });
  } else if (before !== undefined) {
    if (lead.comma !== undefined) edits.push({ start: lead.comma, end: lead.comma + 1, text: "" });
  }
  if (start === child.offset && after !== undefined) {
    while (text[end] === " " || text[end] === "\t") end++;
  }
  const endsLine = /^[ \t]*\r?\n/.test(text.slice(end));
  // What follows must not slide into a line comment that ends before the child.
  const begin = lead.lineComment && !endsLine ? child.offset : start;
  edits.push({ start: begin, end, text: "" });
  if (children.length === 1) {
    const rest = splice(text.slice(0, close), edits).slice(container.offset + 1);
    if (rest.replace(/\s/g, "") === interior.replace(/\s/g, "")) {
      return splice(text, [{ start: container.offset + 1, end: close, text: interior }]);
    }
  }
  return splice(text, edits);
}

/** Replaces a value by another one, written in the style of its surroundings. */
export function replace(text: string, root: Node, node: Node, value: unknown): string {
  const style = styleOf(text, root);
  const inline = !text.slice(node.offset, endOf(node)).includes("\n") && node.parent !== undefined &&
    !text.slice(node.parent.offset, endOf(node.parent)).includes("\n");
  const piece = render(value, style, inline, lineIndent(text, node.offset));
  return splice(text, [{ start: node.offset, end: endOf(node), text: piece }]);
}

/** The node that keys lead to; undefined when one is missing. A key that occurs twice yields its last value. */
export function find(root: Node, at: readonly string[]): Node | undefined {
  let node: Node | undefined = root;
  for (const key of at) {
    if (node?.type !== "object") return undefined;
    node = childrenOf(node).findLast((property) => keyOf(property) === key)?.children?.[1];
  }
  return node;
}

function splice(text: string, edits: readonly Edit[]): string {
  let result = "";
  let done = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(done, edit.start) + edit.text;
    done = edit.end;
  }
  return result + text.slice(done);
}
