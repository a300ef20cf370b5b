/** `sed`: commands in its scripts that run programs or write files. */

import type { Word } from "./model.ts";
import type { Evaluation } from "./evaluate.ts";
import type { Call, Output } from "./frame.ts";
import { dropText, makeWord, plain } from "./pieces.ts";
import { nested } from "./nested.ts";

/** Follows the scripts among the arguments of `sed`. */
export function runSed(evaluation: Evaluation, call: Call): Output | undefined {
  const scripts: Word[] = [];
  let operands = 0;
  for (let index = 0; index < call.args.length; index++) {
    const { text } = call.args[index]!;
    if (text === "-e" || text === "--expression") {
      const script = call.args[++index];
      if (script !== undefined) scripts.push(script);
    } else if (text.startsWith("--expression=")) scripts.push(dropText(call.args[index]!, 13));
    else if (text === "-f" || text === "--file" || text === "-l" || text === "--line-length") index++;
    else if (/^-[nrEsuz]*e./.test(text)) scripts.push(dropText(call.args[index]!, text.indexOf("e") + 1));
    else if (!text.startsWith("-") && operands++ === 0 && scripts.length === 0) {
      scripts.push(call.args[index]!);
    }
  }
  for (const script of scripts) {
    const frame = nested(call, "interpreter", "sed", { stdin: undefined, moreArguments: false });
    for (const found of sedCommands(script.text)) {
      if (found.kind === "run") {
        evaluation.runCode(evaluation.unmark(found.text), script.span, { ...call.scope }, frame);
      } else if (found.kind === "input") {
        evaluation.doubt("unknown-code", "sed runs the lines it reads as commands", script.span);
      } else {
        const path = makeWord([plain(found.text)], script.span);
        evaluation.runWords(
          [makeWord([plain("tee")], script.span), path],
          [],
          [],
          script.span,
          call.scope,
          frame,
        );
      }
    }
  }
  return undefined;
}

interface SedCommand {
  readonly kind: "run" | "write" | "input";
  readonly text: string;
}

/** Commands of a sed script that run or write something. */
function sedCommands(text: string): SedCommand[] {
  const found: SedCommand[] = [];
  let at = 0;
  const line = () => {
    const end = text.indexOf("\n", at);
    const rest = text.slice(at, end < 0 ? undefined : end);
    at = end < 0 ? text.length : end + 1;
    return rest.trim();
  };
  const delimited = (delimiter: string) => {
    const start = at;
    while (at < text.length && text[at] !== delimiter) at += text[at] === "\\" ? 2 : 1;
    return text.slice(start, at++);
  };
  while (at < text.length) {
    const char = text[at]!;
    if (/[\s;{}!0-9,$~+]/.test(char)) at++;
    else if (char === "/") {
      at++;
      delimited("/");
      while (/[IM]/.test(text[at] ?? "")) at++;
    } else if (char === "\\") {
      const delimiter = text[at + 1] ?? "";
      at += 2;
      delimited(delimiter);
    } else if (char === "#") line();
    else if (char === "s" || char === "y") {
      const delimiter = text[at + 1] ?? "\n";
      at += 2;
      delimited(delimiter);
      const replacement = delimited(delimiter);
      const flags = /^[gpimIMe0-9]*/.exec(text.slice(at, at + 20))![0];
      at += flags.length;
      if (char === "s" && flags.includes("e")) {
        found.push({ kind: "run", text: replacement.replace(/\\(.)/g, "$1") });
      }
      if (char === "s" && text[at] === "w") {
        at++;
        found.push({ kind: "write", text: line() });
      }
    } else if (char === "e") {
      at++;
      const command = line();
      found.push(
        command === "" || command === "}" ? { kind: "input", text: "" } : { kind: "run", text: command },
      );
    } else if (char === "w" || char === "W") {
      at++;
      const path = line();
      if (path !== "" && !/^\/dev\/std/.test(path)) found.push({ kind: "write", text: path });
    } else if (/[aicrRbtT:]/.test(char)) {
      if (/[aic]/.test(char)) line();
      else while (at < text.length && !/[;\n}]/.test(text[at]!)) at++;
    } else at++;
  }
  return found;
}
