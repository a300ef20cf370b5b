/** What scripts do: programs, shell commands and files that they start, write and read. */

import type { Evaluation } from "../evaluate.ts";
import type { Word } from "../model.ts";
import { type Atom, joinAtoms, makeWord, piecesText, plain, staticText, textWord } from "../pieces.ts";
import { noteUnknownCode } from "../nested.ts";
import { changeDirectory } from "../scope.ts";
import type { Effect } from "./effects.ts";
import { type Databases, databasesIn, isSql, statementWords, storeWords } from "./queries.ts";
import type { Place } from "./script.ts";
import type { Arguments, Value } from "./values.ts";

/** Carries the effects of a script over to the evaluation. */
export class Effects {
  /** What the script prints; undefined when that is not known. */
  printed: readonly Atom[] | undefined = [];
  readonly #place: Place;
  readonly #runCode: (code: readonly Atom[]) => void;
  #used: Databases | undefined;

  /** A program that works on a path. */
  use(program: string, path: Value): void {
    this.#program([program], [path]);
  }

  /** @param runCode follows code of the same language */
  constructor(place: Place, runCode: (code: readonly Atom[]) => void) {
    this.#place = place;
    this.#runCode = runCode;
  }

  /**
   * @param receiver what a method is called on, where that is its path
   * @param source text of the call
   */
  perform(effect: Effect, given: Arguments, receiver: Value | undefined, source: string): void {
    const [kind, ...flags] = effect.split(" ");
    const called = given.values.length > 0 ? undefined : given.named.get("path") ?? given.named.get("file");
    const own = called === undefined ? given.values : [called];
    const values = receiver === undefined ? own : [receiver, ...own];
    const [first, second] = values;
    switch (kind) {
      case "shell": {
        const target = first ?? given.named.get("args") ?? given.named.get("cmd");
        const command = target?.properties?.get("cmd") ?? target;
        if (command === undefined) return;
        if (
          command.list === undefined && values.length > 1 &&
          values.every((one) => one.list === undefined && one.properties === undefined)
        ) {
          this.#words(this.#place.script.language === "python" ? [command] : values);
        } else this.shell(command, /\bshell\s*[:=]\s*(?:true|True|1)\b/.test(source));
        return;
      }
      case "sql": {
        const named = given.named.get("sql") ?? given.named.get("query") ?? given.named.get("statement");
        const statement = [...given.values, ...(named === undefined ? [] : [named])]
          .flatMap((one) => one.properties?.get("text") ?? one.properties?.get("sql") ?? one)
          .find((one) => isSql(one.atoms));
        if (statement !== undefined && this.#databases().any) {
          this.#send(statementWords(this.#databases(), statement.atoms, this.#place.script.span));
        }
        return;
      }
      case "store":
        this.#send(storeWords(this.#databases(), flags, this.#place.script.span));
        return;
      case "words":
        this.#words(values.flatMap((one) => one.list ?? [one]));
        return;
      case "named": {
        const at = Number(flags[0] ?? 0);
        const program = values[at];
        const list = values[at + 1]?.list ?? values[at + 1]?.properties?.get("args")?.list ?? [];
        if (program === undefined) return;
        // Of the exec family the list begins with the name of the program.
        const args = this.#place.script.language === "python" ? list.slice(1) : list;
        if (
          /\bshell\s*:\s*true\b/.test(source) ||
          (list.length === 0 && /\s/.test(staticText(program.atoms) ?? ""))
        ) {
          this.shell({ atoms: joinAtoms([program, ...args].map((one) => one.atoms)) }, false);
        } else this.#words([program, ...args]);
        return;
      }
      case "rest": {
        const at = Number(flags[0] ?? 0);
        if (values[at] !== undefined) this.#words([values[at], ...values.slice(at + 2)]);
        return;
      }
      case "code":
        if (first !== undefined && first.name === undefined) {
          this.#code(values[values.length - 1]!.literal ? values[values.length - 1]! : first);
        }
        return;
      case "open":
        this.#open(values, given, flags[0] === "perl");
        return;
      case "print":
      case "write":
        this.#print(values, kind === "print");
        return;
      case "chdir": {
        const path = staticText(first?.atoms);
        const { scope } = this.#place.script;
        scope.directory = path === undefined
          ? { path: undefined, certain: false }
          : changeDirectory(scope.directory, path, this.#place.evaluation.options.windows === true);
        return;
      }
      case "2":
        if (first !== undefined && second !== undefined) this.#program(flags, [first, second]);
        return;
      case "second":
        if (second !== undefined) this.#program(flags, [second]);
        return;
      case "chmod": {
        const [path, mode] = flags[0] === "last" ? [values[1], values[0]] : [first, second];
        if (path !== undefined) {
          this.#program(["chmod", (staticText(mode?.atoms) ?? "").replace(/^0o?/, "") || "777"], [path]);
        }
        return;
      }
    }
    const program = [kind!, ...flags];
    const last = program[program.length - 1];
    if (last === "*") {
      this.#program(
        program.slice(0, -1),
        values.flatMap((one) => one.list ?? (one.properties === undefined ? [one] : [])),
      );
    } else if (last === "?") {
      const recursive = /\brecursive['"]?\s*[:=]\s*true\b/.test(source);
      if (first !== undefined) this.#program(recursive ? ["rm", "-rf"] : [program[0]!], [first]);
    } else if (first !== undefined) this.#program(program, first.list ?? [first]);
  }

  /** In a file of a project only what is known is followed: its unknown paths are its daily work. */
  #skips(atoms: readonly Atom[]): boolean {
    return this.#place.script.file !== undefined && atoms[0]?.kind === "unknown";
  }

  #program(program: readonly string[], operands: readonly Value[]): void {
    const known = operands.filter((one) => one.atoms.length > 0 && !this.#skips(one.atoms));
    if (known.length === 0) return;
    const { span } = this.#place.script;
    this.#run([
      ...program.map((text) => textWord(text, span)),
      ...known.map((one) => makeWord(one.atoms, span)),
    ]);
  }

  #run(words: Parameters<Evaluation["runWords"]>[0]): void {
    this.printed = undefined;
    const { scope, frame, span } = this.#place.script;
    this.#place.evaluation.runWords(words, [], [], span, scope, frame);
  }

  #databases(): Databases {
    return this.#used ??= databasesIn(piecesText(this.#place.script.code));
  }

  /** What a script sends to a database. The statements in a project's files are its daily work. */
  #send(words: readonly Word[]): void {
    const { file, call, scope, frame, span } = this.#place.script;
    this.printed = undefined;
    if (file === undefined) this.#place.evaluation.runWords(words, call.assignments, [], span, scope, frame);
  }

  #words(values: readonly Value[]): void {
    const first = values[0];
    if (first === undefined || this.#skips(first.atoms)) return;
    const { span } = this.#place.script;
    this.#run(values.filter((one) => one.properties === undefined).map((one) => makeWord(one.atoms, span)));
  }

  /** Runs a shell command, or a list of words unless they are `joined`. */
  shell(value: Value, joined: boolean): void {
    if (value.list !== undefined && !joined) {
      this.#words(value.list);
      return;
    }
    const atoms = value.list?.[0]?.atoms ?? value.atoms;
    this.printed = undefined;
    if (atoms.length === 0 || this.#skips(atoms)) return;
    const { call, scope, frame, span } = this.#place.script;
    noteUnknownCode(this.#place.evaluation, call, atoms);
    this.#place.evaluation.runCode(atoms, span, scope, frame);
  }

  /** `print text | command`. */
  feed(command: Value, text: Value): void {
    const { call, scope, frame, span } = this.#place.script;
    if (command.atoms.length === 0) return;
    noteUnknownCode(this.#place.evaluation, call, command.atoms);
    const stdin = text.literal === true ? { atoms: text.atoms } : undefined;
    this.#place.evaluation.runCode(command.atoms, span, scope, { ...frame, stdin });
  }

  #code(value: Value): void {
    if (value.atoms.length === 0 || value.properties !== undefined) return;
    if (value.atoms[0]?.kind === "unknown") {
      if (this.#place.script.file === undefined) {
        noteUnknownCode(this.#place.evaluation, this.#place.script.call, value.atoms);
      }
      return;
    }
    this.#runCode(value.atoms);
  }

  #open(values: readonly Value[], given: Arguments, threeParts: boolean): void {
    const [target, mode] = threeParts && values.length > 2
      ? [values[2], values[1]]
      : threeParts
      ? [values[1], undefined]
      : [values[0], values[1] ?? given.named.get("mode")];
    if (target === undefined) return;
    let path = target;
    let text = staticText(mode?.atoms) ?? "r";
    if (threeParts && values.length === 2) {
      // `open(F, ">$path")`: the mode is part of the name.
      const lead = path.atoms[0];
      const match = lead?.kind === "text" ? /^\s*(\+?[<>]{1,2}|\|)\s*/.exec(lead.text) : null;
      text = match?.[1] ?? "<";
      if (match !== null && lead?.kind === "text") {
        path = { atoms: [{ ...lead, text: lead.text.slice(match[0].length) }, ...path.atoms.slice(1)] };
      }
    }
    if (threeParts && (text.includes("|") || (staticText(path.atoms) ?? "").trimEnd().endsWith("|"))) {
      const command = path.atoms.map((atom): Atom =>
        atom.kind === "text" ? { ...atom, text: atom.text.replace(/\|\s*$/, "") } : atom
      );
      this.shell({ atoms: command }, false);
      return;
    }
    if (/^[rb<]*t?$/.test(text)) this.#program(["cat"], [path]);
    else if (/a|>>/.test(text)) this.#program(["tee", "-a"], [path]);
    else this.#program(["tee"], [path]);
  }

  #print(values: readonly Value[], newline: boolean): void {
    const atoms = joinAtoms(values.map((one) => one.atoms));
    if (
      this.printed === undefined || values.some((one) => one.list !== undefined) || this.printed.length > 1000
    ) {
      this.printed = undefined;
    } else {this.printed = [
        ...this.#place.evaluation.weigh(this.printed),
        ...atoms,
        ...newline ? [plain("\n")] : [],
      ];}
  }
}
