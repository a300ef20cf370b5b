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

export function ok(name: string, detail: string): Check {
  return { name, status: "ok", detail };
}

export function problem(name: string, detail: string, next?: string): Check {
  return { name, status: "problem", detail, ...(next === undefined ? {} : { next }) };
}

export function limit(name: string, detail: string): Check {
  return { name, status: "limit", detail };
}

export function note(name: string, detail: string, next?: string): Check {
  return { name, status: "note", detail, ...(next === undefined ? {} : { next }) };
}
