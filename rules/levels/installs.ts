/** Which commands install packages: those named on the line, or those that a project lists. */

import type { Invocation } from "../../src/shell/model.ts";
import { parseArguments } from "../options.ts";

interface Installer {
  /** Subcommands that install; several words for `uv pip install`. Empty: the program itself installs. */
  readonly verbs: readonly string[];
  /** Options with a value. */
  readonly values?: readonly string[];
  /** Options whose value is a list of packages that the project keeps. */
  readonly listed?: readonly string[];
}

const node: readonly string[] = [
  "--prefix",
  "-w",
  "--workspace",
  "-C",
  "--dir",
  "--filter",
  "--registry",
  "--cwd",
  "--tag",
  "--cache",
];
const pip: readonly string[] = [
  "-i",
  "--index-url",
  "--extra-index-url",
  "-t",
  "--target",
  "-c",
  "--constraint",
  "-f",
  "--find-links",
  "--python",
  "-p",
];

/** One line adds one. */
const installers: Readonly<Record<string, Installer>> = {
  npm: {
    verbs: ["install", "i", "add", "ci", "isntall", "in", "install-test", "it", "clean-install", "exec", "x"],
    values: node,
  },
  npx: { verbs: [], values: ["-p", "--package", "-c", "--call"] },
  pnpx: { verbs: [] },
  bunx: { verbs: [] },
  pnpm: { verbs: ["install", "i", "add", "dlx"], values: node },
  yarn: { verbs: ["add", "install", "dlx", "global add"], values: node },
  bun: { verbs: ["add", "install", "i", "a", "x"], values: node },
  deno: { verbs: ["add", "install", "i"] },
  pip: { verbs: ["install"], values: pip, listed: ["-r", "--requirement", "-e", "--editable"] },
  pip3: { verbs: ["install"], values: pip, listed: ["-r", "--requirement", "-e", "--editable"] },
  pipx: { verbs: ["install", "run", "inject"], values: pip },
  uv: {
    verbs: ["add", "pip install", "tool install", "tool run", "sync"],
    values: pip,
    listed: ["-r", "--requirements", "-e", "--editable"],
  },
  uvx: { verbs: [], values: ["--from", "--python", "--with"] },
  poetry: { verbs: ["add", "install"], values: ["-G", "--group", "--source", "-E"] },
  pdm: { verbs: ["add", "install"], values: ["-G", "--group"] },
  conda: {
    verbs: ["install", "create"],
    values: ["-n", "--name", "-c", "--channel", "-p"],
    listed: ["-f", "--file"],
  },
  mamba: {
    verbs: ["install", "create"],
    values: ["-n", "--name", "-c", "--channel", "-p"],
    listed: ["-f", "--file"],
  },
  cargo: {
    verbs: ["add", "install", "binstall"],
    values: ["--version", "--features", "-p", "--package", "-F", "--git", "--path"],
  },
  go: { verbs: ["get", "install"] },
  gem: { verbs: ["install"], values: ["-v", "--version", "-s"] },
  bundle: { verbs: ["add", "install"], values: ["-v", "--group"] },
  composer: { verbs: ["require", "install", "global require"] },
  dotnet: { verbs: ["add package", "tool install"] },
  brew: { verbs: ["install", "reinstall", "tap"] },
  apt: { verbs: ["install", "full-upgrade", "dist-upgrade"] },
  "apt-get": { verbs: ["install", "dist-upgrade"] },
  dnf: { verbs: ["install"] },
  yum: { verbs: ["install"] },
  zypper: { verbs: ["install", "in"] },
  apk: { verbs: ["add"] },
  snap: { verbs: ["install"] },
  flatpak: { verbs: ["install"] },
  winget: { verbs: ["install"] },
  choco: { verbs: ["install"] },
  scoop: { verbs: ["install"] },
  "install-module": { verbs: [] },
  "install-package": { verbs: [] },
};

/** Names of programs that install packages. */
export const installerPrograms: readonly string[] = Object.keys(installers);

/** Whether packages are installed that the line names (`new`), or those that the project lists (`listed`). */
export function installs(invocation: Invocation): "new" | "listed" | undefined {
  const { program, args } = invocation;
  const known = Object.hasOwn(installers, program) ? installers[program] : undefined;
  if (known === undefined) return undefined;
  const parsed = parseArguments(args, {
    values: [...(known.values ?? []), ...(known.listed ?? [])],
    stopAtOperand: known.verbs.length === 0,
  });
  if (parsed.has("--help", "--version", "--dry-run")) return undefined;
  const words = parsed.operands.map((word) => word.text);
  if (known.verbs.length === 0) return words.length > 0 && isNamed(words[0]!) ? "new" : undefined;
  const verb = known.verbs.find((one) => {
    const parts = one.split(" ");
    return parts.every((part, index) => words[index] === part);
  });
  if (verb === undefined) return undefined;
  const rest = words.slice(verb.split(" ").length);
  return rest.some(isNamed) || invocation.moreArguments ? "new" : "listed";
}

/** A package by its name, and not a directory of the project. */
function isNamed(word: string): boolean {
  return word !== "" && !/^(?:\.{1,2}(?:\/|$)|\/|file:|~\/)/.test(word);
}
