/** The clients of tests/clients/hosts, found by their files. */
import type { Client } from "./client.ts";

const folder = new URL("hosts/", import.meta.url);

/** Ids of all clients, sorted. */
export function clientIds(): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => name.endsWith(".ts") && !name.endsWith("_test.ts"))
    .map((name) => name.slice(0, -".ts".length)).toSorted();
}

/** The description of one client. @throws Error when there is none. */
export async function loadClient(id: string): Promise<Client> {
  const ids = clientIds();
  if (!ids.includes(id)) throw new Error(`expected a client (${ids.join(", ")}), found "${id}"`);
  const { default: client }: { default: Client } = await import(new URL(`${id}.ts`, folder).href);
  if (client.id !== id) throw new Error(`hosts/${id}.ts describes ${client.id}`);
  return client;
}
