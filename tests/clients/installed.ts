/** Where the real clients are installed. */
import type { Client, Recipe } from "./client.ts";

/** The Node.js that the clients run on; npm also picks what it installs by it. */
export const node: Recipe = { package: "node", version: "24.21.0", executable: "node_modules/node/bin/node" };

/** Folder of one package below the clients' folder; versions live beside each other, so that checkouts can share the folder. */
export function folderOf(folder: string, id: string, recipe: Recipe): string {
  return `${folder}/${id}-${recipe.version}`;
}

/** Path of an executable. */
export function executableOf(folder: string, id: string, recipe: Recipe): string {
  return `${folderOf(folder, id, recipe)}/${recipe.executable}`;
}

/** Folder of the pinned Node.js, for PATH. */
export function nodeFolder(folder: string): string {
  return executableOf(folder, "node", node).replace(/\/node$/, "");
}

/** The installed version of a client, undefined when it is not there. */
export function installedVersion(folder: string, id: string, recipe: Recipe): string | undefined {
  const place = folderOf(folder, id, recipe);
  try {
    Deno.statSync(`${place}/${recipe.executable}`);
    const manifest = Deno.readTextFileSync(`${place}/node_modules/${recipe.package}/package.json`);
    const { version }: { version: string } = JSON.parse(manifest);
    return version;
  } catch {
    return undefined;
  }
}

/** Why this client cannot be driven with these folders; undefined when it can. */
export function obstacle(
  client: Client,
  { folder, executable }: { readonly folder?: string; readonly executable?: string },
): string | undefined {
  if (Deno.build.os === "windows") return "the sessions are written for POSIX systems";
  if (client.install.impossible !== undefined) return client.install.impossible;
  if (!executable) return "guard is not compiled (GUARD_BINARY)";
  const how = `run: deno task clients ${client.id}`;
  if (!folder) return `no clients; ${how}`;
  for (const [id, recipe] of [["node", node], [client.id, client.install]] as const) {
    if (installedVersion(folder, id, recipe) !== recipe.version) {
      return `${id} ${recipe.version} is not installed; ${how}`;
    }
  }
  return undefined;
}
