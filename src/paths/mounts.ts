/** Paths in a container that lie on this machine: what is mounted into it. */

import type { Mount, PathUse, Piece, Word } from "../shell/model.ts";
import { normalise } from "./normal.ts";

const style = { windows: false };

/** A use of a path in a container, as the uses that it is: here, where a mount leads, and there for what is not mounted. */
export function withMounts(use: PathUse, mounts: readonly Mount[]): readonly PathUse[] {
  const [first, ...others] = use.path.pieces;
  const whole = use.path.isStatic;
  const lead = whole ? use.path.text : first?.kind === "text" ? first.text : "";
  const rest = whole ? [] : first?.kind === "text" ? others : use.path.pieces;
  const base = use.directory.path;
  if (rest[0]?.kind === "unknown" && lead === "" || (!lead.startsWith("/") && base === undefined)) {
    return [use];
  }
  const path = normalise(lead, base ?? "/", style);
  const ends = (/\/$/.test(lead) || (lead === "" && rest.length > 0)) && path !== "/" ? "/" : "";
  const writes = use.operation !== "read" && use.operation !== "list" && use.operation !== "execute";
  const there = (to: string, at: string) => at === to || at.startsWith(to === "/" ? "/" : `${to}/`);
  const here = (text: string, more: readonly Piece[]): PathUse => ({
    ...use,
    remote: undefined,
    path: wordOf(use.path, text, more),
  });
  const usable = mounts.filter((one) => !writes || one.readonly !== true);
  // The innermost mount counts.
  const mount = usable.filter(({ to }) => there(to, path)).sort((a, b) => b.to.length - a.to.length)[0];
  if (mount !== undefined) {
    const inner = mount.to === "/" ? path.slice(1) : path.slice(mount.to.length + 1);
    return [
      here(`${mount.from === "/" ? "" : mount.from}/${inner}${ends}`.replace(/(?!^)\/+$/, ends) || "/", rest),
    ];
  }
  // Whatever takes all of a directory takes what is mounted in it.
  const glob = rest.length > 0 && rest.every(({ kind }) => kind === "glob");
  const reaches = use.recursive || glob;
  return [
    use,
    ...(reaches && (rest.length === 0 || glob) ? usable.filter(({ to }) => there(path, to)) : []).map((
      { from },
    ) => here(`${from === "/" ? "" : from}/`, [{ kind: "glob", text: "*" }])),
  ];
}

function wordOf(word: Word, text: string, rest: readonly Piece[]): Word {
  const pieces: readonly Piece[] = [{ kind: "text", text, quoted: true }, ...rest];
  return {
    ...word,
    pieces,
    text: text +
      rest.map((piece) => piece.kind === "unknown" ? piece.source : piece.text).join(""),
    isStatic: rest.every(({ kind }) => kind === "text"),
    hasGlob: rest.some(({ kind }) => kind === "glob"),
  };
}
