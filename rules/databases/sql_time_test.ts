import assert from "node:assert/strict";
import { usedTime } from "../../tests/cpu_time.ts";
import { sqlHarms } from "./statements.ts";

Deno.test("reading never fails, and takes time in proportion to the text", () => {
  const units = [
    "(",
    "select(",
    "'",
    "$a$ $b$",
    "/*",
    "with x as (delete from t ",
    "[",
    "\\",
    "drop table ",
    "where 1=1 or ",
    "\n.shell x",
    "\\g ",
    "a.",
    "execute 'a b' ",
    "or 1=1 and ",
  ];
  for (const dialect of ["postgres", "mysql", "sqlite", "tsql", "any"] as const) {
    for (const unit of units) {
      sqlHarms(unit, dialect);
      const time = (size: number) => {
        const text = unit.repeat(Math.ceil(size / unit.length));
        let least = Infinity;
        for (let run = 0; run < 3; run++) {
          const start = usedTime();
          sqlHarms(text, dialect);
          least = Math.min(least, usedTime() - start);
        }
        return least;
      };
      const [small, large] = [time(20_000), time(80_000)];
      assert.ok(
        large < 8 * small + 60,
        `${dialect} ${unit}: ${small.toFixed(1)} ms, then ${large.toFixed(1)} ms`,
      );
    }
  }
});
