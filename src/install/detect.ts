/** Finds the hosts that are on this machine. */

import type { HostAdapter } from "../types.ts";
import { pathsOf, resolveLocation, type Surroundings } from "./location.ts";

export interface Detection {
  /** What was found, as absolute paths; empty when the host is not here. */
  readonly found: readonly string[];
}

/** Looks for the executables on PATH and the directories that an adapter names. Starts nothing. */
export async function detectHost(
  adapter: Pick<HostAdapter, "detect">,
  around: Surroundings,
): Promise<Detection> {
  const found: string[] = [];
  for (const name of [...adapter.detect.executables, ...adapter.detect.editors ?? []]) {
    for (const path of candidates(name, around)) {
      const info = await Deno.stat(path).catch(() => undefined);
      const executable = info?.isFile === true &&
        (around.system === "windows" || info.mode === null || (info.mode & 0o111) !== 0);
      if (!executable) continue;
      found.push(path);
      break;
    }
  }
  for (const location of adapter.detect.locations) {
    const path = resolveLocation(location, around);
    if (await Deno.stat(path).then(() => true, () => false)) found.push(path);
  }
  return { found };
}

/** Where a program would be found, in the order of PATH. Relative entries of PATH are left out. */
function candidates(name: string, around: Surroundings): string[] {
  const path = pathsOf(around.system);
  const variable = around.system === "windows"
    ? Object.keys(around.env).find((key) => key.toUpperCase() === "PATH") ?? "PATH"
    : "PATH";
  const folders = (around.env[variable] ?? "").split(path.delimiter).filter((folder) =>
    path.isAbsolute(folder)
  );
  const endings = around.system === "windows"
    ? ["", ...(around.env["PATHEXT"] ?? ".COM;.EXE;.BAT;.CMD").split(";")]
    : [""];
  return folders.flatMap((folder) => endings.map((ending) => path.join(folder, name + ending.toLowerCase())));
}
