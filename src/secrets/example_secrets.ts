/** Made-up secrets of a shape, for tests. */

import fc from "fast-check";
import type { SecretFormat } from "./formats.ts";

/** Secrets of a shape that are no examples for a document: of few different characters, or with a mark of one. */
export function examplesOf({ pattern, anchors }: SecretFormat): fc.Arbitrary<string> {
  // What the pattern only looks ahead to is checked afterwards.
  const source = pattern.source.replace(/\(\?[=!](?:\[[^\]]*\]|[^()])*\)/g, "");
  const whole = new RegExp(`^(?:${pattern.source})$`);
  return fc.stringMatching(new RegExp(`^(?:${source})$`)).filter((text) =>
    whole.test(text) && anchors.some((anchor) => text.includes(anchor)) &&
    new Set(text.slice(-32)).size > 11 && !/0{10}|x{5}|\.{3}|\*{3}/i.test(text)
  );
}
