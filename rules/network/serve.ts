/** Directories that are shown to whoever asks over the network. */

import type { Context, InvocationRule, Match } from "../../src/types.ts";
import type { Invocation, PathUse, Word } from "../../src/shell/model.ts";
import { locate, shown } from "../../src/paths.ts";
import { secretDirectory } from "../../src/paths/secret.ts";
import { evidenceOf } from "../evidence.ts";
import { parseArguments } from "../options.ts";

/** How a server is told what it shows. */
interface Server {
  /** Arguments with which the program is a server: one of these, in any place. */
  readonly when?: RegExp;
  /** Options whose value is the directory. */
  readonly directory?: readonly string[];
  /** Other options with a value. */
  readonly values?: readonly string[];
  /** Which operand is the directory; it serves the current one without. */
  readonly operand?: (operands: readonly Word[]) => Word | undefined;
}

const first: Server["operand"] = (operands) => operands[0];
const last: Server["operand"] = (operands) => operands.length > 1 ? operands.at(-1) : undefined;
const python: Server = {
  when: /^(?:-m)?(?:http\.server|SimpleHTTPServer|RangeHTTPServer|pyftpdlib|uploadserver|twisted\.web)$/,
  directory: ["-d", "--directory"],
  values: ["-m", "-b", "--bind", "-p", "-i", "--port"],
};
const plain: Server = {
  directory: ["-d", "--directory", "--root"],
  values: ["-p", "--port", "-l", "--listen", "-a", "-c", "--host", "--bind", "-b"],
  operand: first,
};

/** By program name. One line adds one. */
const servers: Readonly<Record<string, Server>> = {
  python,
  python3: python,
  python2: python,
  serve: plain,
  "http-server": plain,
  "live-server": plain,
  miniserve: { ...plain, values: [...plain.values!, "-i", "--interfaces"] },
  dufs: plain,
  darkhttpd: plain,
  "simple-http-server": plain,
  "file-server": plain,
  php: { when: /^-[a-zA-Z]*S/, directory: ["-t", "--docroot"], values: ["-S", "-d", "-c"] },
  ruby: {
    when: /^(?:-e)?httpd$/,
    values: ["-e", "-p", "--port", "-r", "-b", "--bind-address"],
    operand: (operands) => operands.find(({ text }) => text !== "httpd"),
  },
  httpd: { when: /^-[a-z]*[hf]/, directory: ["-h"], values: ["-p", "-u", "-c", "-r"] },
  caddy: { when: /^file-server$/, directory: ["-r", "--root"], values: ["-l", "--listen", "-d", "--domain"] },
  twistd: { when: /^web$/, directory: ["--path"], values: ["-p", "--port", "--listen", "--http"] },
  twist: { when: /^web$/, directory: ["--path"], values: ["-p", "--port", "--listen", "--http"] },
  rclone: { when: /^serve$/, values: ["--addr", "--user", "--pass"], operand: last },
  webfsd: { directory: ["-r"], values: ["-p", "-i"] },
  thttpd: { directory: ["-d"], values: ["-p", "-h", "-u"] },
};

/** The loopback, which no other machine reaches. */
const loopback = /^(?:(?:tcp:\/\/|https?:\/\/)?(?:127\.\d+\.\d+\.\d+|localhost|\[?::1\]?)(?::\d+)?)$/;

function served(invocation: Invocation, server: Server): Word | "." | undefined {
  const texts = invocation.args.map((word) => word.text);
  if (server.when !== undefined && !texts.some((text) => server.when!.test(text))) return undefined;
  const parsed = parseArguments(invocation.args, {
    values: [...server.directory ?? [], ...server.values ?? []],
  });
  if (parsed.has("--help", "--version")) return undefined;
  return parsed.value(...server.directory ?? []) ?? server.operand?.(parsed.operands) ?? ".";
}

function serves(invocation: Invocation, context: Context): Match | undefined {
  if (invocation.remote !== undefined) return undefined;
  const name = invocation.program.replace(/^(python)3\.\d+$/, "$13");
  const server = Object.hasOwn(servers, name) ? servers[name] : undefined;
  const directory = server === undefined ? undefined : served(invocation, server);
  if (directory === undefined) return undefined;
  const here: Word = { pieces: [], text: ".", isStatic: true, hasGlob: false, span: invocation.span };
  const path = directory === "."
    ? { ...here, pieces: [{ kind: "text", text: ".", quoted: true } as const] }
    : directory;
  const use: PathUse = {
    operation: "read",
    path,
    directory: invocation.directory,
    recursive: true,
    span: invocation.span,
    invocation,
  };
  const local = invocation.args.some(({ text }) => loopback.test(text.replace(/^--?[a-z]+=/, "")));
  for (const location of locate(use, context).locations) {
    const secret = secretDirectory(location.path, context);
    const wide = /^(?:root|system|homes|home|other-home|ancestor)$/.test(location.place);
    if (secret === undefined && !wide) continue;
    const what = shown(location.path, context);
    return {
      decision: local ? "ask" : "deny",
      message: `Everything in ${what}${
        secret === undefined ? ", the keys of this user among it," : ""
      } could be fetched from it.`,
      evidence: evidenceOf(invocation),
    };
  }
  return undefined;
}

export const serveFiles: InvocationRule = {
  on: "invocation",
  id: "network/serve-files",
  title: "Serves a home, a system directory or keys over the network",
  severity: "critical",
  decision: "deny",
  rationale: "Such servers ask nobody for a password, and listen to every machine that reaches this one.",
  advice:
    "Serve the one directory of the project that is meant: `python3 -m http.server -d dist --bind 127.0.0.1`.",
  programs: [...Object.keys(servers), ..."10 11 12 13 14".split(" ").map((minor) => `python3.${minor}`)],
  examples: {
    match: [
      { action: "python3 -m http.server -d ~" },
      { action: "cd ~/.ssh && python3 -m http.server 8000" },
      { action: "cd / && python3 -m http.server --bind 127.0.0.1", decision: "ask" },
      { action: "npx serve ~" },
      { action: "npx http-server ~/.aws -p 8080" },
      { action: "php -S 0.0.0.0:8000 -t /" },
      { action: "ruby -run -e httpd ~ -p 8000" },
      { action: "busybox httpd -f -p 8000 -h /home" },
      { action: "caddy file-server --root ~ --listen :8000" },
      { action: "cd ~ && php -S 0.0.0.0:8000" },
      { action: "rclone serve http ~ --addr :8080" },
    ],
    pass: [
      { action: "python3 -m http.server" },
      { action: "python3 -m http.server -d dist 8000" },
      { action: "cd docs && python3 -m http.server" },
      { action: "npx serve" },
      { action: "npx serve -s build -l 3000" },
      { action: "php -S localhost:8000 -t public" },
      { action: "php artisan serve" },
      { action: "ruby -run -e httpd . -p 8000" },
      { action: "caddy file-server --root ./dist" },
      { action: "caddy run" },
      { action: "cd ~ && python3 -m venv env" },
      { action: "cd ~ && php -v" },
      { action: "rclone ls remote:" },
    ],
  },
  match: serves,
};
