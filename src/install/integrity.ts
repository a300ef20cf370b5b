/** Compares what an installation wrote with what is there now; an agent can write a configuration. */

import { GuardError } from "../errors.ts";
import type { HostAdapter } from "../types.ts";
import { parseDocument, valueOf } from "./document.ts";
import { sameValue } from "./entry.ts";
import { targetName } from "./job.ts";
import { hashOf, isAbandoned, listReceipts, type Receipt } from "./receipt.ts";
import { ownerOf } from "./whole.ts";
import { decode, readConfiguration } from "./write.ts";

/** A configuration that no longer holds what guard wrote into it. */
export interface Weakened {
  readonly path: string;
  readonly scope: Receipt["scope"];
  /** One sentence for the person. */
  readonly message: string;
  /** Whether something is in the place of guard's file that `guard install` does not overwrite. */
  readonly inTheWay: boolean;
}

/**
 * Where an installation of a host has been taken out or changed without `guard uninstall`. A configuration that
 * went with its project or its host is not told of.
 *
 * @param state Guard's state directory, which holds the receipts.
 */
export async function weakened(
  state: string,
  adapter: Pick<HostAdapter, "id" | "install">,
): Promise<Weakened[]> {
  const found: Weakened[] = [];
  for (const receipt of await listReceipts(state)) {
    if (receipt.host !== adapter.id) continue;
    const change = await changeOf(receipt, adapter);
    if (change === undefined) continue;
    const { path, scope } = receipt;
    found.push({
      path,
      scope,
      inTheWay: false,
      ...typeof change === "string" ? { message: change } : change,
    });
  }
  return found;
}

async function changeOf(
  receipt: Receipt,
  adapter: Pick<HostAdapter, "install">,
): Promise<string | Pick<Weakened, "message" | "inTheWay"> | undefined> {
  const { path } = receipt;
  try {
    const { bytes } = await readConfiguration(path);
    if (bytes === undefined) {
      return await isAbandoned(receipt) ? undefined : `${path}, which guard was installed in, is gone.`;
    }
    if (hashOf(bytes) === receipt.after) return undefined;
    const target = adapter.install.find((candidate) =>
      candidate.scope === receipt.scope &&
      (receipt.target === undefined || targetName(candidate) === receipt.target)
    );
    if (target === undefined || target.format === "whole") {
      const inTheWay = target !== undefined && ownerOf(new TextDecoder().decode(bytes)) !== "guard";
      return { message: `${path}, which guard wrote, has been changed since.`, inTheWay };
    }
    const root = parseDocument(decode(bytes).replace(/^\ufeff/, ""), target.format);
    const document = root === undefined ? undefined : valueOf(root);
    const lost = (receipt.entries ?? []).filter(({ at, value }) => !holds(document, at, value));
    if (lost.length === 0) return undefined;
    const events = [...new Set(lost.map((entry) => entry.event))].join(", ");
    return `The entry of guard for ${events} in ${path} has been removed or changed since it was installed.`;
  } catch (error) {
    if (error instanceof GuardError) return `${path}, which guard was installed in: ${error.message}`;
    throw error;
  }
}

/** Whether the list at a place in a document holds a value, or the place has it. */
function holds(document: unknown, at: readonly string[], value: unknown): boolean {
  let place = document;
  for (const key of at) {
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, key)) return false;
    place = (place as Readonly<Record<string, unknown>>)[key];
  }
  return Array.isArray(place) ? place.some((item) => sameValue(item, value)) : sameValue(place, value);
}
