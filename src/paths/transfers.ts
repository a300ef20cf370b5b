/** Paths that programs copy from and to other machines and directories. */

import { parseArguments } from "../../rules/options.ts";
import type { Invocation } from "../shell/model.ts";
import { dropStart, staticWord } from "../words.ts";
import type { Draft } from "./draft.ts";

const curlData = [
  "-d",
  "--data",
  "--data-binary",
  "--data-ascii",
  "--data-urlencode",
  "--json",
  "-H",
  "--header",
];
const curlForm = ["-F", "--form"];
const curlWrites = [
  "-o",
  "--output",
  "-c",
  "--cookie-jar",
  "-D",
  "--dump-header",
  "--trace",
  "--trace-ascii",
  "--stderr",
];
const curlReads = ["-T", "--upload-file", "-K", "--config", "--url-query"];

/** What `curl` does to paths. */
export function curl(invocation: Invocation): readonly Draft[] {
  const parsed = parseArguments(invocation.args, {
    values: [
      ...curlData,
      ...curlForm,
      ...curlWrites,
      ...curlReads,
      "-X",
      "--request",
      "-u",
      "--user",
      "-A",
      "--user-agent",
      "-e",
      "--referer",
      "-m",
      "--max-time",
      "-x",
      "--proxy",
      "-w",
      "--write-out",
      "-b",
      "--cookie",
      "-E",
      "--cert",
      "--key",
      "--cacert",
      "--retry",
      "--connect-timeout",
      "--resolve",
      "-r",
      "--range",
      "--url",
      "--data-raw",
      "--form-string",
      "--output-dir",
      "-C",
      "-y",
      "-Y",
      "-z",
      "-t",
    ],
  });
  const drafts: Draft[] = [];
  const outputDirectory = parsed.value("--output-dir");
  for (const { name, value } of parsed.options) {
    if (value === undefined) continue;
    const text = value.text;
    if (curlWrites.includes(name) && text !== "-") {
      drafts.push({
        operation: "write",
        path: value,
        base: name === "-o" || name === "--output" ? outputDirectory : undefined,
      });
    } else if (curlReads.includes(name) && text !== "-" && text !== "." && name !== "--url-query") {
      drafts.push({ operation: "read", path: value });
    } else if (curlData.includes(name) || name === "-b" || name === "--cookie") {
      // `@file`, and `name@file` for --data-urlencode.
      const at = name === "--data-urlencode" && !text.includes("=")
        ? text.indexOf("@")
        : text.startsWith("@")
        ? 0
        : -1;
      if (at >= 0 && text !== "@-") drafts.push({ operation: "read", path: dropStart(value, at + 1) });
      else if ((name === "-b" || name === "--cookie") && !text.includes("=") && text !== "") {
        drafts.push({ operation: "read", path: value });
      }
    } else if (curlForm.includes(name)) {
      const sign = /=[@<]/.exec(text);
      if (sign !== null) {
        const path = dropStart(value, sign.index + 2);
        const options = path.isStatic ? path.text.indexOf(";") : -1;
        if (path.text !== "-") {
          drafts.push({
            operation: "read",
            path: options < 0 ? path : staticWord(path.text.slice(0, options), path.span),
          });
        }
      }
    }
  }
  for (const word of [...parsed.operands, ...parsed.values("--url")]) {
    if (/^file:\/\//i.test(word.text)) drafts.push({ operation: "read", path: dropStart(word, 7) });
  }
  return drafts;
}

/** True for `host:path` and `rsync://…`, which are not local. */
function isRemoteOperand(text: string): boolean {
  return /^(?:rsync|ssh):\/\//i.test(text) || /^(?:[^/@:\s]+@)?[^/:\s]{2,}:/.test(text);
}

/** What `rsync` does to paths. */
export function rsync(invocation: Invocation): readonly Draft[] {
  const parsed = parseArguments(invocation.args, {
    values: [
      "-e",
      "-f",
      "-T",
      "-B",
      "--rsh",
      "--filter",
      "--exclude",
      "--include",
      "--exclude-from",
      "--include-from",
      "--files-from",
      "--rsync-path",
      "--bwlimit",
      "--partial-dir",
      "--log-file",
      "--max-size",
      "--backup-dir",
      "--password-file",
      "--timeout",
      "--port",
      "--chmod",
      "--chown",
    ],
  });
  const last = parsed.operands.at(-1);
  const deletes = parsed.options.some((option) => /^--del(?:ete.*)?$/.test(option.name)) &&
    !parsed.has("-n", "--dry-run");
  const drafts: Draft[] = [];
  for (const path of parsed.operands) {
    if (isRemoteOperand(path.text)) continue;
    if (path !== last || parsed.operands.length === 1) {
      drafts.push({ operation: "read", path, recursive: true });
      if (parsed.has("--remove-source-files")) {
        drafts.push({ operation: "delete", path, recursive: true, filter: "*" });
      }
    } else {
      drafts.push({ operation: "append", path, recursive: true });
      // What the source lacks is deleted: everything when the source is empty.
      if (deletes) drafts.push({ operation: "delete", path, recursive: true });
    }
  }
  return drafts;
}

/** What `robocopy` does to paths. */
export function robocopy(invocation: Invocation): readonly Draft[] {
  const paths = invocation.args.filter((word) => !word.text.startsWith("/") || word.text.startsWith("//"));
  const mirrors = invocation.args.some((word) => /^\/(?:mir|purge)$/i.test(word.text));
  const [source, destination] = paths;
  const drafts: Draft[] = [];
  if (source !== undefined) drafts.push({ operation: "read", path: source, recursive: true });
  if (destination !== undefined) {
    drafts.push({ operation: mirrors ? "delete" : "append", path: destination, recursive: true });
  }
  return drafts;
}
