/**
 * One written form for paths of all systems: absolute, forward slashes, no `.` or `..`, no trailing slash,
 * Windows drives as `C:/…`, UNC shares as `//server/share/…`.
 */

/** How a written path is to be read. */
export interface PathStyle {
  /** Drive letters and backslashes count, and `/c/…` is a drive. */
  readonly windows: boolean;
}

const drive = /^[A-Za-z]:(?=[\\/]|$)/;

/** True for a path that names a place on Windows whatever system guard runs on. */
export function looksWindows(path: string): boolean {
  return drive.test(path) || path.startsWith("\\\\");
}

/** True when the path does not depend on a current directory. */
export function isAbsolute(path: string, style: PathStyle): boolean {
  return path.startsWith("/") || looksWindows(path) || (style.windows && path.startsWith("\\"));
}

/** Joins a written path to an absolute base in normal form, and brings the result into normal form. */
export function normalise(path: string, base: string, style: PathStyle): string {
  let text = path;
  const windowsText = style.windows || looksWindows(text) || /^[A-Za-z]:/.test(base);
  if (windowsText) text = text.replaceAll("\\", "/");
  if (windowsText) {
    // Device and verbatim prefixes: `\\?\C:\x`, `\\.\C:\x`, `\??\C:\x`, `\\?\UNC\server\share`.
    const device = /^\/(?:\/[?.]|\?\?)\/(?:UNC\/)?/i.exec(text);
    if (device !== null) {
      text = /UNC\/$/i.test(device[0]) ? `//${text.slice(device[0].length)}` : text.slice(device[0].length);
    }
  }
  let root = "/";
  if (drive.test(text)) {
    root = `${text[0]!.toUpperCase()}:/`;
    text = text.slice(2);
  } else if (windowsText && text.startsWith("//")) {
    const [server = "", share = "", ...rest] = text.slice(2).split("/");
    root = `//${server}/${share}/`;
    text = rest.join("/");
  } else if (style.windows && /^\/[A-Za-z](\/|$)/.test(text)) {
    root = `${text[1]!.toUpperCase()}:/`;
    text = text.slice(2);
  } else if (text.startsWith("/")) {
    root = style.windows && drive.test(base) ? base.slice(0, 3) : "/";
  } else {
    root = rootOf(base);
    text = `${base.slice(root.length)}/${text}`;
  }
  const parts: string[] = [];
  for (const part of text.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    // Windows drops dots and spaces at the end of a name.
    else parts.push(windowsText && !/^\.+$/.test(part) ? part.replace(/[. ]+$/, "") || part : part);
  }
  return parts.length === 0 && root !== "/" ? root : root + parts.join("/");
}

/** The root of a path in normal form, with its slash. */
export function rootOf(path: string): string {
  if (drive.test(path)) return path.slice(0, 3).padEnd(3, "/");
  if (path.startsWith("//")) {
    const [server = "", share = ""] = path.slice(2).split("/");
    return `//${server}/${share}/`;
  }
  return "/";
}

/** The directory that holds a path in normal form; a root holds itself. */
export function parentOf(path: string): string {
  const root = rootOf(path);
  const slash = path.lastIndexOf("/");
  return slash < root.length ? root : path.slice(0, slash);
}

/** The last name of a path in normal form; empty for a root. */
export function nameOf(path: string): string {
  return path.length <= rootOf(path).length ? "" : path.slice(path.lastIndexOf("/") + 1);
}

/** True when `path` is `ancestor` or below it; both in normal form. */
export function isWithin(path: string, ancestor: string): boolean {
  if (path === ancestor) return true;
  const prefix = ancestor.endsWith("/") ? ancestor : `${ancestor}/`;
  return path.startsWith(prefix);
}

/** What is left of `path` below `ancestor`; undefined when it is not below it. */
export function below(path: string, ancestor: string): string | undefined {
  if (path === ancestor || !isWithin(path, ancestor)) return undefined;
  return path.slice(ancestor.endsWith("/") ? ancestor.length : ancestor.length + 1);
}

/** `/mnt/c/x` and `/cygdrive/c/x` as `C:/x`; undefined for other paths. */
export function windowsView(path: string): string | undefined {
  const match = /^\/(?:mnt|cygdrive)\/([A-Za-z])(?:\/(.*))?$/.exec(path);
  return match === null ? undefined : `${match[1]!.toUpperCase()}:/${match[2] ?? ""}`;
}

/** The path of a `file:` URL on this machine, percent-decoded as clients do; other texts stay as they are. */
export function fromFileUrl(text: string): string {
  const start = /^file:(?:\/\/(?:localhost|127\.0\.0\.1)?)?(?=\/)/i.exec(text)?.[0];
  if (start === undefined) return text;
  const path = text.slice(start.length).replace(/^\/+(?=\/|[A-Za-z]:)/, "");
  const [name = ""] = path.split(/[?#]/, 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
