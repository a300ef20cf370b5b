/**
 * Paths of the running system, and Node's modules when they are asked for: importing `node:path` or `node:process`
 * costs a hook a millisecond and more, used or not.
 */

import type nodePath from "node:path";
import type nodeProcess from "node:process";
import { isAbsolute, isNormal, join, normalize } from "./posix_path.ts";

/** `process` of Node, for its modules. */
export function node(): Pick<typeof nodeProcess, "getBuiltinModule"> {
  return Reflect.get(globalThis, "process") as typeof nodeProcess;
}

type Paths = Pick<typeof nodePath, "isAbsolute" | "normalize" | "join" | "resolve" | "dirname" | "basename">;

function slow(): Paths {
  return node().getBuiltinModule("node:path").posix;
}

/** As `posix` of node:path, which is asked about what is rare. */
export const posix: Paths = {
  isAbsolute,
  normalize,
  join,
  resolve: (...parts) => {
    const joined = parts.join("/");
    const plain = isNormal(joined) && isNormal(parts[0] ?? "") && !parts.slice(1).some(isAbsolute);
    return plain ? joined : slow().resolve(...parts);
  },
  dirname: (path) => isNormal(path) ? path.slice(0, path.lastIndexOf("/")) || "/" : slow().dirname(path),
  basename: (path, suffix) =>
    isNormal(path) && suffix === undefined
      ? path.slice(path.lastIndexOf("/") + 1)
      : slow().basename(path, suffix),
};

/** As node:path where guard runs. */
export const native: Paths = Deno.build.os === "windows" ? node().getBuiltinModule("node:path") : posix;
