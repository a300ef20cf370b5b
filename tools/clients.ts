/**
 * Installs the real clients that tests/clients drives, pinned by tests/clients/clients.json, into a cache outside the checkout.
 *
 *   deno task clients
 *
 * GUARD_CLIENTS names another folder than the cache. Needs npm; about 1.1 GB.
 */
import pins from "../tests/clients/clients.json" with { type: "json" };

interface Pin {
  readonly package: string;
  readonly version: string;
  readonly executable: string;
}

/** What is installed: the Node.js that the clients run on first, since npm picks versions by it. */
export const pinned: Readonly<Record<string, Pin>> = { node: pins.node, ...pins.clients };

/** Folder of the clients: GUARD_CLIENTS, else a folder in the user's cache. */
export function clientsFolder(): string {
  const named = Deno.env.get("GUARD_CLIENTS");
  if (named) return named;
  const cache = Deno.env.get("XDG_CACHE_HOME") ||
    `${Deno.env.get("HOME") ?? Deno.env.get("USERPROFILE")}/.cache`;
  return `${cache}/guard-clients`;
}

function installed(folder: string, name: string): string | undefined {
  const { package: packageName, executable } = pinned[name]!;
  try {
    const manifest = Deno.readTextFileSync(`${folder}/${name}/node_modules/${packageName}/package.json`);
    Deno.statSync(`${folder}/${name}/${executable}`);
    const { version }: { version: string } = JSON.parse(manifest);
    return version;
  } catch {
    return undefined;
  }
}

/** The clients' folder when Node.js and at least one client are there. */
export function findClients(): string | undefined {
  const folder = clientsFolder();
  const names = Object.keys(pinned).filter((name) => installed(folder, name) === pinned[name]!.version);
  return names.includes("node") && names.length > 1 ? folder : undefined;
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

/** Installs one package and checks that what it brought can be run and is the pinned version. */
async function install(folder: string, name: string): Promise<void> {
  const { package: packageName, version, executable } = pinned[name]!;
  const place = `${folder}/${name}`;
  const path = `${folder}/node/node_modules/node/bin:${Deno.env.get("PATH") ?? ""}`;
  if (installed(folder, name) !== version) {
    await Deno.mkdir(place, { recursive: true });
    await Deno.writeTextFile(`${place}/package.json`, '{ "private": true }\n');
    await run(
      "npm",
      ["install", "--no-fund", "--no-audit", "--save-exact", `${packageName}@${version}`],
      place,
      path,
    );
  }
  const said = await run(`${place}/${executable}`, ["--version"], place, path);
  if (!said.includes(version)) throw new Error(`${name} --version: expected ${version}, got ${said.trim()}`);
  console.log(`${name}: ${packageName} ${version}`);
}

if (import.meta.main) {
  const folder = clientsFolder();
  try {
    await Deno.mkdir(folder, { recursive: true });
    for (const name of Object.keys(pinned)) await install(folder, name);
  } catch (error) {
    console.error(`clients: ${error instanceof Error ? error.message : error}`);
    Deno.exit(1);
  }
  console.log(`clients are in ${folder}`);
}
