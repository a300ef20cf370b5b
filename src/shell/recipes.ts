/** Files of recipes: what `make x`, `just x` and `task x` run. */

export { readMakefile } from "./makefile.ts";
import { linesOf, pathFrom, type ScriptRequest, type ScriptStep, takenIn } from "./project_scripts.ts";
import { textWord, unknown } from "./pieces.ts";

const maxDepth = 16;

/** A shell whose language is read here. */
const posixShell = /(?:^|\/)(?:ba|da|z|k)?sh$/;

interface JustRecipe {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly needs: string;
  readonly lines: string[];
}

/** The recipes of a justfile that are run, one step for each line. */
export function readJustfile(request: ScriptRequest): readonly ScriptStep[] {
  const { text, names, order, evaluation, call, directory } = request;
  const recipes = new Map<string, JustRecipe[]>();
  const values = new Map<string, string>();
  const aliases = new Map<string, string>();
  const modules = new Map<string, string | undefined>();
  let current: JustRecipe | undefined;
  let shell: readonly string[] = [];
  const lines = linesOf(text);
  const imported = new Set<string>();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    evaluation.step(6 + (line.length >> 4));
    const file = /^import\??\s+["']([^"'$~]{1,400})["']/.exec(line)?.[1];
    if (file !== undefined && !imported.has(file)) {
      imported.add(file);
      evaluation.step(60);
      const taken = takenIn(request, pathFrom(directory, file));
      if (taken !== undefined) lines.push(...linesOf(taken));
    }
    const [, module, place] = /^mod\??\s+([\w-]+)(?:\s+["']([^"'$~]{1,400})["'])?/.exec(line) ?? [];
    if (module !== undefined) modules.set(module, place);
    const told = /^set\s+shell\s*:=\s*\[(.*)\]/.exec(line)?.[1];
    if (told !== undefined) shell = (told.match(/"[^"]*"|'[^']*'/g) ?? []).map((one) => one.slice(1, -1));
    if (/^[ \t]/.test(line)) {
      current?.lines.push(line);
      continue;
    }
    if (line.trim() === "" || line.startsWith("#")) continue;
    current = undefined;
    const alias = /^alias\s+([\w-]+)\s*:=\s*([\w:-]+)/.exec(line);
    if (alias !== null) aliases.set(alias[1]!, alias[2]!);
    const assignment = /^(?:export\s+)?([A-Za-z_][\w-]*)\s*:=\s*(.*)$/.exec(line);
    if (assignment !== null) values.set(assignment[1]!, assignment[2]!.trim());
    const recipe = /^@?([A-Za-z_][\w-]*)((?:\s+[^:\s][^:]*)?):(?!=)(.*)$/.exec(line);
    if (alias !== null || assignment !== null || recipe === null) continue;
    current = {
      name: recipe[1]!,
      parameters: recipe[2]!.match(/[^\s"'=]+(?:=(?:"[^"]*"|'[^']*'|[^\s"']*))?/g) ?? [],
      needs: recipe[3]!,
      lines: [],
    };
    // `[unix]` and `[windows]` stand before two of one name.
    const known = recipes.get(current.name);
    if (known === undefined) recipes.set(current.name, [current]);
    else if (known.length < 8) known.push(current);
  }
  const given = new Map(order.settings.map(({ name, value }) => [name, evaluation.codeText(value.pieces)]));
  const value = (expression: string, own: ReadonlyMap<string, string>, depth = 0): string => {
    const simple = expression.trim();
    const literal = /^"([^"\\]*)"$|^'([^']*)'$/.exec(simple);
    if (literal !== null) return literal[1] ?? literal[2]!;
    const command = /^`([^`]*)`$/.exec(simple)?.[1];
    if (command !== undefined) return `$(${command})`;
    const known = own.get(simple) ?? given.get(simple);
    if (known !== undefined) return known;
    const assigned = values.get(simple);
    if (assigned !== undefined && depth < maxDepth) return value(assigned, own, depth + 1);
    const sides = /^([^"'`()]+|"[^"\\]*"|'[^']*')\s*([+/])\s*(.+)$/.exec(simple);
    if (sides !== null && depth < maxDepth) {
      return value(sides[1]!, own, depth + 1) + (sides[2] === "/" ? "/" : "") +
        value(sides[3]!, own, depth + 1);
    }
    return evaluation.mark([unknown(`{{${simple}}}`, "variable", { name: simple })]);
  };
  const steps: ScriptStep[] = [];
  const done = new Set<string>();
  const run = (name: string, args: readonly string[], depth: number) => {
    const identity = `${aliases.get(name) ?? name} ${args.join(" ")}`;
    if (done.has(identity)) return;
    done.add(identity);
    evaluation.step(depth > maxDepth ? Infinity : 20);
    for (const one of recipes.get(aliases.get(name) ?? name) ?? []) runOne(one, args, depth);
  };
  const runOne = (recipe: JustRecipe, args: readonly string[], depth: number) => {
    const own = new Map<string, string>();
    recipe.parameters.forEach((parameter, index) => {
      const [, sign, key = "", standard] = /^([+*$]*)([\w-]+)(?:=(.*))?$/s.exec(parameter) ?? [];
      const rest = /[+*]/.test(sign ?? "") ? args.slice(index).join(" ") : args[index];
      if (rest !== undefined && rest !== "") own.set(key, rest);
      else if (standard !== undefined) own.set(key, value(standard, own));
      else if (/[*]/.test(sign ?? "")) own.set(key, "");
    });
    const filled = (line: string) => {
      evaluation.step(1 + (line.length >> 4));
      return line.replaceAll(/\{\{([^{}]{1,400})\}\}/g, (_, inner: string) => value(inner, own));
    };
    const [before = "", after = ""] = recipe.needs.split("&&", 2);
    const needs = (list: string) => {
      for (const [, called, inner = "", single] of list.matchAll(/\(([\w:-]+)([^()]*)\)|([\w:-]+)/g)) {
        const more = (inner.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []).map((one) => value(one, own));
        run(called ?? single!, more, depth + 1);
      }
    };
    needs(before);
    const variables = new Map(own);
    for (const name of values.keys()) if (/^[A-Za-z_]\w*$/.test(name)) variables.set(name, value(name, own));
    const shebang = /^\s*#!\s*(.*)$/.exec(recipe.lines[0] ?? "")?.[1];
    if (shebang !== undefined) {
      const code = recipe.lines.slice(1).map((line) => filled(line.trim())).join("\n");
      const words = shebang.trim().split(/\s+/).filter((one) => !/^(?:\/usr)?\/bin\/env$|^-S$/.test(one));
      const indent = /^[ \t]*/.exec(recipe.lines[0]!)![0].length;
      const kept = recipe.lines.slice(1).map((line) => filled(line.slice(indent))).join("\n");
      const shell = posixShell.test(words[0] ?? "");
      if (words.length > 0) {
        steps.push({ name: recipe.name, code: shell ? code : kept, variables, interpreter: [words[0]!] });
      }
    } else {
      for (const line of joined(recipe.lines)) {
        const code = filled(line).replace(/^[\s@-]+/, "");
        if (code === "" || code.startsWith("#")) continue;
        const plainly = shell.length === 0 || posixShell.test(shell[0]!);
        steps.push({ name: recipe.name, code, variables, ...(plainly ? {} : { interpreter: [shell[0]!] }) });
      }
    }
    needs(after);
  };
  // All values are worked out before a recipe runs, whether it uses them or not.
  for (const [name, written] of values) {
    for (const [, code, called] of written.matchAll(/`([^`]*)`|\bshell\(\s*["']([^"']*)["']/g)) {
      steps.push({ name, code: code ?? called! });
    }
  }
  const words = order.names.map((word) => evaluation.codeText(word.pieces));
  if (names.length === 0) {
    // The first one runs, or the one with the attribute `[default]`.
    for (const name of new Set(["default", ...[...recipes.keys()].slice(0, 1)])) run(name, [], 0);
  }
  const other = (name: string, rest: readonly string[], depth: number) => {
    const [, module, inner] = /^([\w-]+)::(.+)$/.exec(name) ?? [];
    const slash = name.lastIndexOf("/");
    const called = module === undefined && modules.has(name) ? rest[0] ?? "" : inner;
    const paths = module !== undefined || modules.has(name)
      ? modulePaths(module ?? name, modules.get(module ?? name))
      : slash >= 0
      ? fileNames.map((one) => `${name.slice(0, slash)}/${one}`)
      : [];
    for (const path of paths) {
      evaluation.step(depth > maxDepth ? Infinity : 60);
      const full = pathFrom(directory, path);
      const taken = takenIn(request, full);
      if (taken === undefined) continue;
      const target = slash >= 0 ? name.slice(slash + 1) : called ?? "";
      evaluation.deeper(() =>
        steps.push(...readJustfile({
          ...request,
          text: taken,
          directory: full.slice(0, full.lastIndexOf("/")),
          names: target === "" ? [] : [target],
          order: { ...order, names: target === "" ? [] : [textWord(target, call.span)] },
        }))
      );
      return;
    }
  };
  for (let index = 0; index < words.length;) {
    if (!recipes.has(aliases.get(words[index]!) ?? words[index]!)) {
      other(words[index]!, words.slice(index + 1), 0);
    }
    const recipe = recipes.get(aliases.get(words[index]!) ?? words[index]!)?.[0];
    const takes = recipe?.parameters.some((one) => /^[+*]/.test(one))
      ? words.length
      : recipe?.parameters.length ?? 0;
    run(words[index]!, words.slice(index + 1, index + 1 + takes), 0);
    index += 1 + takes;
  }
  return steps;
}

const fileNames = ["justfile", "Justfile", ".justfile"];

/** Where the file of a module is. */
function modulePaths(name: string, place: string | undefined): readonly string[] {
  if (place !== undefined && /\.just$|justfile$/i.test(place)) return [place];
  const directory = place ?? name;
  return [
    ...place === undefined ? [`${name}.just`] : [],
    `${directory}/mod.just`,
    ...fileNames.map((one) => `${directory}/${one}`),
  ];
}

/** Lines of which those that end in a backslash go on. */
function joined(lines: readonly string[]): readonly string[] {
  return lines.join("\n").replaceAll(/\\\n[ \t]*/g, " ").split("\n");
}

/** The tasks of a Taskfile that are run, one step for each command. */
export function readTaskfile(request: ScriptRequest): readonly ScriptStep[] {
  const { text, names, order, evaluation, directory } = request;
  const tasks = new Map<string, { readonly line: string; readonly lines: string[] }>();
  const values = new Map<string, string>();
  const steps: ScriptStep[] = [];
  const included: { readonly space: string; readonly file: string }[] = [];
  let space = "";
  let section = "";
  let indent = 0;
  let current: string[] | undefined;
  for (const line of linesOf(text)) {
    evaluation.step(6 + (line.length >> 4));
    const depth = line.search(/\S/);
    if (depth < 0 || line[depth] === "#") continue;
    if (depth === 0) {
      section = /^(\w+):/.exec(line)?.[1] ?? "";
      indent = 0;
      current = undefined;
      continue;
    }
    if (indent === 0) indent = depth;
    if (section === "vars" || section === "env") {
      const [, name, written] = /^\s*([\w-]+):\s*(.*)$/.exec(line) ?? [];
      if (name !== undefined && depth === indent) values.set(name, scalar(written!));
      for (const code of shellsIn(line)) steps.push({ name: section, code });
    }
    if (section === "includes") {
      const [, name = "", written = ""] = /^\s*["']?([\w:.-]+)["']?\s*:\s*(.*)$/.exec(line) ?? [];
      const inner = /\btaskfile:\s*["']?([^\s"',}]+)/.exec(line)?.[1];
      if (depth === indent) space = name;
      const file = inner ?? (depth === indent && /^["']?[./\w]/.test(written) ? scalar(written) : undefined);
      if (file !== undefined && included.length < 32) included.push({ space, file });
    }
    if (section !== "tasks") continue;
    const [, quoted, plainName, rest] = depth === indent
      ? /^\s*(?:["']([^"']+)["']|([\w:.*-]+?))\s*:(?:\s+(.*))?$/.exec(line) ?? []
      : [];
    const name = quoted ?? plainName?.trim();
    if (name !== undefined) tasks.set(name, { line: rest ?? "", lines: current = [] });
    else if (depth > indent) current?.push(line);
  }
  for (const { name, value } of order.settings) values.set(name, evaluation.codeText(value.pieces));
  const filled = (code: string) => {
    evaluation.step(1 + (code.length >> 4));
    return code.replaceAll(/\{\{([^{}]{1,400})\}\}/g, (all, written: string) => {
      const inner = written.replace(/^-/, "").replace(/-$/, "").trim();
      if (inner === ".CLI_ARGS") return order.args.map((word) => evaluation.mark(word.pieces)).join(" ");
      return values.get(inner.replace(/^\./, "")) ??
        evaluation.mark([unknown(all, "variable", { name: inner })]);
    });
  };
  const done = new Set<string>();
  const include = (name: string, depth: number) => {
    const colon = name.indexOf(":");
    if (colon <= 0) return;
    for (const { space, file } of included) {
      if (space !== name.slice(0, colon) || /^[a-z]+:\/\//.test(file)) continue;
      const path = pathFrom(directory, file.replace(/^\.\//, ""));
      const paths = /\.ya?ml$/.test(path) ? [path] : [`${path}/Taskfile.yml`, `${path}/Taskfile.yaml`];
      for (const one of paths) {
        evaluation.step(depth > maxDepth ? Infinity : 60);
        const taken = takenIn(request, one);
        if (taken === undefined) continue;
        evaluation.deeper(() =>
          steps.push(...readTaskfile({
            ...request,
            text: taken,
            directory: one.slice(0, one.lastIndexOf("/")),
            names: [name.slice(colon + 1)],
          }))
        );
      }
    }
  };
  const run = (name: string, depth: number) => {
    if (!tasks.has(name)) include(name, depth);
    const task = tasks.get(name);
    if (task === undefined || done.has(name)) return;
    done.add(name);
    evaluation.step(depth > maxDepth ? Infinity : 20);
    const add = (code: string) => {
      if (code !== "") steps.push({ name, code: filled(code) });
    };
    if (task.line !== "" && !task.line.startsWith("[")) add(scalar(task.line));
    for (
      const list of [task.line, ...task.lines].map((line) =>
        /^\s*(?:cmds|deps):\s*\[(.*)\]\s*$/.exec(line) ?? []
      )
    ) {
      for (const one of list[1]?.split(/,\s*/) ?? []) {
        if (tasks.has(scalar(one))) run(scalar(one), depth + 1);
        else add(scalar(one));
      }
    }
    let block: { readonly indent: number; readonly lines: string[]; readonly folded: boolean } | undefined;
    let key = "";
    const flush = () => {
      if (block !== undefined) add(block.lines.map((line) => line.trim()).join(block.folded ? " " : "\n"));
      block = undefined;
    };
    for (const line of task.lines) {
      const at = line.search(/\S/);
      if (block !== undefined && at > block.indent) {
        block.lines.push(line);
        continue;
      }
      flush();
      for (const code of shellsIn(line)) add(code);
      const item = /^(\s*)(-\s+)?(?:(defer|cmd|task|cmds|deps|[\w]+):(?:\s+(.*))?|(.*))$/.exec(line);
      const [, , dash, member, written = "", bare] = item ?? [];
      if (dash === undefined && member !== undefined) key = member;
      const said = member === "cmd" || member === "defer"
        ? written
        : dash !== undefined && bare !== undefined
        ? bare
        : undefined;
      if (member === "task" && (dash !== undefined || key === "cmds")) run(scalar(written), depth + 1);
      else if (said !== undefined && /^[|>][+-]?$/.test(said.trim())) {
        block = { indent: at, lines: [], folded: said.trim().startsWith(">") };
      } else if (said !== undefined && said.startsWith("{")) {
        const called = /\btask:\s*([\w:.-]+)/.exec(said)?.[1];
        const command = /\bcmd:\s*(.+?)\s*\}$/.exec(said)?.[1];
        if (called !== undefined) run(called, depth + 1);
        if (command !== undefined) add(scalar(command));
      } else if (
        said !== undefined &&
        (key === "" || key === "cmds" || key === "cmd" || member === "cmd" || member === "defer")
      ) add(scalar(said));
      else if (said !== undefined && key === "deps") run(scalar(said), depth + 1);
      else if (said !== undefined && key === "status") add(scalar(said));
      // `- echo a: b` is a text too.
      else if (dash !== undefined && member !== undefined && key === "cmds" && member !== "task") {
        add(line.trim().slice(2));
      }
    }
    flush();
  };
  for (const name of names.length > 0 ? names : ["default"]) run(name, 0);
  return steps;
}

/** What `sh: …` on a line runs: for the value of a variable, or to see whether a task may run. */
function shellsIn(line: string): readonly string[] {
  const [, inner, plain] = /[{,]\s*sh:\s*(.+?)\s*\}|^\s*(?:-\s+)?sh:\s*(.+)$/.exec(line) ?? [];
  const code = inner ?? plain;
  return code === undefined ? [] : [scalar(code)];
}

/** A scalar of YAML on one line. */
function scalar(text: string): string {
  const trimmed = text.trim();
  const [, double, single] = /^"((?:[^"\\]|\\.)*)"|^'((?:[^']|'')*)'/.exec(trimmed) ?? [];
  if (double !== undefined) return double.replaceAll(/\\(["\\])/g, "$1");
  if (single !== undefined) return single.replaceAll("''", "'");
  return trimmed.replace(/\s+#.*$/, "");
}

const toml = /"((?:[^"\\]|\\.)*)"|'([^']*)'/g;

/** The tasks that tables of a file in TOML hold: a text, a list of texts, or a table with one of them. */
export function readTasks(request: ScriptRequest): readonly ScriptStep[] {
  const { text, names, runner, evaluation } = request;
  const tables = runner.tables?.split(" ") ?? [];
  const tasks = new Map<string, string[]>();
  let table = "";
  let open:
    | { readonly name: string; readonly end: string; readonly lines: string[]; readonly list?: boolean }
    | undefined;
  const needs = new Map<string, string[]>();
  const add = (name: string, code: string) => {
    const known = tasks.get(name);
    if (known === undefined) tasks.set(name, [code]);
    else known.push(code);
  };
  for (const line of linesOf(text)) {
    evaluation.step(6 + (line.length >> 3));
    if (open !== undefined) {
      const end = line.indexOf(open.end);
      if (open.list) {
        for (const [, double, single] of line.matchAll(toml)) {
          add(open.name, double?.replaceAll(/\\(["\\])/g, "$1") ?? single ?? "");
        }
        if (/^\s*\]/.test(line)) open = undefined;
        continue;
      }
      if (end < 0) open.lines.push(line);
      else {
        add(open.name, [...open.lines, line.slice(0, end)].join("\n"));
        open = undefined;
      }
      continue;
    }
    const header = /^\s*\[([^[\]]+)\]/.exec(line)?.[1];
    if (header !== undefined) {
      table = header.replaceAll(/["'\s]/g, "");
      continue;
    }
    const [, quoted, bare, value = ""] = /^\s*(?:["']([^"']+)["']|([\w:.-]+))\s*=\s*(.*)$/.exec(line) ?? [];
    const key = quoted ?? bare ?? "";
    const owner = tables.find((one) => table.startsWith(`${one}.`));
    const named = /^(?:run|cmd|shell|cmds|sequence)$/.test(key);
    if (owner !== undefined && /^depends(?:_post)?$|^depends[-_]on$/.test(key)) {
      const known = [...value.matchAll(toml)].map(([, double, single]) => double ?? single ?? "");
      needs.set(table.slice(owner.length + 1), known);
    }
    const name = tables.includes(table)
      ? key
      : owner !== undefined && named
      ? table.slice(owner.length + 1)
      : "";
    if (name === "") continue;
    const long = /^("""|''')(.*)$/.exec(value);
    if (long !== null && !long[2]!.includes(long[1]!)) {
      open = { name, end: long[1]!, lines: [long[2]!] };
      continue;
    }
    if (/^\[\s*(?:#.*)?$/.test(value)) {
      open = { name, end: "]", lines: [], list: true };
      continue;
    }
    const inner = value.startsWith("{")
      ? /\b(?:run|cmd|shell|cmds)\s*=\s*(.*)$/.exec(value)?.[1] ?? ""
      : value;
    for (
      const [all, double, single] of (inner.startsWith("[") ? inner : inner.slice(0, 20_000)).matchAll(toml)
    ) {
      if (all !== "") add(name, double?.replaceAll(/\\(["\\])/g, "$1") ?? single ?? "");
      if (!inner.startsWith("[")) break;
    }
  }
  const wanted = new Set(names);
  // A set goes on with what is added to it.
  for (const name of wanted) for (const one of needs.get(name) ?? []) wanted.add(one);
  return [...wanted].flatMap((name) =>
    (tasks.get(name) ?? []).map((code): ScriptStep => ({ name, code, takesArguments: true }))
  );
}
