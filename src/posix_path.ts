/** What `node:path` says of POSIX paths, without loading it. */

/** Absolute, and nothing in it that `normalize` would change. */
export function isNormal(path: string): boolean {
  return path === "/" || (path.startsWith("/") && !/\/\.{0,2}(?:\/|$)/.test(path));
}

export function isAbsolute(path: string): boolean {
  return path.startsWith("/");
}

/** The path without `.`, `..` and doubled slashes where that can be told from the text; a slash at the end stays. */
export function normalize(path: string): string {
  if (isNormal(path)) return path;
  const absolute = isAbsolute(path);
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") kept.push(segment);
    else if (kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else if (!absolute) kept.push(segment);
  }
  const text = (absolute ? "/" : "") + kept.join("/");
  if (kept.length > 0) return path.endsWith("/") ? `${text}/` : text;
  return absolute ? "/" : path.endsWith("/") ? "./" : ".";
}

export function join(...parts: readonly string[]): string {
  return normalize(parts.filter((part) => part !== "").join("/"));
}
