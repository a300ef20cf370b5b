/** The environment that guard was started with. */

let variables: Readonly<Record<string, string>> | undefined;

/** The same object every time: what is made of it is remembered by it. */
export function environment(): Readonly<Record<string, string>> {
  return variables ??= Deno.env.toObject();
}
