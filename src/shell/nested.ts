/** Code inside other code: its frame, and doubts about code that is not known. */

import type { Span, Word } from "./model.ts";
import type { Evaluation } from "./evaluate.ts";
import type { Call, Frame } from "./frame.ts";
import { type Atom, piecesText } from "./pieces.ts";

/** A frame one level further in. */
export function nested(
  call: Call,
  provenance: Frame["provenance"],
  label: string,
  more: Partial<Frame> = {},
): Frame {
  return {
    ...call.frame,
    provenance,
    via: [...call.frame.via, label],
    depth: call.frame.depth + 1,
    external: undefined,
    ...more,
  };
}

/** The file that holds the code of a frame inside a call; what a task of the project starts is a part of it. */
export function heldBy(call: Call, file: Word): Pick<Frame, "within"> {
  if (!file.isStatic) return {};
  return { within: { text: file.text, ...(call.frame.within?.task === true ? { task: true } : {}) } };
}

/** Arguments without a `--` in front of them. */
export function withoutDashes(args: readonly Word[]): readonly Word[] {
  return args[0]?.text === "--" ? args.slice(1) : args;
}

/** Where the arguments of a call stand. */
export function spanOfArgs(call: Call): Span {
  const first = call.args[0]?.span ?? call.span;
  const last = call.args[call.args.length - 1]?.span ?? call.span;
  return { start: Math.min(first.start, last.start), end: Math.max(first.end, last.end) };
}

/** Doubts code that is unknown as a whole and that no rule can judge by where it comes from. */
export function noteUnknownCode(evaluation: Evaluation, call: Call, code: readonly Atom[]): void {
  const lead = code.find((atom) => atom.kind !== "text" || atom.text.trim() !== "");
  if (lead?.kind !== "unknown") return;
  const inside = lead.invocations ?? [];
  const encoded = inside.some((one) => decoders.has(one.program));
  const judged = inside.some((one) => fetchers.has(one.program)) && !encoded;
  if (judged || isInitialiser(code)) return;
  if (lead.origin === "positional" && call.frame.moreArguments) return;
  evaluation.doubt(
    encoded ? "encoded-code" : "unknown-code",
    `${call.program} runs ${piecesText([lead])}, which cannot be known`,
    call.span,
  );
}

/** Doubts code that is known in part: data from another program makes the name of what runs, or goes on behind it. */
export function noteMadeUpCode(evaluation: Evaluation, call: Call, code: readonly Atom[]): void {
  const before = evaluation.doubts.length;
  const doubt = (what: string) =>
    evaluation.doubt("unknown-code", `${call.program} runs ${what}, which cannot be known`, call.span);
  let started = false;
  for (const [index, atom] of code.entries()) {
    if (atom.kind === "text") {
      const text: string = started ? atom.text : atom.text.trimStart();
      if (/[\s;&|<>()=]/.test(text)) break;
      started ||= text !== "";
      continue;
    }
    const next = code[index + 1];
    const assigned = next?.kind === "text" && next.text.startsWith("=");
    const handed = atom.kind === "unknown" && (atom.origin === "stdin" || atom.origin === "positional");
    if (started && handed && !assigned) doubt(piecesText(code).slice(0, 60));
    break;
  }
  if (call.frame.moreArguments && evaluation.doubts.length === before) doubt("what is handed to it");
}

/** Programs that turn unreadable text into code. */
export const decoders: ReadonlySet<string> = new Set(
  "base64 base32 xxd openssl gunzip zcat uudecode rev tr od bzip2 xz gpg".split(" "),
);
const fetchers = new Set(
  "curl wget http https aria2c fetch lynx invoke-webrequest invoke-restmethod".split(" "),
);

const initialisers = new Set(
  "ssh-agent direnv pyenv rbenv nodenv goenv jenv zoxide brew starship mise rtx asdf fnm nvm thefuck opam atuin mcfly navi dircolors register-python-argcomplete minikube docker-machine luarocks perl conda mamba micromamba gh kubectl helm op fzf keychain gpg-agent lesspipe tput resize basenc vault aws-vault sheldon antibody rustup cargo pip uv poetry ruby npm pnpm volta oh-my-posh devbox flox"
    .split(" "),
);
const initialising =
  /^(?:-s|-c|hook|init|env|shellenv|shell|activate|completion|completions|export|generate-shell-completion|docker-env|virtualenv-init|--eval|--sh|--path|path|config-env|--bootstrap|-|--shell.*|--auto|--alias|-I.*|-Mlocal::lib.*|print-env|-b|--agents)$/;

/** `eval "$(tool init shell)"` and its like. */
export function isInitialiser(code: readonly Atom[]): boolean {
  const atoms = code.filter((atom) => atom.kind !== "text" || atom.text.trim() !== "");
  const only = atoms[0];
  if (atoms.length !== 1 || only?.kind !== "unknown" || only.invocations === undefined) return false;
  const [first, ...rest] = only.invocations;
  if (first === undefined || rest.length > 0) return false;
  // Another `PATH`, or arguments from elsewhere, and it prints something else.
  if (first.assignments.length > 0 || first.args.some((word) => !word.isStatic)) return false;
  if (first.redirections.some((one) => one.operator.startsWith(">") && one.descriptor !== 2)) return false;
  if (first.program === "ssh-agent" || first.program === "dircolors" || first.program === "resize") {
    return true;
  }
  return initialisers.has(first.program) && first.args.some((word) => initialising.test(word.text));
}
