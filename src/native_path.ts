/**
 * Paths of the running system, and Node's modules when they are asked for: importing `node:path` or `node:process`
 * costs a hook a millisecond and more, used or not.
 */

import type nodePath from "node:path";
import type nodeProcess from "node:process";

/** `process` of Node, for its modules. */
export function node(): Pick<typeof nodeProcess, "getBuiltinModule"> {
  return Reflect.get(globalThis, "process") as typeof nodeProcess;
}

type Paths = Pick<typeof nodePath, "isAbsolute" | "normalize" | "join" | "resolve" | "dirname" | "basename">;

/** Absolute, and nothing in it that Node would change. */
function isNormal(path: string): boolean {
  return path === "/" || (path.startsWith("/") && !/\/\.{0,2}(?:\/|$)/.test(path));
}

/** The parts as one path when all of them count and nothing in it has to be changed. */
function plainly(parts: readonly string[]): string | undefined {
  const [first, ...rest] = parts;
  const joined = first === "/" ? `/${rest.join("/")}` : parts.join("/");
  return first !== "" && isNormal(joined) ? joined : undefined;
}

function slow(): Paths {
  return node().getBuiltinModule("node:path").posix;
}

/** As `posix` of node:path, which is asked about everything that is not plain. */
export const posix: Paths = {
  isAbsolute: (path) => path.startsWith("/"),
  normalize: (path) => isNormal(path) ? path : slow().normalize(path),
  join: (...parts) => plainly(parts) ?? slow().join(...parts),
  resolve: (...parts) =>
    (parts.slice(1).some((part) => part.startsWith("/")) ? undefined : plainly(parts)) ??
      slow().resolve(...parts),
  dirname: (path) => isNormal(path) ? path.slice(0, path.lastIndexOf("/")) || "/" : slow().dirname(path),
  basename: (path, suffix) =>
    isNormal(path) && suffix === undefined
      ? path.slice(path.lastIndexOf("/") + 1)
      : slow().basename(path, suffix),
};

/** As node:path where guard runs. */
export const native: Paths = Deno.build.os === "windows" ? node().getBuiltinModule("node:path") : posix;
