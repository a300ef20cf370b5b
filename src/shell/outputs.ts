/** What simple text programs print for known arguments and input, without running them. */

import type { Call, Output } from "./frame.ts";
import { foundPlace, type Word } from "./model.ts";
import { type Atom, joinAtoms, plain, staticText, unknown } from "./pieces.ts";

/** Longest text that is computed; more than this is treated as unknown. */
const maxText = 128 * 1024;

/** Programs whose only effect is to make text out of text: what they make is suspicious where code is expected. */
export const textPrograms: ReadonlySet<string> = new Set(
  "echo printf cat rev tr base64 base32 xxd sed cut awk gawk mawk head tail tac od hexdump paste fold openssl gunzip zcat gzip xz bzip2 uudecode iconv perl python python3 ruby node jq"
    .split(" "),
);

/**
 * Output of a program, or undefined when it cannot be told. An empty array means that it prints nothing.
 *
 * @param program Base name of the program.
 * @param args Its arguments.
 * @param input Its standard input, when known.
 * @param directory The current directory, when certain.
 */
export function programOutput(
  program: string,
  args: readonly Word[],
  input: readonly Atom[] | undefined,
  directory: string | undefined,
): readonly Atom[] | undefined {
  switch (program) {
    case "echo":
      return echo(args);
    case "printf":
      return printf(args);
    case "print":
      return [...joinAtoms(args.map((word) => word.pieces)), plain("\n")];
    case "true":
    case "false":
    case ":":
    case "cd":
    case "export":
    case "sleep":
    case "set":
    case "unset":
    case "alias":
    case "read":
    case "trap":
    case "mkdir":
    case "rm":
    case "touch":
    case "chmod":
      return [];
    case "pwd":
      return directory === undefined ? undefined : [plain(directory + "\n")];
    case "which":
      return which(args);
    case "cat":
    case "tee":
      return program === "cat" && args.some((word) => word.text !== "-") ? undefined : input;
    case "dirname":
    case "basename":
      return pathPart(program, args);
  }
  const text = staticText(input);
  if (text === undefined || text.length > maxText) return undefined;
  const options = args.map((word) => word.text);
  const result = filter(program, options, text);
  return result === undefined ? undefined : [plain(result)];
}

function echo(args: readonly Word[]): readonly Atom[] | undefined {
  let index = 0;
  let escapes = false;
  let newline = true;
  for (; index < args.length; index++) {
    const option = args[index]!.text;
    if (!/^-[neE]+$/.test(option)) break;
    for (const letter of option.slice(1)) {
      if (letter === "n") newline = false;
      else escapes = letter === "e";
    }
  }
  const atoms = joinAtoms(args.slice(index).map((word) => word.pieces));
  const output = escapes
    ? atoms.map((atom): Atom => atom.kind === "text" ? plain(unescapeText(atom.text)) : atom)
    : atoms;
  return newline ? [...output, plain("\n")] : output;
}

/** Decodes the backslash escapes of `printf` and `echo -e`. */
function unescapeText(text: string): string {
  if (!text.includes("\\")) return text;
  const simple: Record<string, string> = {
    n: "\n",
    t: "\t",
    r: "\r",
    a: "\x07",
    b: "\b",
    f: "\f",
    v: "\v",
    e: "\x1b",
    E: "\x1b",
    "\\": "\\",
    '"': '"',
    "'": "'",
  };
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|(0?[0-7]{1,3})|([\s\S]))/g,
    (whole, hex, unicode, long, octal, char) => {
      if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16));
      if (unicode !== undefined) return String.fromCharCode(parseInt(unicode, 16));
      if (long !== undefined) {
        const code = parseInt(long, 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      }
      if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8) & 255);
      return simple[char] ?? whole;
    },
  );
}

function printf(args: readonly Word[]): readonly Atom[] | undefined {
  let start = 0;
  if (args[0]?.text === "--") start = 1;
  if (args[start]?.text === "-v") return [];
  const format = staticText(args[start]?.pieces);
  if (format === undefined) return undefined;
  const rest = args.slice(start + 1).map((word) => word.pieces as readonly Atom[]);
  const specs = format.match(/%%|%[-+ #0]*[0-9]*(?:\.[0-9]*)?[a-zA-Z]|[^%]+|%/g) ?? [];
  if (specs.length > 4096) return undefined;
  const consuming = specs.some((spec) => spec.length > 1 && spec[0] === "%" && spec !== "%%");
  const output: Atom[] = [];
  let next = 0;
  do {
    for (const spec of specs) {
      if (spec === "%%") output.push(plain("%"));
      else if (spec === "%") return undefined;
      else if (spec[0] !== "%") output.push(plain(unescapeText(spec)));
      else {
        const converted = convert(spec, rest[next++] ?? []);
        if (converted === undefined) return undefined;
        output.push(...converted);
      }
    }
  } while (consuming && next < rest.length);
  return output;
}

/** What one conversion of `printf` makes of an argument; undefined when that is not known. */
function convert(spec: string, argument: readonly Atom[]): readonly Atom[] | undefined {
  const [, flags, width, precision, conversion] = /^%([-+ #0]*)([0-9]*)(?:\.([0-9]*))?([a-zA-Z])$/.exec(
    spec,
  )!;
  if (spec === "%s") return argument;
  const text = staticText(argument);
  if (text === undefined || Number(width) > maxText || Number(precision) > 64) return undefined;
  const cut = (whole: string) => precision === undefined ? whole : whole.slice(0, Number(precision));
  const pad = (whole: string, zero: boolean) => {
    const length = Number(width);
    if (flags!.includes("-")) return plain(whole.padEnd(length));
    if (!zero || !flags!.includes("0") || precision !== undefined) return plain(whole.padStart(length));
    const sign = /^[-+ ]/.exec(whole)?.[0] ?? "";
    return plain(sign + whole.slice(sign.length).padStart(length - sign.length, "0"));
  };
  switch (conversion) {
    case "s":
      return [pad(cut(text), false)];
    case "b":
      return [pad(cut(unescapeText(text)), false)];
    case "q":
      return /^[A-Za-z0-9_./:@%+=-]+$/.test(text) ? [pad(text, false)] : undefined;
    case "c":
      return [pad(text.slice(0, 1), false)];
    case "d":
    case "i":
    case "u": {
      if (!/^-?(?:0|[1-9][0-9]{0,14})?$/.test(text) || text === "-") return undefined;
      const digits = text.replace("-", "").padStart(Math.max(1, Number(precision ?? 0)), "0");
      const sign = text.startsWith("-") ? "-" : /[+ ]/.exec(flags!)?.[0] ?? "";
      return sign !== "" && sign !== "-" && conversion === "u" ? undefined : [pad(sign + digits, true)];
    }
    case "x":
    case "X":
    case "o": {
      if (flags!.includes("#") || !/^(?:0x[0-9a-fA-F]{1,12}|0|[1-9][0-9]{0,14})?$/.test(text)) {
        return undefined;
      }
      const digits = Number(text).toString(conversion === "o" ? 8 : 16).padStart(Number(precision ?? 0), "0");
      return [pad(conversion === "X" ? digits.toUpperCase() : digits, true)];
    }
  }
  return undefined;
}

function which(args: readonly Word[]): readonly Atom[] | undefined {
  const operands = args.filter((word) => !word.text.startsWith("-"));
  if (operands.length !== 1) return undefined;
  // Its name is known, and not the directory.
  const place = unknown(foundPlace, "command", { mayBeEmpty: false });
  return [place, plain("/"), ...operands[0]!.pieces, plain("\n")];
}

function pathPart(program: string, args: readonly Word[]): readonly Atom[] | undefined {
  const text = args.length === 1 ? staticText(args[0]!.pieces) : undefined;
  if (text === undefined || text === "") return undefined;
  const path = text.length > 1 && text.endsWith("/") ? text.slice(0, -1) : text;
  const slash = path.lastIndexOf("/");
  if (program === "basename") return [plain(path.slice(slash + 1) + "\n")];
  return [plain((slash < 0 ? "." : slash === 0 ? "/" : path.slice(0, slash)) + "\n")];
}

function filter(program: string, args: readonly string[], text: string): string | undefined {
  const has = (...names: string[]) => args.some((arg) => names.includes(arg));
  switch (program) {
    case "base64":
    case "gbase64":
      if (args.some((arg) => /^(-d|-D|--decode|--d.*|-[a-zA-Z]*[dD][a-zA-Z]*)$/.test(arg))) {
        return decodeBase64(text);
      }
      return encodeBase64(text);
    case "openssl": {
      const base64 = args[0] === "base64" || has("-base64", "-a");
      return base64 && has("-d") && (args[0] === "base64" || args[0] === "enc")
        ? decodeBase64(text)
        : undefined;
    }
    case "xxd":
      return args.some((arg) => /^-(r|.*r.*)$/.test(arg)) && args.some((arg) => /^-.*p/.test(arg))
        ? decodeHex(text)
        : undefined;
    case "rev":
      return text.split("\n").map((line) => [...line].reverse().join("")).join("\n");
    case "tac":
      return text.replace(/\n$/, "").split("\n").reverse().join("\n") + "\n";
    case "tr":
      return translate(args, text);
    case "head":
    case "tail": {
      const count = args.length === 1
        ? /^-(?:n)?([0-9]{1,6})$/.exec(args[0]!)?.[1]
        : args.length === 2 && args[0] === "-n"
        ? /^[0-9]{1,6}$/.exec(args[1]!)?.[0]
        : args.length === 0
        ? "10"
        : undefined;
      if (count === undefined) return undefined;
      const lines = text.replace(/\n$/, "").split("\n");
      const kept = program === "head"
        ? lines.slice(0, Number(count))
        : Number(count) === 0
        ? []
        : lines.slice(-Number(count));
      return kept.length === 0 ? "" : kept.join("\n") + "\n";
    }
    case "sort":
    case "uniq":
    case "nl":
      return undefined;
    case "sed":
      return substituteSed(args, text);
    case "cut":
      return undefined;
  }
  return undefined;
}

/** Base64 as UTF-8 text; undefined when it is not valid. */
export function decodeBase64(text: string): string | undefined {
  const clean = text.replace(/\s+/g, "").replace(/-/g, "+").replace(/_/g, "/");
  try {
    const binary = atob(clean);
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}

function encodeBase64(text: string): string {
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary) + "\n";
}

function decodeHex(text: string): string | undefined {
  const clean = text.replace(/\s+/g, "");
  if (!/^([0-9a-fA-F]{2})*$/.test(clean)) return undefined;
  const bytes = new Uint8Array(clean.length / 2);
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = parseInt(clean.slice(index * 2, index * 2 + 2), 16);
  }
  return new TextDecoder().decode(bytes);
}

function translate(args: readonly string[], text: string): string | undefined {
  const deleting = args[0] === "-d";
  const [first, second] = deleting ? [args[1], ""] : args;
  if (first === undefined || second === undefined || first.startsWith("-") && first.length > 1) {
    return undefined;
  }
  if (args.length !== 2) return undefined;
  const from = characterSet(first);
  const to = characterSet(second);
  if (from === undefined || to === undefined) return undefined;
  const map = new Map<string, string>();
  from.forEach((char, index) => {
    map.set(char, deleting ? "" : to[Math.min(index, to.length - 1)] ?? char);
  });
  return [...text].map((char) => map.get(char) ?? char).join("");
}

function characterSet(text: string): string[] | undefined {
  const classes: Record<string, string> = {
    "[:lower:]": "a-z",
    "[:upper:]": "A-Z",
    "[:digit:]": "0-9",
    "[:space:]": " \t\n\r",
  };
  const source = unescapeText(classes[text] ?? text);
  if (source.includes("[:")) return undefined;
  const chars = [...source];
  const set: string[] = [];
  for (let index = 0; index < chars.length; index++) {
    if (chars[index + 1] === "-" && index + 2 < chars.length) {
      const low = chars[index]!.charCodeAt(0);
      const high = chars[index + 2]!.charCodeAt(0);
      if (high < low || high - low > 256) return undefined;
      for (let code = low; code <= high; code++) set.push(String.fromCharCode(code));
      index += 2;
    } else set.push(chars[index]!);
  }
  return set;
}

/** `sed 's/a/b/'` with a literal pattern. */
function substituteSed(args: readonly string[], text: string): string | undefined {
  const script = args.length === 1
    ? args[0]!
    : args.length === 2 && (args[0] === "-e" || args[0] === "-E")
    ? args[1]!
    : undefined;
  const match = script === undefined ? null : /^s([\/|#,:@])([^\\]*)\1([^\\&]*)\1(g?)$/.exec(script);
  if (match === null) return undefined;
  const [, delimiter, pattern, replacement, global] = match;
  if (pattern!.includes(delimiter!) || /[.*\[\]^$+?(){}]/.test(pattern!) || pattern === "") return undefined;
  if (text.length * replacement!.length > 1 << 20) return undefined;
  return text.split("\n").map((line) =>
    global === "g"
      ? line.replaceAll(pattern!, () => replacement!)
      : line.replace(pattern!, () => replacement!)
  ).join("\n");
}

/** What a program prints, where that can be told. */
export function printed(call: Call): Output {
  const { directory } = call.scope;
  if (call.frame.moreArguments && /^(?:echo|printf|print)$/.test(call.program)) return undefined;
  return programOutput(
    call.program,
    call.args,
    call.frame.stdin?.atoms,
    directory.certain && call.scope.failed === undefined ? directory.path : undefined,
  );
}
