/** How a command stands behind each launcher of the table, for tests. */

import { launchers } from "../src/shell/launchers.ts";

/** What stands between a launcher and its command, where it needs something there. */
const between: Readonly<Record<string, string>> = {
  su: "u -c",
  vagrant: "ssh -c",
  script: "-c",
  "nix-shell": "--run",
  nodemon: "--exec",
  chokidar: "f -c",
  mise: "exec -c",
  flox: "activate -c",
  fab: "--",
  incus: "exec name --",
  rtx: "exec --",
  "start-stop-daemon": "--start --",
  kubectl: "exec pod --",
  oc: "exec pod --",
  lxc: "exec name --",
  multipass: "exec name --",
  teller: "run --",
  chamber: "exec service --",
  nix: "shell nixpkgs --",
  asciinema: "rec -c",
  gdb: "--args",
  lldb: "--",
  just: "--command",
  guix: "shell --",
  tox: "exec --",
  nx: "exec --",
  distrobox: "enter name --",
  "distrobox-enter": "name --",
  cargo: "watch -s",
};
/** Programs of the table that start nothing: what they show is only that they are known. */
const inert = new Set(["sudoedit", "capsh", "wait-on", "ts"]);

/** A launcher with what it needs in front of a command. */
export interface LauncherWords {
  readonly name: string;
  /** The launcher and its own arguments. */
  readonly before: string;
  /** The command is one argument, which is a script. */
  readonly code: boolean;
  /** All words behind it are joined to a script. */
  readonly script: boolean;
  /** The command runs on another machine or in a container. */
  readonly remote: boolean;
}

/** Every launcher that starts something. */
export const launcherWords: readonly LauncherWords[] = Object.entries(launchers)
  .filter(([name]) => !inert.has(name))
  .map(([name, launcher]) => {
    const skipped = Number.isFinite(launcher.skip ?? 0) ? launcher.skip ?? 0 : 0;
    const words = between[name] ??
      [...launcher.subcommands?.slice(0, 1) ?? [], ...Array(skipped).fill("7")].join(" ");
    return {
      name,
      before: words === "" ? name : `${name} ${words}`,
      code: launcher.skip === Infinity,
      script: launcher.script === true,
      remote: launcher.remote !== undefined,
    };
  });
