/** Names of programs, and which of them rules are about. */

import type { Word } from "./model.ts";

/** Name by which rules know a program; empty when it is not known. */
export function programName(word: Word): string {
  let text = "";
  if (word.isStatic) text = word.text;
  else {
    // `$(brew --prefix)/bin/x` and `/b?n/rm` still show the name.
    const last = word.pieces[word.pieces.length - 1];
    if (last?.kind !== "text" || !last.text.includes("/")) return "";
    text = last.text;
  }
  // The separators of such a path are lost where nobody quoted it.
  const unquoted = /^[A-Za-z]:[^\\/]*?(powershell|pwsh|cmd|bash|wsl)\.exe$/i.exec(text);
  if (unquoted !== null) return unquoted[1]!.toLowerCase();
  const windows = /^[A-Za-z]:[\\/]|\.(?:exe|cmd|bat|com)$|^\\\\/i.test(text);
  const slash = windows ? Math.max(text.lastIndexOf("/"), text.lastIndexOf("\\")) : text.lastIndexOf("/");
  const base = canonical(text.slice(slash + 1));
  const lower = base.toLowerCase();
  if (windows) return lower.replace(/\.(?:exe|cmd|bat|com)$/, "");
  // Volumes without case find the program under any spelling, and elsewhere there is none to be mistaken.
  return base !== lower && risky.has(lower) ? lower : base;
}

/** Shells with a version, and the tools of GNU on systems that have others, by their usual names. */
function canonical(name: string): string {
  if (name.startsWith("g") && gnu.has(name.slice(1))) return name.slice(1);
  return /^(?:static-)?((?:ba|da|k|mk|a|z|fi)?sh)(?:\.distrib|-static|-?[0-9][0-9.]*)$/.exec(name)?.[1] ??
    (name === "static-sh" ? "sh" : name);
}

const gnu: ReadonlySet<string> = new Set(
  "rm rmdir unlink shred mv cp dd chmod chown chgrp ln truncate tee install cat head tail base64 touch mkdir tac"
    .split(" "),
);

/** Programs with which harm can be done. */
export const risky: ReadonlySet<string> = new Set(
  "rm rmdir unlink shred dd mkfs mv chmod chown chgrp curl wget nc ncat socat ssh scp sudo doas su git sh bash zsh dash eval exec source find xargs python python3 node perl ruby php osascript powershell pwsh truncate tee kill pkill killall crontab systemctl docker kubectl terraform aws gcloud az base64 cat env guard"
    .split(" "),
);

/** True when text that could not be parsed as a whole might hold something that a rule would object to. */
export function mayHide(text: string): boolean {
  if (/[`\\]|\$[('{]|<\(/.test(text)) return true;
  return text.split(/[^A-Za-z0-9_.]+/).some((word) => risky.has(word) || word.startsWith("mkfs"));
}
