/** `guard mcp`: the MCP servers that were called, and whether they are still what they were. */

import type { Command } from "commander";
import { adapterIds, loadAdapter } from "../../adapters/registry.ts";
import { GuardError } from "../errors.ts";
import { namedAdapters } from "../install/hosts.ts";
import { homeDirectory, locations } from "../locations.ts";
import { difference, surroundingsOf } from "../servers/changes.ts";
import { definitionsOf, foldServer, type Part } from "../servers/definitions.ts";
import {
  listRecords,
  readRecord,
  remember,
  type Remembered,
  type ServerRecord,
  writeRecord,
} from "../servers/records.ts";
import { visible } from "../visible.ts";
import { exitCodes } from "./exit_codes.ts";
import { askPerson, requirePerson } from "./person.ts";
import { line, paint, table } from "./terminal.ts";

interface McpOptions {
  readonly json?: boolean;
  readonly host?: string;
  readonly cwd?: string;
  readonly state?: string;
}

/** A remembered server with what the host's configuration says now. */
interface Looked {
  readonly record: ServerRecord;
  readonly now: readonly Remembered[];
  /** A file cannot be looked at. */
  readonly unreadable?: boolean;
  /** Sentences; absent when it is what it was. */
  readonly changed?: string;
}

async function look(record: ServerRecord): Promise<Looked> {
  const adapter = await loadAdapter(record.host);
  const { workspace } = record;
  const places = surroundingsOf({
    home: homeDirectory(),
    workspace,
    cwd: workspace,
    env: Deno.env.toObject(),
  });
  const defined = await definitionsOf(record.server, "", adapter?.servers ?? [], places);
  const now = await Promise.all(defined.definitions.map(remember));
  const changed = difference(record, now, defined);
  return {
    record,
    now,
    unreadable: defined.unreadable !== undefined,
    ...(changed === undefined ? {} : { changed }),
  };
}

/** Ids of the hosts that are meant. Throws UsageError for one that is not known. */
async function meantHosts({ host }: McpOptions): Promise<readonly string[]> {
  return host === undefined
    ? adapterIds
    : (await namedAdapters([host], "guard mcp --host")).map((adapter) => adapter.id);
}

async function looked(options: McpOptions): Promise<Looked[]> {
  const state = options.state ?? locations().state;
  const hosts = await meantHosts(options);
  const records = listRecords(state).filter(({ host }) => hosts.includes(host));
  return await Promise.all(records.map(look));
}

function partsText({ shown }: Remembered): string {
  return (Object.keys(shown) as Part[]).map((part) => `${part} ${visible(shown[part]!, 200)}`).join(", ");
}

async function list(options: McpOptions): Promise<void> {
  const all = await looked(options);
  if (options.json) {
    line(JSON.stringify(all.map(({ record, now, changed }) => ({
      host: record.host,
      workspace: record.workspace,
      server: record.server,
      seen: new Date(record.seen).toISOString(),
      fingerprints: record.definitions.map(({ fingerprint }) => fingerprint),
      definitions: record.definitions.map(({ shown }) => shown),
      now: now.map(({ fingerprint, shown }) => ({ fingerprint, ...shown })),
      ...(changed === undefined ? {} : { changed }),
    }))));
  } else if (all.length === 0) {
    line("No MCP server has been called yet of which the host's configuration says how it is started.");
  } else {
    line(table(all.map(({ record, changed }) => [
      visible(record.server, 60),
      record.host,
      record.definitions[0]?.fingerprint.slice(0, 12) ?? "",
      new Date(record.seen).toISOString().slice(0, 10),
      changed === undefined ? "as first seen" : paint("red", "changed"),
      visible(record.workspace, 80),
    ])));
    for (const { record, changed } of all) {
      if (changed === undefined) continue;
      line();
      line(
        `${paint("bold", visible(record.server, 60))} on ${record.host} in ${visible(record.workspace, 200)}`,
      );
      line(`  ${visible(changed, 2000)}`);
      line(`  To go on with it as it is: guard mcp trust ${visible(record.server, 60)}`);
    }
  }
  if (all.some(({ changed }) => changed !== undefined)) Deno.exitCode = exitCodes.ask;
}

/** Servers of this name whose record cannot be used; it says neither of whom it was nor where. */
async function damaged(name: string, workspace: string, options: McpOptions): Promise<Looked[]> {
  const state = options.state ?? locations().state;
  const found: Looked[] = [];
  for (const host of await meantHosts(options)) {
    if (await readRecord(state, host, workspace, name) !== "damaged") continue;
    const record: ServerRecord = { version: 1, host, workspace, server: name, seen: 0, definitions: [] };
    const { now, unreadable = false } = await look(record);
    found.push({ record, now, unreadable, changed: difference("damaged", now, {})! });
  }
  return found;
}

async function trust(name: string, options: McpOptions): Promise<void> {
  const { workspaceIn } = await import("./workspace.ts");
  const workspace = workspaceIn(options.cwd);
  const named = [
    ...(await looked(options)).filter(({ record }) => foldServer(record.server) === foldServer(name)),
    ...await damaged(name, workspace, options),
  ];
  if (named.length === 0) {
    throw new GuardError(
      `expected the name of an MCP server that was called, found "${visible(name, 60)}"`,
      "guard mcp",
    );
  }
  const changed = named.filter((one) => one.changed !== undefined);
  const here = changed.filter(({ record }) => record.workspace === workspace);
  const meant = here.length > 0 ? here : changed;
  if (meant.length === 0) {
    line(`${visible(name, 60)} is what it was.`);
    return;
  }
  requirePerson("trust a server", "guard mcp");
  for (const { record, now, unreadable, changed } of meant) {
    line(
      `${paint("bold", visible(record.server, 60))} on ${record.host} in ${visible(record.workspace, 200)}`,
    );
    line(`  ${visible(changed ?? "", 2000)}`);
    for (const one of now) line(`  now: ${partsText(one)}`);
    line();
    if (!askPerson("Trust this server as it is now? [y/N] ")) throw new GuardError("nothing was trusted");
    await writeRecord(options.state ?? locations().state, {
      ...record,
      seen: Date.now(),
      definitions: now,
      unreadable: unreadable === true,
    });
    line(`Trusted: ${visible(record.server, 60)}`);
  }
}

export function register(program: Command): void {
  const mcp = program
    .command("mcp")
    .description("show the MCP servers that were called, and what changed about them since")
    .option("--host <id>", "only this host")
    .option("--cwd <directory>", "with trust: directory of the project")
    .option("--json", "as JSON")
    .option("--state <directory>", "guard's state, when it is not in its usual place")
    .addHelpText(
      "after",
      `
When a tool of an MCP server is called first, guard remembers how the host's configuration starts it: command,
arguments, address, names of variables. When that is different later, guard asks.

Exit codes: 0 all are what they were; 3 something changed.

Examples:
  $ guard mcp
  $ guard mcp trust github        for a person at a terminal, refused to agents`,
    )
    .action((options: McpOptions) => list(options));
  mcp
    .command("trust")
    .description("go on with a server as it is now; for a person at a terminal, refused to agents")
    .argument("<name>", "name of the server")
    .action((name: string, _options: unknown, command: Command) => trust(name, command.optsWithGlobals()));
}
