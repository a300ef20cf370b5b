/** Changing permissions and owners. */

import type { PathRule } from "../../src/types.ts";
import type { PathUse } from "../../src/shell/model.ts";
import { locate, shown } from "../../src/paths.ts";
import { parseArguments } from "../options.ts";
import { evidenceOf, isBroad } from "./uses.ts";

/** True when everybody may write afterwards. */
function opensToAll(use: PathUse): boolean {
  const mode = use.invocation === undefined
    ? ""
    : parseArguments(use.invocation.args).operands[0]?.text ?? "";
  return /^[0-7]?[0-7]{2}[2367]$/.test(mode) || /^(?:[ugo]*[ao][ugo]*)?[+=][rxXst]*w/.test(mode);
}

export const modes: readonly PathRule[] = [
  {
    on: "path",
    id: "filesystem/change-modes-of-root",
    title: "Changes permissions or owners of a root, the system or a home",
    severity: "critical",
    decision: "deny",
    rationale: "Afterwards programs refuse to run or everybody can change them, and the old values are lost.",
    advice: "Change the one file that needs it, as in `chmod u+x scripts/build.sh`.",
    operations: ["mode"],
    examples: {
      match: [
        { action: "chmod -R 777 /" },
        { action: "chown -R dev ~/.." },
        { action: "find / -type f -exec chmod 666 {} \\;" },
        { action: "chmod -R go+w /usr/lib" },
        { action: "chmod 000 /" },
      ],
      pass: [
        { action: "chmod +x scripts/build.sh" },
        { action: "chown -R dev dist" },
        { action: "chmod 600 ~/.ssh/config" },
      ],
    },
    match(use, context) {
      for (const { place, path, contents, filter } of locate(use, context).locations) {
        const wide = use.recursive || contents || place === "root" || place === "system";
        if (!wide || !isBroad(filter ?? use.filter)) continue;
        if (/^(?:root|system|homes|home|other-home|ancestor|temp-root|device)$/.test(place)) {
          return {
            evidence: evidenceOf(use),
            message: `This changes permissions or owners of everything in ${shown(path, context)}.`,
          };
        }
      }
      return undefined;
    },
  },
  {
    on: "path",
    id: "filesystem/open-to-all",
    title: "Lets everybody write to a whole tree",
    severity: "medium",
    decision: "ask",
    rationale: "Any program and user on the machine can then change the code that runs here.",
    advice: "Give the mode to the one file or user that needs it, as in `chmod u+w notes.txt`.",
    operations: ["mode"],
    examples: {
      match: [
        { action: "chmod -R 777 ." },
        { action: "chmod -R a+w src" },
        { action: "chmod -R 0666 ../shared" },
      ],
      pass: [
        { action: "chmod -R 755 scripts" },
        { action: "chmod -R u+w src" },
        { action: "chmod 644 README.md" },
      ],
    },
    match(use, context) {
      const located = locate(use, context);
      const safe = located.locations.length > 0 && !located.unknown &&
        located.locations.every((location) => location.place === "temp");
      return use.recursive && opensToAll(use) && !safe ? { evidence: evidenceOf(use) } : undefined;
    },
  },
];
