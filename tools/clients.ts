/**
 * Installs the real clients that tests/clients drives, pinned by their descriptions, into a cache outside the checkout.
 *
 *   deno task clients [--newest] [HOST …]
 *
 * Without hosts all of them are installed. With --newest the descriptions are changed first to pin the newest version that npm has;
 * `git diff` then shows which clients have moved on. GUARD_CLIENTS names another folder than the cache. Needs npm.
 */
import { parseArgs } from "node:util";
import type { Recipe } from "../tests/clients/client.ts";
import { clientIds, loadClient } from "../tests/clients/discover.ts";
import { executableOf, folderOf, installedVersion, node, nodeFolder } from "../tests/clients/installed.ts";

/** Packages that are installed beside each other; more of them wait for the same disk. */
const beside = 3;

/** Folder of the clients: GUARD_CLIENTS, else a folder in the user's cache. */
export function clientsFolder(): string {
  const named = Deno.env.get("GUARD_CLIENTS");
  if (named) return named;
  const cache = Deno.env.get("XDG_CACHE_HOME") ||
    `${Deno.env.get("HOME") ?? Deno.env.get("USERPROFILE")}/.cache`;
  return `${cache}/guard-clients`;
}

async function run(command: string, args: string[], cwd: string, path: string): Promise<string> {
  const child = new Deno.Command(command, {
    args,
    cwd,
    env: { PATH: path, DISABLE_AUTOUPDATER: "1", CI: "true" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
  const result = await child.output();
  const text = new TextDecoder().decode(result.stdout) + new TextDecoder().decode(result.stderr);
  if (result.code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${result.code}:\n${text}`);
  return text;
}

/** Installs one package, unless the pinned version is there. */
async function install(folder: string, id: string, recipe: Recipe): Promise<void> {
  const place = folderOf(folder, id, recipe);
  if (installedVersion(folder, id, recipe) !== recipe.version) {
    await Deno.mkdir(place, { recursive: true });
    await Deno.writeTextFile(`${place}/package.json`, '{ "private": true }\n');
    const args = ["install", "--no-fund", "--no-audit", "--save-exact", ...(recipe.options ?? [])];
    const path = `${nodeFolder(folder)}:${Deno.env.get("PATH") ?? ""}`;
    await run("npm", [...args, `${recipe.package}@${recipe.version}`], place, path);
  }
  const found = installedVersion(folder, id, recipe);
  if (found !== recipe.version) {
    throw new Error(
      `${executableOf(folder, id, recipe)}: expected ${recipe.version}, found ${found ?? "nothing"}`,
    );
  }
  console.log(`${id}: ${recipe.package} ${recipe.version}`);
}

/** Runs jobs, `width` at a time. @returns the messages of those that failed. */
async function pool(jobs: readonly (() => Promise<void>)[], width: number): Promise<string[]> {
  const problems: string[] = [];
  const rest = [...jobs];
  const worker = async () => {
    for (let job = rest.shift(); job !== undefined; job = rest.shift()) {
      try {
        await job();
      } catch (error) {
        problems.push(error instanceof Error ? error.message : String(error));
      }
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return problems;
}

/** Pins the newest version that npm has in the description of a client. */
async function pinNewest(id: string): Promise<void> {
  const { install } = await loadClient(id);
  if (install.impossible !== undefined) return;
  const newest = (await run("npm", ["view", install.package, "version"], ".", Deno.env.get("PATH") ?? ""))
    .trim();
  if (!/^\d+\.\d+\.\d+[\w.-]*$/.test(newest)) {
    throw new Error(`npm view ${install.package}: expected a version, got ${newest}`);
  }
  if (newest === install.version) return;
  const file = new URL(`../tests/clients/hosts/${id}.ts`, import.meta.url);
  await Deno.writeTextFile(file, repinned(await Deno.readTextFile(file), install.version, newest));
  console.log(`${id}: ${install.version} -> ${newest}`);
}

/** The text of a description with another version pinned. @throws Error when it does not pin `version` exactly once. */
export function repinned(text: string, version: string, newest: string): string {
  const pin = `version: ${JSON.stringify(version)}`;
  if (text.split(pin).length !== 2) throw new Error(`expected ${pin} once in the description`);
  return text.replace(pin, `version: ${JSON.stringify(newest)}`);
}

/** Installs the clients again from the descriptions as they are on disk now. */
async function installPinned(ids: readonly string[]): Promise<never> {
  const script = new URL(import.meta.url).pathname;
  const { code } = await new Deno.Command(Deno.execPath(), { args: ["run", "-A", script, ...ids] }).spawn()
    .status;
  Deno.exit(code);
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    args: Deno.args,
    allowPositionals: true,
    options: { newest: { type: "boolean" } },
  });
  const folder = clientsFolder();
  const problems: string[] = [];
  try {
    const ids = positionals.length > 0 ? positionals : clientIds();
    if (values.newest) {
      for (const id of ids) await pinNewest(id);
      // Modules that are loaded keep the old versions.
      await installPinned(ids);
    }
    const clients = await Promise.all(ids.map(loadClient));
    await Deno.mkdir(folder, { recursive: true });
    // First, since npm picks versions by it.
    await install(folder, "node", node);
    const possible = clients.filter((client) => client.install.impossible === undefined);
    problems.push(
      ...await pool(possible.map((client) => () => install(folder, client.id, client.install)), beside),
    );
    for (const client of clients.filter((client) => !possible.includes(client))) {
      console.log(`${client.id}: not installed: ${client.install.impossible}`);
    }
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  for (const problem of problems) console.error(`clients: ${problem}`);
  if (problems.length > 0) Deno.exit(1);
  console.log(`clients are in ${folder}`);
}
