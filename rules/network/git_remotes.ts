/** What git is given as the address of another repository. */

import type { Word } from "../../src/shell/model.ts";
import { parseArguments } from "../options.ts";

/** Long options whose value is the next word, of any of the subcommands. */
const values = (
  "--branch --origin --depth --jobs --config --reference --reference-if-able --upload-pack --template --separate-git-dir " +
  "--shallow-since --shallow-exclude --filter --server-option --bundle-uri --deepen --refmap --negotiation-tip --strategy " +
  "--strategy-option --receive-pack --exec --push-option --repo --prefix"
).split(" ");

/** Letters of options with a value, which mean something else to each subcommand. */
const letters: Readonly<Record<string, string>> = {
  clone: "bojcu",
  fetch: "jo",
  pull: "josX",
  push: "o",
  "ls-remote": "o",
  remote: "tm",
  submodule: "bj",
  subtree: "Pm",
};

const address = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * The texts that a subcommand may take for a repository: addresses, `host:path`, names of remotes and directories.
 *
 * @param args the arguments behind the subcommand
 */
export function remotesOf(verb: string, args: readonly Word[]): readonly string[] {
  const own = Object.hasOwn(letters, verb) ? [...letters[verb]!].map((letter) => `-${letter}`) : [];
  const parsed = parseArguments(args, { values: [...values, ...own] });
  const words = parsed.operands.map((word) => word.text);
  switch (verb) {
    case "clone":
    case "fetch":
    case "pull":
    case "push":
    case "ls-remote": {
      const named = parsed.values("--repo", "--bundle-uri").map((word) => word.text);
      // What is plainly an address is one wherever it stands: no list of options is ever complete.
      const plain = args.map((word) => word.text).filter((text) => address.test(text));
      return [...new Set([...words.slice(0, 1), ...plain, ...named])];
    }
    case "remote":
      return words[0] === "add" || words[0] === "set-url" ? words.slice(2) : [];
    case "submodule":
    case "subtree":
      return words;
    case "archive":
      return args.flatMap((word) => /^--remote=(.+)$/.exec(word.text)?.[1] ?? []);
    default:
      return [];
  }
}
