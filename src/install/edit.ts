/** What installing and uninstalling do to the text of one configuration file. Pure: text in, text out. */

import type { HookShell, InstallEntry, MergeTarget } from "../types.ts";
import { childrenOf, endOf, member, type Node, parseDocument, valueOf } from "./document.ts";
import { ownEntries, type OwnEntry, sameValue } from "./entry.ts";
import {
  appendMember,
  appendTo,
  cut,
  type Filled,
  find,
  render,
  replace,
  setMember,
  styleOf,
} from "./splice.ts";

const bom = "\ufeff";

/** What an installation made besides the entries, so that uninstalling can unmake it. */
export interface Made {
  /** Members that were created, each by the keys that lead to it. */
  readonly created: readonly (readonly string[])[];
  /** Containers that were empty. */
  readonly filled: readonly Filled[];
}

export const nothingMade: Made = { created: [], filled: [] };

export interface Installed extends Made {
  readonly text: string;
  /** Native names of the events whose entry was added, and of those whose entry was brought up to date. */
  readonly added: readonly string[];
  readonly refreshed: readonly string[];
  /** Number of surplus own entries that were cut: duplicates, and events that are no longer registered. */
  readonly removed: number;
}

type Target = Pick<MergeTarget, "format" | "skeleton" | "entries" | "settings">;
type Entry = InstallEntry;

/**
 * Merges the entries of a target into a text (undefined: no file). `command` gives the command line of an event,
 * quoted for `shell`.
 * Throws RefusedError when the text cannot be edited.
 */
export function installInto(
  text: string | undefined,
  target: Target,
  command: (event: string) => string,
  shell: HookShell = "sh",
): Installed {
  const mark = text?.startsWith(bom) ? bom : "";
  let body = prepared(text?.slice(mark.length) ?? "", target);
  const created: (readonly string[])[] = [];
  const filled: Filled[] = [];
  const added: string[] = [];
  const refreshed: string[] = [];

  for (const [key, value] of Object.entries(target.skeleton ?? {})) {
    const root = rootOf(body, target);
    if (member(body, root, key) !== undefined) continue;
    const made = appendMember(body, root, key, value);
    body = made.text;
    if (made.created !== undefined) created.push(made.created);
    if (made.filled !== undefined) filled.push(made.filled);
  }
  for (const entry of target.entries) checkWay(body, rootOf(body, target), entry.at);
  const surplus = cutSurplus(body, target);
  body = surplus.text;

  for (const entry of target.entries) {
    const root = rootOf(body, target);
    const value = entry.value(command(entry.event), shell);
    const own = ownEntries(root).find((candidate) => belongs(candidate, entry, target, root));
    if (own === undefined) {
      const made = appendTo(body, root, entry.at, value);
      body = made.text;
      if (made.created !== undefined) created.push(made.created);
      if (made.filled !== undefined) filled.push(made.filled);
      added.push(entry.event);
      continue;
    }
    const wanted = own.element === own.handler ? handlerOf(value) : value;
    if (sameValue(valueOf(own.element), wanted)) continue;
    body = replace(body, root, own.element, wanted);
    refreshed.push(entry.event);
  }
  for (const setting of target.settings ?? []) {
    const made = setMember(body, rootOf(body, target), setting.at, setting.value);
    if (made === undefined) continue;
    body = made.text;
    if (made.created !== undefined) created.push(made.created);
    if (made.filled !== undefined) filled.push(made.filled);
    added.push(setting.event);
  }
  // The result must be a document that the host reads; anything else would be a defect here.
  parseDocument(body, target.format);
  return { text: mark + body, created, filled, added, refreshed, removed: surplus.removed };
}

/** The text with an object as its root. */
function prepared(body: string, target: Target): string {
  if (parseDocument(body, target.format) !== undefined) return body;
  const { newline, ...style } = styleOf(body, undefined);
  const document = render(target.skeleton ?? {}, { newline, ...style }, false, "");
  const head = body.trim() === "" ? "" : body.trimEnd() + newline;
  return head + document + newline;
}

function rootOf(body: string, target: Target): Node {
  const root = parseDocument(body, target.format);
  if (root === undefined) throw new Error("a prepared configuration has no root");
  return root;
}

/** Refuses what `appendTo` would refuse, before anything is changed; also when the entry is already there. */
function checkWay(body: string, root: Node, at: readonly string[]): void {
  appendTo(body, root, at, null);
}

/** Cuts own entries that no entry of the target claims, and all but the first of those that one claims. */
function cutSurplus(body: string, target: Target): { text: string; removed: number } {
  let text = body;
  let removed = 0;
  for (;;) {
    const root = rootOf(text, target);
    const claimed = new Set<Entry>();
    const surplus = ownEntries(root).find((own) => {
      const entry = target.entries.find((candidate) => belongs(own, candidate, target, root));
      if (entry === undefined || claimed.has(entry)) return true;
      claimed.add(entry);
      return false;
    });
    if (surplus === undefined) return { text, removed };
    const emptied = childrenOf(surplus.list).length === 1;
    text = cut(text, surplus.list, surplus.element, "");
    removed++;
    if (emptied) text = cutUnused(text, pathOf(surplus.list), target);
  }
}

/** Removes a list that is empty now, unless one of the entries goes into it. */
function cutUnused(body: string, path: readonly string[], target: Target): string {
  if (target.entries.some((entry) => sameValue(entry.at, path))) return body;
  const list = find(rootOf(body, target), path);
  const object = list?.parent?.parent;
  if (list?.parent === undefined || object?.type !== "object") return body;
  if (body.slice(list.offset + 1, endOf(list) - 1).trim() !== "") return body;
  return cut(body, object, list.parent, "");
}

/** Whether an own entry is the one that `entry` describes: in its list, and for its event. */
function belongs(own: OwnEntry, entry: Entry, target: Target, root: Node): boolean {
  if (find(root, entry.at) !== own.list && !isInGroupOf(own, root, entry.at)) return false;
  if (own.command.event === entry.event) return true;
  const alone = target.entries.filter((other) => sameValue(other.at, entry.at)).length === 1;
  // In a list that only one event uses, the list says which event it is, whatever the command line says.
  return alone;
}

/** A handler that shares its group with others lies deeper than the list that the entry names. */
function isInGroupOf(own: OwnEntry, root: Node, at: readonly string[]): boolean {
  const list = find(root, at);
  return list !== undefined && own.list.parent?.parent?.parent === list;
}

/** The handler inside a group value, or the value itself where the host has no groups. */
function handlerOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  for (const inner of Object.values(value)) {
    if (Array.isArray(inner) && typeof inner[0] === "object" && inner[0] !== null) return inner[0];
  }
  return value;
}

export interface Uninstalled {
  /** Undefined: nothing but what guard had made is left, and the file was guard's. */
  readonly text: string | undefined;
  /** Number of entries that were cut. */
  readonly removed: number;
}

/**
 * Cuts all own entries out of a text. `made` is what the receipt says; without one (undefined), containers that
 * become empty on the way to an entry go too. `owned`: guard had created the file.
 */
export function uninstallFrom(
  text: string,
  target: Target,
  made: Made | undefined,
  owned: boolean,
): Uninstalled {
  const mark = text.startsWith(bom) ? bom : "";
  let body = text.slice(mark.length);
  let removed = 0;
  for (;;) {
    const root = parseDocument(body, target.format);
    const own = root === undefined ? undefined : ownEntries(root)[0];
    if (own === undefined) break;
    const path = pathOf(own.list);
    const emptied = childrenOf(own.list).length === 1;
    body = cut(body, own.list, own.element, interiorOf(path, made));
    removed++;
    if (emptied) body = cutEmpty(body, path, target, made ?? nothingMade, made === undefined);
  }
  for (const setting of target.settings ?? []) {
    const root = parseDocument(body, target.format);
    const own = root === undefined ? undefined : find(root, setting.at);
    const object = own?.parent?.parent;
    if (own?.parent === undefined || object === undefined || own.value !== setting.value) continue;
    const path = setting.at.slice(0, -1);
    body = cut(body, object, own.parent, interiorOf(path, made));
    removed++;
    body = cutEmpty(body, path, target, made ?? nothingMade, made === undefined);
  }
  if (removed === 0) return { text, removed };
  body = cutSkeleton(body, target, made);
  const rest = parseDocument(body, target.format);
  const bare = rest !== undefined && onlySkeleton(rest, target) &&
    body.slice(0, rest.offset).trim() === "" && body.slice(endOf(rest)).trim() === "";
  return { text: owned && bare ? undefined : mark + body, removed };
}

/** Removes the members that were made for entries and are empty now, from the inside out. */
function cutEmpty(
  body: string,
  path: readonly string[],
  target: Target,
  made: Made,
  anyOnTheWay: boolean,
): string {
  let text = body;
  for (let depth = path.length; depth > 0; depth--) {
    const at = path.slice(0, depth);
    const root = rootOf(text, target);
    const node = find(root, at);
    const property = node?.parent;
    const outer = property?.parent;
    if (node === undefined || property === undefined || outer === undefined) break;
    if (text.slice(node.offset + 1, endOf(node) - 1).trim() !== "") break;
    const wasMade = made.created.some((keys) =>
      keys.length <= depth && keys.every((key, i) => key === at[i])
    );
    // Beside the lists of today's entries, those of an older guard.
    const same = depth === 1 ? 1 : depth - 1;
    const onTheWay = anyOnTheWay &&
      waysOf(target).some((way) =>
        depth <= way.length && at.slice(0, same).every((key, i) => key === way[i])
      );
    if (!wasMade && !onTheWay) break;
    text = cut(text, outer, property, interiorOf(path.slice(0, depth - 1), made));
  }
  return text;
}

/** Keys that lead to the containers of all that is put in. */
function waysOf({ entries, settings = [] }: Target): (readonly string[])[] {
  return [...entries.map(({ at }) => at), ...settings.map(({ at }) => at.slice(0, -1))];
}

/** Removes skeleton members that were made, unless somebody else needs them now. */
function cutSkeleton(body: string, target: Target, made: Made | undefined): string {
  let text = body;
  for (const key of Object.keys(target.skeleton ?? {})) {
    if (made?.created.some((keys) => keys.length === 1 && keys[0] === key) !== true) continue;
    const root = rootOf(text, target);
    // Where the container came with the skeleton, others who have used it since need both.
    const inUse = target.entries.some(({ at }) =>
      find(root, at.slice(0, 1)) !== undefined &&
      made.created.some((keys) => keys.length === 1 && keys[0] === at[0])
    );
    const property = find(root, [key])?.parent;
    if (inUse || property === undefined) continue;
    text = cut(text, root, property, interiorOf([], made));
  }
  return text;
}

function onlySkeleton(root: Node, target: Target): boolean {
  const left = valueOf(root);
  return sameValue(left, {}) || sameValue(left, target.skeleton ?? {});
}

function interiorOf(path: readonly string[], made: Made | undefined): string {
  return made?.filled.find((filled) => sameValue(filled.at, path))?.interior ?? "";
}

/** Keys that lead to a node; array positions are left out, since no container inside a list is ever made. */
function pathOf(node: Node): string[] {
  const path: string[] = [];
  for (let at: Node | undefined = node; at !== undefined; at = at.parent) {
    const key: unknown = at.parent?.type === "property" ? at.parent.children?.[0]?.value : undefined;
    if (typeof key === "string") path.unshift(key);
  }
  return path;
}
