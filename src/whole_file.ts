/** Writing a file of guard's state so that readers see all of it or nothing. */

import { native } from "./native_path.ts";

/**
 * Writes a file for the user alone; the directory is created when it is missing. The name gets the new
 * content at once, whoever else writes it.
 *
 * @throws when it cannot be written; nothing is left behind then.
 */
export function writeWhole(directory: string, name: string, text: string): void {
  Deno.mkdirSync(directory, { recursive: true, mode: 0o700 });
  const random = crypto.getRandomValues(new Uint32Array(2)).join("-");
  const temporary = native.join(directory, `.${name}.${random}`);
  try {
    // The same through node:fs costs a hook several milliseconds more.
    Deno.writeTextFileSync(temporary, text, { createNew: true, mode: 0o600 });
    Deno.renameSync(temporary, native.join(directory, name));
  } catch (error) {
    try {
      Deno.removeSync(temporary);
    } catch {
      // It was not made, or is gone already.
    }
    throw error;
  }
}
