/** Makefiles, as far as their recipes are told by the text: variables, prerequisites, patterns, the common functions. */

import { staticText, unknown } from "./pieces.ts";
import { pathFrom, type ScriptRequest, type ScriptStep, takenIn } from "./project_scripts.ts";

/** Targets that need one another, and values that name one another, are not followed deeper. */
const maxDepth = 60;
/** Longest text that variables may make, in characters. */
const maxExpansion = 64 * 1024;

interface MakeRule {
  readonly targets: readonly string[];
  readonly needs: string;
  readonly lines: string[];
}

/** Values that a variable may have: behind conditions there are several. */
type Values = string[];

/** The recipes that are run for the targets, one step for each line. */
export function readMakefile(request: ScriptRequest): readonly ScriptStep[] {
  return new Makefile(request).steps();
}

class Makefile {
  readonly #request: ScriptRequest;
  readonly #variables = new Map<string, Values>();
  /** Names that a command line, which nothing in the file replaces, gives a value. */
  readonly #fixed = new Set<string>();
  readonly #rules = new Map<string, MakeRule[]>();
  readonly #patterns: MakeRule[] = [];
  readonly #steps: ScriptStep[] = [];
  readonly #done = new Set<string>();
  /** Names of variables that the recipes' shells find. */
  readonly #exported = new Set<string>();
  /** The file is being read, and what it expands runs at once. */
  #reading = true;
  #first: string | undefined;
  readonly #included = new Set<string>();
  /** Names of included files that were not known where they stand. */
  readonly #unread: string[] = [];
  /** Which of several values, and of the sides of a condition, counts. */
  #which = 0;
  /** A function has chosen between two sides. */
  #chose = false;
  readonly #includedNames: string[] = [];

  constructor(request: ScriptRequest) {
    this.#request = request;
    const { call, order, evaluation, directory } = request;
    for (const { name, value } of call.assignments) {
      this.#variables.set(name, [evaluation.codeText(value.pieces)]);
    }
    for (const [name, variable] of call.scope.variables) {
      const text = staticText(variable.values[0]);
      if (text !== undefined && variable.unset !== true && !this.#variables.has(name)) {
        this.#variables.set(name, [text]);
      }
    }
    const standard = {
      MAKE: "make",
      RM: "rm -f",
      CURDIR: directory,
      HOME: evaluation.options.home,
      CC: "cc",
      CXX: "c++",
      AR: "ar",
    };
    for (const [name, text] of Object.entries(standard)) this.#variables.set(name, [text]);
    for (const { name, value } of order.settings) {
      this.#variables.set(name, [evaluation.codeText(value.pieces)]);
      this.#fixed.add(name);
    }
    for (const name of this.#variables.get("MAKEFILES")?.at(-1)?.split(/\s+/).slice(0, 16) ?? []) {
      this.#include(name);
    }
    this.#read(request.text);
    for (const names of this.#unread) {
      for (const name of this.#expand(names).split(/\s+/)) this.#include(name);
    }
    this.#reading = false;
  }

  steps(): readonly ScriptStep[] {
    const goal = this.#variables.get(".DEFAULT_GOAL")?.at(-1) ?? this.#first;
    const goals = this.#request.names.length > 0
      ? this.#request.names
      : goal === undefined
      ? []
      : [this.#expand(goal)];
    // make first makes its own files anew, where a rule says how.
    const own = ["Makefile", "makefile", "GNUmakefile", ...this.#includedNames].filter((one) =>
      this.#rules.has(one)
    );
    const readings = Math.max(1, ...[...this.#variables.values()].map(({ length }) => length));
    for (let reading = 0; reading < Math.max(readings, this.#chose ? 2 : 1); reading++) {
      this.#which = reading;
      this.#done.clear();
      for (const name of [...own, ...goals]) this.#make(name, 0);
    }
    const flags = this.#variables.get(".SHELLFLAGS");
    if (flags !== undefined && this.#steps.length > 0 && !/^-[a-z]*c$/.test(flags.at(-1)!.trim())) {
      this.#add({ name: ".SHELLFLAGS", code: `sh ${this.#expand(flags.at(-1)!)} :` });
    }
    const seen = new Set<string>();
    return this.#steps.filter(({ name, code }) =>
      !seen.has(`${name}\n${code}`) && seen.add(`${name}\n${code}`)
    );
  }

  // The file.

  #read(text: string): void {
    let rules: readonly MakeRule[] = [];
    let conditions = 0;
    let defined: { readonly name: string; readonly lines: string[] } | undefined;
    for (const line of text.replaceAll("\r\n", "\n").replaceAll("\\\n", " ").split("\n")) {
      this.#request.evaluation.step(6 + (line.length >> 4));
      if (defined !== undefined) {
        if (/^\s*endef\b/.test(line)) {
          this.#assign(defined.name, "=", defined.lines.join("\n"), conditions > 0);
          defined = undefined;
        } else defined.lines.push(line);
        continue;
      }
      const prefix = this.#variables.get(".RECIPEPREFIX")?.at(-1)?.slice(0, 1) || "\t";
      if (line.startsWith(prefix) && rules.length > 0) {
        for (const rule of rules) rule.lines.push(line.slice(1));
        continue;
      }
      const plainLine = withoutComment(line).trim();
      if (plainLine === "") continue;
      const word = /^[\w.-]+/.exec(plainLine)?.[0] ?? "";
      if (/^(?:ifeq|ifneq|ifdef|ifndef)$/.test(word)) {
        conditions++;
        this.#runShells(plainLine);
        continue;
      }
      if (word === "else") {
        this.#runShells(plainLine);
        continue;
      }
      if (word === "endif") {
        conditions = Math.max(0, conditions - 1);
        continue;
      }
      if (/^-?s?include$/.test(word)) {
        const names = plainLine.slice(word.length);
        if (/\$/.test(names)) this.#unread.push(names);
        for (const name of this.#expand(names).split(/\s+/)) this.#include(name);
        continue;
      }
      const define = /^(?:override\s+)?define\s+([\w.-]+)/.exec(plainLine)?.[1];
      if (define !== undefined) {
        defined = { name: define, lines: [] };
        continue;
      }
      if (/^(?:override\s+)?export\b/.test(plainLine)) {
        for (const name of plainLine.replace(/[:+?!]*=.*$/s, "").split(/\s+/)) this.#exported.add(name);
        if (!plainLine.includes("=")) continue;
      }
      const assignment =
        /^(?:(?:override|export|private)\s+)*([^\s:=#+?!]+)\s*(\+=|\?=|!=|:{1,3}=|=)\s*(.*)$/s.exec(
          plainLine,
        );
      if (assignment !== null) {
        this.#assign(this.#expand(assignment[1]!), assignment[2]!, assignment[3]!, conditions > 0);
        rules = [];
        continue;
      }
      rules = this.#rule(plainLine);
      if (rules.length === 0) this.#runShells(plainLine);
    }
  }

  #include(name: string): void {
    const { evaluation, directory } = this.#request;
    if (name.includes("*") && !name.includes("/")) {
      const [head = "", tail = ""] = name.split(/\*+/, 2);
      const found = (evaluation.options.list?.(directory) ?? []).filter((one) =>
        one.startsWith(head) && one.endsWith(tail) && !one.includes("*")
      );
      for (const one of found.slice(0, 50)) this.#include(one);
      return;
    }
    const path = pathFrom(directory, name);
    if (!/^[\w.,+@~/-]+$/.test(name) || this.#included.has(path)) return;
    this.#includedNames.push(name);
    this.#included.add(path);
    evaluation.step(60);
    const text = takenIn(this.#request, path);
    if (text !== undefined) this.#read(text);
  }

  #assign(name: string, operator: string, value: string, conditional: boolean): void {
    const text = operator === "!=" ? `$(shell ${value})` : value;
    // What is assigned at once runs its commands at once.
    if (operator !== "=" && operator !== "?=") this.#runShells(text);
    if (this.#fixed.has(name)) return;
    const before = this.#variables.get(name);
    if (operator === "?=" && before !== undefined) return;
    if (operator === "+=") {
      this.#variables.set(name, (before ?? [""]).map((one) => `${one} ${text}`.trim()));
    } else if (operator.startsWith(":") && value.includes("$")) {
      // A value that names itself is taken as it is now.
      const now = this.#expand(value);
      this.#variables.set(name, conditional && before !== undefined ? [...before, now].slice(-4) : [now]);
    } else {this.#variables.set(
        name,
        conditional && before !== undefined ? [...before, text].slice(-4) : [text],
      );}
  }

  #rule(line: string): readonly MakeRule[] {
    const colon = ruleColon(line);
    if (colon < 0) return [];
    const end = line.indexOf(";", colon);
    const rest = line.slice(colon).replace(/^:{1,2}/, "");
    const inner = end < 0 ? rest : rest.slice(0, end - line.length);
    const setting = /^\s*(?:(?:override|export|private)\s+)*([\w.-]+)\s*(!|[:+?]*)=\s*(.*)$/s.exec(rest);
    if (setting !== null) {
      this.#assign(setting[1]!, setting[2] === "!" ? "!=" : "=", setting[3]!, true);
      return [];
    }
    const targets = this.#expand(line.slice(0, colon)).split(/\s+/).filter((one) => one !== "");
    if (targets.length === 0) return [];
    this.#runShells(inner);
    const patterned = ruleColon(inner);
    // `objects: %.o: %.c`
    const needs = (patterned < 0 ? inner : inner.slice(patterned + 1)).replace("|", " ");
    const rule: MakeRule = {
      targets: patterned < 0
        ? targets
        : [...this.#expand(inner.slice(0, patterned)).split(/\s+/), ...targets],
      needs,
      lines: end < 0 ? [] : [line.slice(end + 1)],
    };
    for (const target of targets) {
      // `.c.o:` is `%.o: %.c`.
      const suffix = /^\.[^./%]+(\.[^./%]+)$/.exec(target)?.[1];
      if (suffix !== undefined) this.#patterns.push({ ...rule, targets: [`%${suffix}`], needs: "" });
      if (target.includes("%")) this.#patterns.push(rule);
      else {
        const known = this.#rules.get(target);
        if (known === undefined) this.#rules.set(target, [rule]);
        else known.push(rule);
        if (this.#first === undefined && (!target.startsWith(".") || target.includes("/"))) {
          this.#first = target;
        }
      }
    }
    return [rule];
  }

  /** Commands that are run while the file is read. */
  #runShells(text: string): void {
    if (/\$[({](?:shell|eval|foreach|call|if|file|let)[ \t]/.test(text)) this.#expand(text);
  }

  // The targets.

  #add(step: ScriptStep): void {
    this.#request.evaluation.step(10);
    this.#steps.push(step);
  }

  #make(target: string, depth: number): void {
    if (this.#done.has(target)) return;
    this.#done.add(target);
    this.#request.evaluation.step(depth > maxDepth ? Infinity : 8 + (target.length >> 3));
    const rules = [...this.#rules.get(target) ?? []];
    if (!rules.some(({ lines }) => lines.length > 0)) {
      this.#request.evaluation.step(this.#patterns.length >> 1);
      const rule = this.#patterns.find((one) =>
        one.lines.length > 0 && one.targets.some((pattern) => stemOf(pattern, target) !== undefined)
      );
      if (rule !== undefined) rules.push(rule);
      // What has no rule of its own, on which nothing else depends.
      else if (depth === 0 && rules.length === 0) rules.push(...this.#rules.get(".DEFAULT") ?? []);
    }
    for (const rule of rules) {
      const pattern = rule.targets.find((one) => one.includes("%") && stemOf(one, target) !== undefined);
      const stem = pattern === undefined ? "" : stemOf(pattern, target)!;
      const written = this.#expand(rule.needs);
      const needs = (this.#rules.has(".SECONDEXPANSION") ? this.#expand(written) : written).split(/\s+/)
        .filter((one) => one !== "").map((one) => one.replace("%", stem));
      for (const need of needs) this.#make(need, depth + 1);
      const own: Readonly<Record<string, string>> = {
        "@": target,
        "*": stem,
        "<": needs[0] ?? "",
        "^": needs.join(" "),
        "+": needs.join(" "),
        "?": needs.join(" "),
        "@D": target.includes("/") ? target.slice(0, target.lastIndexOf("/")) : ".",
        "@F": target.slice(target.lastIndexOf("/") + 1),
      };
      for (const line of this.#rules.has(".ONESHELL") ? [rule.lines.join("\n")] : rule.lines) {
        const expanded = this.#expand(line, own);
        for (const code of this.#rules.has(".ONESHELL") ? [expanded] : expanded.split("\n")) {
          const text = code.replace(/^[\s@+-]+/, "");
          if (text !== "" && !text.startsWith("#")) {
            this.#add({ name: target, code: text, variables: this.#environment(own), ...this.#shell() });
          }
        }
      }
    }
  }

  /** What the recipe's shell finds in its environment. */
  #environment(own: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
    const all = this.#exported.size === 1 && this.#exported.has("export");
    const names = [...all ? this.#variables.keys() : this.#exported].filter((name) =>
      /^[A-Za-z_]\w*$/.test(name)
    );
    const pairs = names.filter((name) => this.#variables.has(name)).map((name) =>
      [name, this.#named(name, own, 0)] as const
    );
    return new Map(pairs);
  }

  /** Another program that reads the lines. */
  #shell(): Pick<ScriptStep, "interpreter"> {
    const shell = this.#variables.get("SHELL")?.at(-1);
    if (
      shell === undefined || this.#fixed.has("SHELL") ||
      /^(?:\/usr)?(?:\/bin\/)?(?:ba|da|z|k)?sh$/.test(shell)
    ) return {};
    const words = this.#expand(shell).trim().split(/\s+/);
    return words[0] === "" || /(?:ba|da|z|k)sh$/.test(words[0]!) ? {} : { interpreter: words };
  }

  // Variables.

  /** A text with its variables put in. @param own those of the rule */
  #expand(text: string, own: Readonly<Record<string, string>> = {}, depth = 0): string {
    if (!text.includes("$")) return text;
    const { evaluation } = this.#request;
    evaluation.step(6);
    const parts: string[] = [];
    let size = 0;
    const put = (part: string) => {
      size += part.length;
      evaluation.step(size > maxExpansion ? Infinity : 1 + (part.length >> 4));
      parts.push(part);
    };
    for (let at = 0; at < text.length;) {
      const dollar = text.indexOf("$", at);
      if (dollar < 0 || dollar === text.length - 1) {
        put(text.slice(at));
        break;
      }
      put(text.slice(at, dollar));
      const next = text[dollar + 1]!;
      if (next === "$") {
        put("$");
        at = dollar + 2;
      } else if (next === "(" || next === "{") {
        const end = closing(text, dollar + 1);
        const inner = text.slice(dollar + 2, end);
        put(depth > maxDepth ? this.#mark(inner) : this.#value(inner, own, depth + 1));
        at = end + 1;
      } else {
        put(this.#named(next, own, depth + 1));
        at = dollar + 2;
      }
    }
    return parts.join("");
  }

  /** What is not known of a value that the makefile takes from elsewhere. */
  #mark(name: string): string {
    return this.#request.evaluation.mark([unknown(`$(${name})`, "variable", { name })]);
  }

  #named(name: string, own: Readonly<Record<string, string>>, depth: number): string {
    if (Object.hasOwn(own, name)) return own[name]!;
    const values = this.#variables.get(name);
    if (values === undefined) return /^[@*<^+?%]/.test(name) ? "" : this.#mark(name);
    const value = values[Math.min(this.#which, values.length - 1)]!;
    return depth > maxDepth ? this.#mark(name) : this.#expand(value, own, depth);
  }

  #value(inner: string, own: Readonly<Record<string, string>>, depth: number): string {
    const call = /^([a-z-]+)[ \t]+(.*)$/s.exec(inner);
    if (call !== null) return this.#call(call[1]!, call[2]!, own, depth);
    const [, variable, from = "", to = ""] = /^([\w.@<^+*?-]+):([^=]*)=(.*)$/s.exec(inner) ?? [];
    const name = this.#expand(variable ?? inner, own, depth);
    const value = this.#named(name, own, depth);
    if (variable === undefined) return value;
    return words(value).map((word) =>
      from.includes("%")
        ? substituted(from, this.#expand(to, own, depth), word)
        : word.endsWith(from)
        ? word.slice(0, word.length - from.length) + this.#expand(to, own, depth)
        : word
    ).join(" ");
  }

  #call(name: string, text: string, own: Readonly<Record<string, string>>, depth: number): string {
    // The shell that runs the recipe runs this first, which is as much as make does.
    if (name === "shell") {
      const code = this.#expand(text, own, depth);
      if (this.#reading) this.#add({ name: "(all)", code });
      return `$(${code})`;
    }
    const args = split(text).map((one) => this.#expand(one, own, depth).trim());
    const [first = "", second = "", third = ""] = args;
    const last = args.at(-1) ?? "";
    switch (name) {
      case "wildcard":
      case "strip":
      case "sort":
      case "realpath":
      case "abspath":
        return first;
      case "info":
      case "warning":
      case "error":
        return "";
      case "eval":
        this.#request.evaluation.deeper(() =>
          this.#read(split(text).map((one) => this.#expand(one, own, depth)).join(","))
        );
        return "";
      case "patsubst":
        return words(third).map((word) => substituted(first, second, word)).join(" ");
      case "subst":
        return first === "" ? third : third.replaceAll(first, () => second);
      case "addprefix":
        return words(second).map((word) => first + word).join(" ");
      case "addsuffix":
        return words(second).map((word) => word + first).join(" ");
      case "filter":
        return last;
      case "firstword":
        return words(first)[0] ?? "";
      case "lastword":
        return words(first).at(-1) ?? "";
      case "word":
        return words(second)[Number(first) - 1] ?? "";
      case "wordlist":
        return words(third).slice(Math.max(0, Number(first) - 1), Number(second)).join(" ");
      case "join":
        return words(first).map((word, index) => word + (words(second)[index] ?? "")).join(" ");
      case "suffix":
        return words(first).map((word) => /\.[^./]*$/.exec(word)?.[0] ?? "").join(" ");
      case "let": {
        const names = words(first);
        const values = words(second);
        const bound = Object.fromEntries(
          names.map((
            one,
            index,
          ) => [one, index < names.length - 1 ? values[index] ?? "" : values.slice(index).join(" ")]),
        );
        return this.#expand(split(text).slice(2).join(","), { ...own, ...bound }, depth);
      }
      case "file": {
        const [, operator, path] = /^(>{1,2}|<)\s*(.+)$/s.exec(first) ?? [];
        if (operator === undefined || operator === "<") return this.#mark(`file ${first}`.slice(0, 60));
        this.#add({ name: "(all)", code: `: ${operator} ${path}` });
        return "";
      }
      case "filter-out":
        return second;
      case "notdir":
        return words(first).map((word) => word.slice(word.lastIndexOf("/") + 1)).join(" ");
      case "dir":
        return words(first).map((word) => word.slice(0, word.lastIndexOf("/") + 1) || "./").join(" ");
      case "basename":
        return words(first).map((word) => word.replace(/\.[^./]*$/, "")).join(" ");
      case "if":
        this.#chose = true;
        return this.#which > 0 ? third : second;
      case "or":
        // A value that is not known may be empty.
        this.#chose = true;
        return (this.#which > 0 ? args.findLast((one) => one !== "") : args.find((one) => one !== "")) ?? "";
      case "and":
        return last;
      case "value":
        return this.#named(first, own, depth);
      case "call": {
        const params: Record<string, string> = { ...own };
        args.forEach((one, index) => params[String(index)] = one);
        return this.#named(first, params, depth);
      }
      case "foreach":
        return words(second).map((word) =>
          this.#expand(split(text)[2] ?? "", { ...own, [first]: word }, depth)
        ).join(" ");
    }
    return this.#mark(`${name} ${text}`.slice(0, 60));
  }
}

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((one) => one !== "");
}

/** Arguments of a function, separated by commas outside of brackets. */
function split(text: string): readonly string[] {
  const args: string[] = [];
  let start = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === "(" || char === "{") depth++;
    else if (char === ")" || char === "}") depth--;
    else if (char === "," && depth === 0) {
      args.push(text.slice(start, at));
      start = at + 1;
    }
  }
  args.push(text.slice(start));
  return args;
}

/** Where the bracket at a place is closed; the end of the text when it is not. */
function closing(text: string, open: number): number {
  const opens = text[open]!;
  const closes = opens === "(" ? ")" : "}";
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === opens) depth++;
    else if (text[at] === closes && --depth === 0) return at;
  }
  return text.length;
}

/** The colon between targets and what they need; not one inside a variable. */
function ruleColon(line: string): number {
  let depth = 0;
  for (let at = 0; at < line.length; at++) {
    const char = line[at]!;
    if (char === "(" || char === "{") depth++;
    else if (char === ")" || char === "}") depth--;
    else if (char === ":" && depth <= 0 && !/^:[\\/]/.test(line.slice(at, at + 2))) return at;
  }
  return -1;
}

function withoutComment(line: string): string {
  const at = line.search(/(?:^|[^\\])#/);
  return at < 0 ? line : line.slice(0, line[at] === "#" ? at : at + 1);
}

/** What `%` stands for. */
function stemOf(pattern: string, target: string): string | undefined {
  const at = pattern.indexOf("%");
  if (at < 0) return undefined;
  const head = pattern.slice(0, at);
  const tail = pattern.slice(at + 1);
  return target.length >= head.length + tail.length && target.startsWith(head) && target.endsWith(tail)
    ? target.slice(head.length, target.length - tail.length)
    : undefined;
}

function substituted(pattern: string, by: string, word: string): string {
  const stem = stemOf(pattern, word);
  return stem === undefined ? (pattern === word ? by : word) : by.replace("%", () => stem);
}
