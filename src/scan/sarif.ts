/** Leaks as SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html), which code hosts show. */

import { version } from "../version.ts";
import type { Leak } from "./finding.ts";

/** The log of one run. @param complete false when the scan was interrupted */
export function sarif(leaks: readonly Leak[], complete: boolean): unknown {
  const kinds = new Map(leaks.map((leak) => [leak.kind, leak]));
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{
      tool: {
        driver: {
          name: "guard",
          version,
          rules: [...kinds.values()].map(({ kind, title, revoke }) => ({
            id: kind,
            shortDescription: { text: `${title} in a file` },
            help: { text: revoke === undefined ? "Take it out" : `Take it out, and revoke it: ${revoke}` },
          })),
        },
      },
      invocations: [{ executionSuccessful: complete }],
      columnKind: "utf16CodeUnits",
      results: leaks.map((leak) => ({
        ruleId: leak.kind,
        level: leak.minor ? "note" : "error",
        message: { text: `${leak.title}${leak.commit === undefined ? "" : `, added in ${leak.commit}`}` },
        locations: [{
          physicalLocation: {
            artifactLocation: { uri: uriOf(leak.path) },
            region: { startLine: leak.line, startColumn: leak.column },
          },
        }],
        partialFingerprints: { "guard/v1": leak.fingerprint },
      })),
    }],
  };
}

function uriOf(path: string): string {
  return path.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/");
}
