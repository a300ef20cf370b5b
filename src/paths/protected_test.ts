import assert from "node:assert/strict";
import fc from "fast-check";
import { protectedPatterns, shapes } from "./protected.ts";

for (const [name, patterns] of Object.entries(protectedPatterns)) {
  Deno.test(`${name}: what a pattern matches has the shape of the list`, () => {
    const shape = shapes[name as keyof typeof shapes];
    for (const pattern of patterns) {
      // The flag and looking ahead are beyond the generator; without them it makes more than the pattern matches.
      const wider = new RegExp(pattern.source.replaceAll(/\(\?![^()]*\)/g, ""));
      fc.assert(fc.property(fc.stringMatching(wider), (path) => assert.match(path, shape)), { numRuns: 60 });
    }
  });
}
