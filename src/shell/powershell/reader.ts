/** Statements, pipelines and expressions of PowerShell, read and run in one pass. */

import type { Redirection } from "../model.ts";
import type { Frame } from "../frame.ts";
import { type Atom, plain, staticText, textWord } from "../pieces.ts";
import { joinDirectories } from "../scope.ts";
import { type Argument, runCommand } from "./commands.ts";
import { callMethod, textMethod } from "./dotnet.ts";
import { assign, emit, runNested } from "./place.ts";
import { fill, hidden, isQuote, type Items, joinLines } from "./values.ts";
import { WordReader } from "./words.ts";

const keywords: ReadonlySet<string> = new Set(
  "if elseif else while until do for switch try catch finally return throw trap begin process end param data default"
    .split(" "),
);

/** Reads and runs a text. */
export class StatementReader extends WordReader {
  protected override another(text: string, frame: Frame): StatementReader {
    return new StatementReader(this.evaluation, text, this.scope, frame, this.nesting + 1, this.blocks);
  }

  override statements(close: string): Items | undefined {
    let items: Items | undefined = [];
    while (true) {
      this.blank(true);
      this.evaluation.step();
      const char = this.text[this.at];
      if (char === undefined) return items;
      if (close !== "" && char === close) {
        this.at++;
        return items;
      }
      const before = this.at;
      if (/[;)}\]|,]/.test(char) || (char === "&" && !/[\s'"{($]/.test(this.text[this.at + 1] ?? ""))) {
        this.at++;
      } else items = this.#statement();
      this.#settle();
      if (this.at === before) this.at++;
    }
  }

  #settle(): void {
    const { failed } = this.scope;
    if (failed === undefined) return;
    this.scope.directory = joinDirectories(this.scope.directory, failed);
    this.scope.failed = undefined;
  }

  #statement(): Items | undefined {
    const word = /^[A-Za-z]+/.exec(this.text.slice(this.at, this.at + 12))?.[0].toLowerCase() ?? "";
    const behind = this.text[this.at + word.length] ?? "";
    if (keywords.has(word) && /[\s({;]|^$/.test(behind)) {
      this.at += word.length;
      return [];
    }
    if ((word === "function" || word === "filter") && /\s/.test(behind)) {
      this.at += word.length;
      this.blank(true);
      const name = /^[\w:-]+/.exec(this.text.slice(this.at, this.at + 80))?.[0] ?? "";
      this.at += name.length;
      this.blank(true);
      if (this.text[this.at] === "(") this.enclosed("(", ")");
      this.blank(true);
      if (this.text[this.at] === "{") this.blocks.set(name.toLowerCase(), this.enclosed("{", "}"));
      return [];
    }
    if (word === "foreach" && /[\s(]/.test(behind)) {
      const start = this.at;
      this.at += word.length;
      this.blank(false);
      if (this.text[this.at] === "(") return this.#foreach(this.enclosed("(", ")"));
      this.at = start;
    }
    const char = this.text[this.at]!;
    if (char === "{") {
      this.inside(this.enclosed("{", "}"));
      return undefined;
    }
    const assigned = /^(?:\[[\w.\[\]]{1,60}\]\s*)?\$(?:\{[^}\n]{1,80}\}|[\w:]+)\s*(?:\+|-|\?\?)?=(?!=)/
      .exec(this.text.slice(this.at, this.at + 200));
    if (assigned !== null) {
      this.at += assigned[0].length;
      this.blank(true);
      const name = /\$\{?([\w:]+)/.exec(assigned[0])?.[1]?.toLowerCase() ?? "";
      const value = this.#chain();
      const added = assigned[0].endsWith("+=");
      const old = added
        ? this.scope.variables.get(`ps:${name}`)?.values[0] ?? [hidden(`$${name}`, name)]
        : [];
      assign(this, name, value === undefined ? undefined : added ? [[...old, ...value[0] ?? []]] : value);
      return [];
    }
    return this.#chain();
  }

  #foreach(head: string): Items | undefined {
    this.blank(true);
    const body = this.text[this.at] === "{" ? this.enclosed("{", "}") : "";
    const match = /^\s*\$(\w+)\s+in\s+/i.exec(head.slice(0, 100));
    if (match === null) {
      this.inside(head);
      this.inside(body);
      return undefined;
    }
    const values = this.inside(head.slice(match[0].length));
    const name = match[1]!.toLowerCase();
    for (const value of values === undefined || values.length > 64 ? [[hidden(`$${name}`, name)]] : values) {
      assign(this, name, [value]);
      this.inside(body);
    }
    return undefined;
  }

  /** Pipelines joined by `&&` and `||`. */
  #chain(): Items | undefined {
    let items = this.#pipeline();
    while (true) {
      this.blank(false);
      const two = this.text.slice(this.at, this.at + 2);
      if (two !== "&&" && two !== "||") return items;
      const scope = this.scope;
      const failed = scope.failed;
      scope.failed = undefined;
      this.at += 2;
      this.blank(true);
      if (two === "||") {
        const success = scope.directory;
        if (failed !== undefined) scope.directory = failed;
        items = this.#pipeline();
        scope.directory = joinDirectories(success, scope.directory);
      } else {
        items = this.#pipeline();
        if (failed !== undefined && scope.failed === undefined) scope.failed = failed;
      }
    }
  }

  #pipeline(): Items | undefined {
    const id = this.evaluation.newPipeline();
    let items: Items | undefined;
    const first = this.evaluation.invocations.length;
    for (let index = 0; index < 1000; index++) {
      this.blank(index > 0);
      items = this.#command(
        index,
        { id, index, length: index + 1 },
        index === 0 ? undefined : items ?? "unknown",
      );
      this.blank(false);
      const more = this.text[this.at] === "|" && this.text[this.at + 1] !== "|";
      if (!more) {
        if (index > 0) this.#complete(id, first, index + 1);
        return items;
      }
      this.at++;
    }
    return undefined;
  }

  /** How long a pipeline is is known once it is read; a script among its members may have made it longer. */
  #complete(id: number, from: number, length: number): void {
    const { invocations } = this.evaluation;
    this.evaluation.step(invocations.length - from);
    for (let at = from; at < invocations.length; at++) {
      const one = invocations[at]!;
      if (one.pipeline.id !== id || one.pipeline.length >= length) continue;
      invocations[at] = { ...one, pipeline: { ...one.pipeline, length } };
    }
  }

  #command(
    index: number,
    pipeline: NonNullable<Frame["pipeline"]>,
    input: Items | "unknown" | undefined,
  ): Items | undefined {
    const start = this.at;
    const char = this.text[this.at] ?? "";
    const next = this.text[this.at + 1] ?? "";
    let called = false;
    if ((char === "&" || char === ".") && /[\s'"{($]/.test(next)) {
      this.at++;
      this.blank(false);
      called = true;
    }
    if (!called && /^['"$@(\[0-9]/.test(char) && index === 0) return this.#expression();
    const list: Argument[] = [];
    const redirections: Redirection[] = [];
    while (this.at < this.text.length) {
      this.blank(false);
      const at = this.text[this.at];
      if (at === undefined || /[\r\n;|)}]/.test(at)) break;
      if (at === "&") {
        if (this.text[this.at + 1] !== "&") this.at++;
        break;
      }
      const redirection = /^(?:[*0-9]?)>{1,2}(?:&[0-9])?/.exec(this.text.slice(this.at, this.at + 5))?.[0];
      if (redirection !== undefined) {
        const from = this.at;
        this.at += redirection.length;
        if (!redirection.includes("&")) {
          this.blank(false);
          redirections.push({
            operator: redirection.includes(">>") ? ">>" : ">",
            ...(/^[0-9]/.test(redirection) ? { descriptor: Number(redirection[0]) } : {}),
            target: this.argument()?.word ?? textWord("", this.span(from, from)),
            span: this.span(from, this.at),
          });
        }
        continue;
      }
      const before = this.at;
      const argument = this.argument();
      if (argument !== undefined) list.push(argument);
      if (this.at === before) this.at++;
    }
    const span = this.span(start, this.at);
    const stdin = Array.isArray(input) ? { atoms: joinLines(input as Items) } : undefined;
    const frame: Frame = { ...this.frame, pipeline, stdin };
    return runCommand(this, list, redirections, span, frame, input);
  }

  /** Values joined by operators, up to the end of the command. */
  #expression(): Items | undefined {
    let items: (readonly Atom[])[] | undefined = [];
    let joined = false;
    let format: readonly Atom[] | undefined;
    while (this.at < this.text.length) {
      this.blank(false);
      this.evaluation.step();
      const rest = this.text.slice(this.at, this.at + 12);
      if (rest === "" || /^[\r\n;|)}]/.test(rest)) break;
      if (rest.startsWith("&&")) break;
      const redirection = /^>{1,2}/.exec(rest)?.[0];
      if (redirection !== undefined) {
        this.at += redirection.length;
        this.blank(false);
        const target = this.argument()?.word;
        if (target !== undefined) {
          const operator = redirection === ">" ? ">" : ">>";
          emit(this, ":", [], [{ operator, target, span: target.span }], target.span);
        }
        continue;
      }
      if (rest[0] === ",") {
        this.at++;
        joined = false;
        continue;
      }
      if (rest[0] === "+") {
        this.at++;
        joined = true;
        continue;
      }
      const operator = /^-[a-z]{1,11}\b/i.exec(rest)?.[0].toLowerCase();
      if (operator !== undefined) {
        this.at += operator.length;
        if (operator === "-f") format = items?.[0];
        else if (operator !== "-as") items = undefined;
        if (operator === "-f") items = [];
        joined = false;
        continue;
      }
      if (/^[=!<*/%?]/.test(rest)) {
        this.at++;
        items = undefined;
        continue;
      }
      const before = this.at;
      const value = this.#value();
      if (this.at === before) this.at++;
      if (value === undefined) items = undefined;
      else if (items !== undefined) {
        if (joined && items.length > 0) {
          items[items.length - 1] = this.evaluation.weigh([...items[items.length - 1]!, ...value]);
        } else items.push(this.evaluation.weigh(value));
      }
      joined = false;
    }
    if (format !== undefined) return items === undefined ? undefined : [fill(format, items)];
    return items;
  }

  /** One operand of an expression. */
  #value(): readonly Atom[] | undefined {
    const text = this.text;
    const char = text[this.at]!;
    const start = this.at;
    if (char === "[") {
      const type = /^\[([\w.]{1,100})(?:\[\])?\]/.exec(text.slice(start, start + 120));
      if (type === null) {
        this.enclosed("[", "]");
        return [hidden("[…]")];
      }
      this.at += type[0].length;
      const method = /^::(\w+)/.exec(text.slice(this.at, this.at + 60))?.[1];
      // A cast leaves the value as it is.
      if (method === undefined) return this.#value();
      this.at += method.length + 2;
      const name = `${type[1]!.toLowerCase().replace(/^system\./, "")}.${method.toLowerCase()}`;
      if (text[this.at] !== "(") return this.#members([hidden(name)]);
      return this.#members(this.#method(name, this.enclosed("(", ")")));
    }
    let atoms: readonly Atom[] | undefined;
    if (isQuote(char)) atoms = this.string();
    else if (char === "@" && isQuote(text[start + 1] ?? "")) atoms = this.hereString();
    else if (char === "$") atoms = this.variable(true);
    else if (char === "(" || char === "@") atoms = this.group();
    else if (char === "{") {
      this.inside(this.enclosed("{", "}"));
      atoms = [hidden("{…}")];
    } else {
      const bare = /^[^\s;|,(){}'"$@+]+/.exec(text.slice(start, start + 200))?.[0] ?? "";
      this.at += bare.length;
      atoms = [plain(bare)];
    }
    return this.#members(atoms);
  }

  /** `.Method(…)`, `.Property`, `[0]` behind a value. */
  #members(value: readonly Atom[] | undefined): readonly Atom[] | undefined {
    let current = value;
    for (let round = 0; round < 200; round++) {
      const member = /^(?:\.|::)(\w+)/.exec(this.text.slice(this.at, this.at + 60));
      if (member !== null) {
        this.at += member[0].length;
        const name = member[1]!.toLowerCase();
        if (this.text[this.at] === "(") {
          const args = this.enclosed("(", ")");
          const text = staticText(current);
          if (name === "replace" || name === "trim" || name === "tostring" || name === "tolower") {
            current = textMethod(this, name, text, args);
          } else if (name === "invoke" && text !== undefined) {
            // `{…}.Invoke()` has been run; `[scriptblock]::Create(text).Invoke()` is run here.
            runNested(this, [plain(text)]);
            current = undefined;
          } else if (name === "delete" && text !== undefined) {
            emit(this, "remove-item", [text, "-Recurse"], [], this.here());
            current = undefined;
          } else current = this.#method(`*.${name}`, args);
        } else current = name === "fullname" || name === "path" ? current : [hidden(`.${member[1]}`)];
      } else if (this.text[this.at] === "[") {
        this.enclosed("[", "]");
        current = [hidden("[…]")];
      } else return current;
    }
    return current;
  }

  /** Calls a method whose arguments have just been read. */
  #method(name: string, args: string): readonly Atom[] | undefined {
    return callMethod(this, name, args, this.span(this.at - args.length, this.at));
  }
}
