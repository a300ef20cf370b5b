/** Paths that programs copy from and to other machines and directories. */

import { parseArguments } from "../../rules/options.ts";
import type { Invocation, Word } from "../shell/model.ts";
import { dropStart, staticWord } from "../words.ts";
import type { Draft } from "./draft.ts";
import { fromFileUrl } from "./normal.ts";

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
  const named = parsed.has("-O", "--remote-name", "--remote-name-all");
  for (const word of [...parsed.operands, ...parsed.values("--url")]) {
    const path = named ? downloaded(word) : undefined;
    if (path !== undefined) drafts.push({ operation: "append", path, base: outputDirectory });
    if (/^file:\//i.test(word.text)) {
      const path = word.isStatic ? staticWord(fromFileUrl(word.text), word.span) : dropStart(word, 7);
      drafts.push({ operation: "read", path });
    }
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

/** The file that an address is stored in by default: the last part of its path. */
function downloaded(address: Word): Word | undefined {
  // An unquoted `?` is a glob to the shell, and stays where no file matches.
  if (address.pieces.some(({ kind }) => kind === "unknown")) return undefined;
  const path = address.text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "").replace(/[?#].*$/s, "");
  const slash = path.lastIndexOf("/");
  return slash < 0 || slash === path.length - 1 ? undefined : staticWord(path.slice(slash + 1), address.span);
}

/** What `wget` does to paths. */
export function wget(invocation: Invocation): readonly Draft[] {
  const parsed = parseArguments(invocation.args, {
    values: [
      "-O",
      "-o",
      "-a",
      "-P",
      "-i",
      "-U",
      "-t",
      "-T",
      "-w",
      "-Q",
      "-l",
      "-A",
      "-R",
      "-D",
      "-I",
      "-X",
      "-e",
      "-B",
      "--output-document",
      "--output-file",
      "--append-output",
      "--directory-prefix",
      "--input-file",
      "--post-file",
      "--post-data",
      "--body-file",
      "--body-data",
      "--header",
      "--user-agent",
      "--load-cookies",
      "--save-cookies",
      "--tries",
      "--timeout",
      "--level",
      "--user",
      "--password",
      "--method",
      "--ca-certificate",
      "--certificate",
      "--private-key",
    ],
  });
  const drafts: Draft[] = [];
  const written = parsed.values("-O", "--output-document");
  for (const path of [...written, ...parsed.values("-o", "--output-file", "--save-cookies")]) {
    if (path.text !== "-") drafts.push({ operation: "write", path });
  }
  for (const path of parsed.values("-a", "--append-output")) drafts.push({ operation: "append", path });
  for (
    const path of parsed.values("--post-file", "--body-file", "-i", "--input-file", "--load-cookies")
  ) {
    if (path.text !== "-") drafts.push({ operation: "read", path });
  }
  if (written.length === 0 && !parsed.has("--spider")) {
    const base = parsed.value("-P", "--directory-prefix");
    for (const address of parsed.operands) {
      const path = downloaded(address);
      if (path !== undefined) drafts.push({ operation: "append", path, base });
    }
  }
  return drafts;
}

/** `docker cp` and its like: one of two operands is `container:path`. And what `docker run` mounts from hidden directories. */
export function containerCopy(invocation: Invocation): readonly Draft[] {
  if (invocation.args.some((word) => word.text === "run" || word.text === "create")) {
    return mounted(invocation);
  }
  const at = invocation.args.findIndex((word) => word.text === "cp");
  // A verb before it other than `container` has operands of its own.
  if (at < 0 || invocation.args.slice(0, at).some((word) => /^(?:run|exec|compose|build)$/.test(word.text))) {
    return [];
  }
  const { operands } = parseArguments(invocation.args.slice(at + 1), { values: ["-c", "-n", "--container"] });
  return copied(operands, (text) => /^[^/.~][^/]*:/.test(text));
}

/** Directories in which programs keep their settings, and which a container may change. */
function mounted({ args }: Invocation): readonly Draft[] {
  const drafts: Draft[] = [];
  for (const [index, word] of args.entries()) {
    const option = /^(-v|--volume|--mount)(?:=|$)/.exec(word.text);
    const value = option === null
      ? undefined
      : word.text.includes("=") && option[1] !== word.text
      ? dropStart(word, option[0].length)
      : args[index + 1];
    if (value === undefined || !value.isStatic) continue;
    const named = /(?:^|,)(?:source|src)=([^,]*)/.exec(value.text);
    const source = option![1] === "--mount" ? named?.[1] ?? "" : value.text.split(":")[0]!;
    const readOnly = /:(?:.*,)?ro(?:,|$)|(?:^|,)(?:readonly|ro)(?:=true)?(?:,|$)/.test(value.text);
    if (readOnly || !/(?:^|\/)\.[^./]/.test(source)) continue;
    drafts.push({ operation: "append", path: staticWord(source, value.span), recursive: true });
  }
  return drafts;
}

/** Copies from and to the storage of a cloud: `aws s3 cp`, `gsutil cp`, `gcloud storage cp`, `rclone copy`. */
export function cloudCopy(invocation: Invocation): readonly Draft[] {
  const verbs =
    parseArguments(invocation.args, { values: ["--profile", "--region", "--project", "--config"] })
      .operands;
  const at = verbs.slice(0, 3).findIndex((word) =>
    /^(?:cp|mv|sync|rsync|copy|copyto|move|moveto)$/.test(word.text)
  );
  if (at < 0) return [];
  // What is sent away is a matter of the network's rules.
  return copied(verbs.slice(at + 1), (text) => /^[a-z0-9]+:/i.test(text)).filter(({ operation }) =>
    operation !== "read"
  );
}

function copied(operands: readonly Word[], isRemote: (text: string) => boolean): readonly Draft[] {
  const last = operands.at(-1);
  return operands.flatMap((path): Draft[] =>
    isRemote(path.text) || path.text === "-"
      ? []
      : [{ operation: path === last && operands.length > 1 ? "append" : "read", path, recursive: true }]
  );
}
