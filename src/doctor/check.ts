/** One thing that doctor looked at. */

export interface Check {
  /** Short and stable, for programs: `entry`, `canary`, `missing`, … */
  readonly name: string;
  /** `limit`: nothing that can be repaired; the host or system does not offer more. */
  readonly status: "ok" | "problem" | "limit" | "note";
  readonly detail: string;
  /** What helps. */
  readonly next?: string;
}

/** A check that found nothing wrong. */
export function ok(name: string, detail: string): Check {
  return { name, status: "ok", detail };
}

/** A check that found something to repair. */
export function problem(name: string, detail: string, next?: string): Check {
  return { name, status: "problem", detail, ...(next === undefined ? {} : { next }) };
}

/** A check that found what cannot be enforced. */
export function limit(name: string, detail: string): Check {
  return { name, status: "limit", detail };
}

/** A remark that is no problem. */
export function note(name: string, detail: string, next?: string): Check {
  return { name, status: "note", detail, ...(next === undefined ? {} : { next }) };
}
