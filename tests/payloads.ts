/** The payloads of a host in tests/fixtures/<host>. */

const fixtures = new URL("./fixtures/", import.meta.url);

/** Names of the files that hold a payload with the call that it is. */
export function payloadNames(host: string): string[] {
  return [...Deno.readDirSync(new URL(`${host}/`, fixtures))].map((entry) => entry.name)
    .filter((name) => name.endsWith(".json") && name !== "replies.json").sort();
}

/** The payloads themselves, by file name. */
export function payloadsOf(host: string): Map<string, Record<string, unknown>> {
  return new Map(
    payloadNames(host).map((name) => {
      const text = Deno.readTextFileSync(new URL(`${host}/${name}`, fixtures));
      return [name, (JSON.parse(text) as { payload: Record<string, unknown> }).payload];
    }),
  );
}
