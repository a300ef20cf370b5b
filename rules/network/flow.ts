/** How data flows through a command: along pipes, out of substitutions, over files written on the way. */

import type { Invocation, PathUse, Piece, Understanding, Word } from "../../src/shell/model.ts";
import type { Context } from "../../src/types.ts";
import { locate } from "../../src/paths.ts";

/** Most nesting of substitutions that is followed. */
const maxDepth = 12;
/** Most pieces of data that are told apart at one place. */
const maxData = 16;

/** What flows, and what programs do to it. */
export interface FlowRules<T> {
  /** What a program brings in by itself, whatever its input. */
  source(invocation: Invocation, uses: readonly PathUse[]): readonly T[];
  /** What is left of its input in its output. */
  through(invocation: Invocation, data: readonly T[]): readonly T[];
  /** Paths in normal form that it writes beyond the uses of paths. */
  written?(invocation: Invocation): readonly string[];
}

/** Follows one kind of data through a command. */
export class Flow<T> {
  readonly #produced = new Map<Invocation, readonly T[]>();
  /** Paths that hold such data since an earlier command of the line. */
  readonly #files = new Map<string, readonly T[]>();
  readonly #reads = new Map<Invocation, PathUse[]>();
  /** Programs of each pipeline by their position. */
  readonly #members = new Map<string, Invocation[]>();

  readonly #context: Context;
  readonly #rules: FlowRules<T>;

  constructor(understanding: Understanding, uses: readonly PathUse[], context: Context, rules: FlowRules<T>) {
    this.#context = context;
    this.#rules = rules;
    for (const use of uses) {
      if (use.invocation === undefined) continue;
      const list = this.#reads.get(use.invocation);
      if (list === undefined) this.#reads.set(use.invocation, [use]);
      else list.push(use);
    }
    for (const invocation of understanding.invocations) {
      const position = `${invocation.pipeline.id}:${invocation.pipeline.index}`;
      const list = this.#members.get(position);
      if (list === undefined) this.#members.set(position, [invocation]);
      else list.push(invocation);
    }
    for (const invocation of understanding.invocations) {
      const data = this.output(invocation);
      if (data.length === 0) continue;
      for (const use of this.usesOf(invocation)) {
        if (use.operation === "write" || use.operation === "append") this.#taint(use, data);
        else if (use.operation === "read" && archivers.has(invocation.program)) this.#taint(use, data);
      }
      for (const path of rules.written?.(invocation) ?? []) this.#files.set(path, data);
    }
  }

  usesOf(invocation: Invocation): readonly PathUse[] {
    return this.#reads.get(invocation) ?? [];
  }

  /** What the output of a program may hold. */
  output(invocation: Invocation, depth = 0): readonly T[] {
    const known = this.#produced.get(invocation);
    if (known !== undefined) return known;
    if (depth > maxDepth) return [];
    // A cycle cannot come back with more than what is known by then.
    this.#produced.set(invocation, []);
    const own = this.#rules.source(invocation, this.usesOf(invocation));
    const taken = [
      ...this.input(invocation, depth + 1),
      ...this.files(invocation),
      ...this.echoed(invocation, depth + 1),
    ];
    const data = taken.length === 0 ? own : [...own, ...this.#rules.through(invocation, taken)];
    const told = data.length > 1 ? [...new Set(data)].slice(0, maxData) : data;
    this.#produced.set(invocation, told);
    return told;
  }

  /** What standard input may hold: the pipe, here-documents, here-strings. */
  input(invocation: Invocation, depth = 0): readonly T[] {
    const { id, index } = invocation.pipeline;
    const data: T[] = [];
    const redirected = invocation.redirections.some(({ operator, descriptor }) =>
      /^<(?:<|<<)?$/.test(operator) && (descriptor ?? 0) === 0
    );
    if (index > 0 && !redirected) {
      for (const one of this.#members.get(`${id}:${index - 1}`) ?? []) data.push(...this.output(one, depth));
    }
    for (const redirection of invocation.redirections) {
      if (redirection.body !== undefined) data.push(...this.word(redirection.body, depth));
      else if (redirection.operator === "<" || redirection.operator === "<>") {
        data.push(...this.word(redirection.target, depth));
      }
    }
    return data;
  }

  /** What files that it reads may hold because of earlier commands of the line. */
  files(invocation: Invocation): readonly T[] {
    const data: T[] = [];
    for (const use of this.usesOf(invocation)) {
      if (use.operation === "read" || use.operation === "execute") data.push(...this.file(use));
    }
    return data;
  }

  /** What a file holds because of earlier commands of the line. */
  file(use: PathUse): readonly T[] {
    if (this.#files.size === 0) return [];
    return locate(use, this.#context).locations.flatMap((one) => this.#files.get(one.path) ?? []);
  }

  /** What a path, in normal form, holds because of earlier commands of the line. */
  path(path: string): readonly T[] {
    return this.#files.get(path) ?? [];
  }

  /** What the substitutions in a word may put there. */
  word(word: Word, depth = 0): readonly T[] {
    return word.pieces.flatMap((piece) => this.piece(piece, depth));
  }

  piece(piece: Piece, depth = 0): readonly T[] {
    if (piece.kind !== "unknown" || piece.invocations === undefined || depth > maxDepth) return [];
    // What comes out of a substitution is the output of its last programs.
    return piece.invocations.flatMap((one) =>
      one.pipeline.index === one.pipeline.length - 1 ? this.output(one, depth + 1) : []
    );
  }

  /** Programs that print their arguments. */
  echoed(invocation: Invocation, depth: number): readonly T[] {
    if (!/^(?:echo|printf|print|write-output|write-host|cat|tee)$/.test(invocation.program.toLowerCase())) {
      return [];
    }
    return invocation.args.flatMap((word) => this.word(word, depth));
  }

  #taint(use: PathUse, data: readonly T[]): void {
    for (const location of locate(use, this.#context).locations) {
      if (!location.contents) this.#files.set(location.path, data);
    }
  }
}

/** Their first operand is written, though its use may count as a read. */
const archivers = new Set(["zip", "7z", "7za", "rar", "tar", "bsdtar", "gpg", "age", "openssl"]);

/** Programs whose output tells nothing about the content of their input. */
export const reducers: ReadonlySet<string> = new Set(
  "wc cksum sum md5 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum b2sum test [ ls stat du true false : sleep rm mkdir touch chmod ssh-keygen which file"
    .split(" "),
);
