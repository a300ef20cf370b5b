import assert from "node:assert/strict";
import { anchorTable } from "./anchors.ts";

Deno.test("each of very many anchors is in a list of its own", () => {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"];
  const texts = letters.flatMap((first) => letters.map((second) => `${first}${second}-x`));
  const { pairs, thirds, anchors } = anchorTable(texts.map((text) => ({ text, value: text })));
  for (const text of texts) {
    const row = pairs[text.charCodeAt(0) << 7 | text.charCodeAt(1)]!;
    assert.notEqual(row, 0, text);
    assert.deepEqual(anchors[thirds[row | text.charCodeAt(2)]!]!.map(({ value }) => value), [text]);
  }
});
