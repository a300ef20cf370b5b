import assert from "node:assert/strict";
import fc from "fast-check";
import { parseDocument, valueOf } from "./document.ts";
import { installInto, uninstallFrom } from "./edit.ts";
import { RefusedError } from "./refusal.ts";
import { configuration, flat, grouped, layout, sampleCommand, write } from "./samples.ts";

const targets = { grouped, flat };

for (const [name, shape] of Object.entries(targets)) {
  for (const format of ["json", "jsonc"] as const) {
    const target = { ...shape, format };
    Deno.test(`${name} ${format}: install then uninstall gives back every byte, installing twice changes nothing`, () => {
      fc.assert(
        fc.property(configuration, layout, (value, how) => {
          const before = write(value, how, format);
          const installed = installInto(before, target, sampleCommand);
          assert.equal(installed.added.length, target.entries.length);
          const again = installInto(installed.text, target, sampleCommand);
          assert.equal(again.text, installed.text);
          assert.deepEqual([again.added, again.refreshed, again.removed], [[], [], 0]);
          assert.equal(uninstallFrom(installed.text, target, installed, false).text, before);
        }),
        { numRuns: 400 },
      );
    });

    Deno.test(`${name} ${format}: what was there keeps its value, and entries come last`, () => {
      fc.assert(
        fc.property(configuration, layout, (value, how) => {
          const text = installInto(write(value, how, format), target, sampleCommand).text.replace(
            /^\ufeff/,
            "",
          );
          const after = valueOf(parseDocument(text, format)!) as Record<string, unknown>;
          const expected = structuredClone(value) as Record<string, unknown>;
          for (const [key, member] of Object.entries(shape === flat ? { version: 1 } : {})) {
            expected[key] ??= member;
          }
          const hooks = (expected["hooks"] ??= {}) as Record<string, unknown[]>;
          for (const entry of target.entries) {
            (hooks[entry.event] ??= []).push(entry.value(sampleCommand(entry.event)));
          }
          assert.deepEqual(after, expected);
        }),
        { numRuns: 150 },
      );
    });

    Deno.test(`${name} ${format}: without a receipt uninstall leaves the same values`, () => {
      fc.assert(
        // A comment keeps the container that it stands in, so there are none here.
        fc.property(configuration, layout.map((how) => ({ ...how, comments: false })), (value, how) => {
          const installed = installInto(write(value, how, format), target, sampleCommand).text;
          const left = uninstallFrom(installed, target, undefined, false);
          assert.equal(left.removed, target.entries.length);
          const after = valueOf(parseDocument(left.text!.replace(/^\ufeff/, ""), format)!);
          const pruned = (plain: unknown) => {
            const copy = structuredClone(plain) as { hooks?: Record<string, unknown[]>; version?: unknown };
            if (shape === flat) copy.version ??= 1;
            for (const entry of target.entries) {
              if (copy.hooks?.[entry.event]?.length === 0) delete copy.hooks[entry.event];
            }
            if (copy.hooks !== undefined && Object.keys(copy.hooks).length === 0) delete copy.hooks;
            return copy;
          };
          assert.deepEqual(after, pruned(value));
        }),
        { numRuns: 150 },
      );
    });
  }
}

for (const [name, shape] of Object.entries(targets)) {
  Deno.test(`${name}: events that are no longer registered go with their lists, also without a receipt`, () => {
    const [first, ...rest] = shape.entries;
    const older = { ...shape, entries: shape.entries };
    const newer = { ...shape, entries: [first!] };
    const before = '{\n  "a": 1\n}\n';
    const old = installInto(before, older, sampleCommand);
    const upgraded = installInto(old.text, newer, sampleCommand);
    assert.equal(upgraded.removed, rest.length);
    assert.equal(upgraded.text, installInto(before, newer, sampleCommand).text);
    const left = uninstallFrom(old.text, newer, undefined, false);
    const expected = shape === flat ? '{\n  "a": 1,\n  "version": 1\n}\n' : before;
    assert.equal(left.text, expected);
  });
}

Deno.test("a damaged configuration is edited soundly or refused, never anything else", () => {
  const damaged = fc.tuple(configuration, layout, fc.nat(), fc.nat(), fc.string({ maxLength: 3 })).map(
    ([value, how, from, length, piece]) => {
      const text = write(value, how, "jsonc");
      const at = from % (text.length + 1);
      return text.slice(0, at) + piece + text.slice(at + length % 4);
    },
  );
  fc.assert(
    fc.property(
      fc.oneof(damaged, fc.string({ unit: "binary" })),
      fc.constantFrom(grouped, flat),
      (text, target) => {
        try {
          const installed = installInto(text, target, sampleCommand);
          assert.notEqual(parseDocument(installed.text.replace(/^\ufeff/, ""), "jsonc"), undefined);
        } catch (error) {
          assert.ok(error instanceof RefusedError, String(error));
        }
      },
    ),
    { numRuns: 1500 },
  );
});

Deno.test("large configurations take linear time", () => {
  const many = `{"a":[${'{"b":1},'.repeat(60_000)}0],"hooks":{"PreToolUse":[${
    '{"c":[]},'.repeat(10_000)
  }{}]}}`;
  const started = performance.now();
  const installed = installInto(many, { ...grouped, format: "json" }, sampleCommand);
  assert.equal(uninstallFrom(installed.text, { ...grouped, format: "json" }, installed, false).text, many);
  assert.ok(performance.now() - started < 20_000);
});
