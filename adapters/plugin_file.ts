/** The file of a plugin as guard writes it: one module without dependencies, with absolute paths in it as data. */

import type { WholeParts } from "../src/types.ts";
import { core, ends, version } from "./plugin_texts.ts";

/** What a plugin is made for. */
export interface PluginFile {
  readonly host: string;
  readonly title: string;
  /** The end in plugins/, without its extension. */
  readonly end: keyof typeof ends;
  /** Native names of the events that it asks about or tells of. */
  readonly events: readonly [string, ...string[]];
}

const imports = 'import { spawn } from "node:child_process";';

/** Milliseconds in which guard must have answered: more than it takes itself, less than any host waits. */
const deadline = 10_000;

/** The text of the plugin. */
export function pluginText({ host, title, end, events }: PluginFile, parts: WholeParts): string {
  const { command, options } = split(parts.argv(events[0]));
  const settings = { host, title, command, options, deadline };
  return `// guard ${version} for ${title}. "guard install" writes this file anew, "guard uninstall" takes it away.
// What somebody changes in it guard leaves alone, and doctor reports it: ${parts.stamp}

${imports}

const settings = ${JSON.stringify(settings, null, 2)};

${core}

${ends[end]}
`;
}

/** `program … hook --host … --event … --policy … --state …` without what each call adds. */
function split(argv: readonly string[]): { command: readonly string[]; options: readonly string[] } {
  const options = 8;
  const [, , , event] = argv.slice(-options);
  if (argv.at(-options - 1) !== "hook" || argv.at(-options + 2) !== "--event" || event === undefined) {
    throw new Error(`expected a hook command with four options, found ${JSON.stringify(argv)}`);
  }
  const [host, id, , , ...places] = argv.slice(-options);
  return { command: argv.slice(0, -options - 1), options: [host ?? "", id ?? "", ...places] };
}
