import assert from "node:assert/strict";
import type { Location } from "../types.ts";
import { resolveLocation, type Surroundings } from "./location.ts";

const location: Location = {
  base: "home",
  segments: [".tool", "settings.json"],
  relocatedBy: [
    { variable: "TOOL_DIR", segments: ["settings.json"] },
    { variable: "TOOL_HOME", segments: [".tool", "settings.json"] },
  ],
};
const linux: Surroundings = { system: "linux", home: "/home/x", project: "/p", env: {} };
const windows: Surroundings = { system: "windows", home: "C:\\Users\\x", project: "D:\\p", env: {} };

Deno.test("a location is below its base, in the form of the system", () => {
  assert.equal(resolveLocation(location, linux), "/home/x/.tool/settings.json");
  assert.equal(resolveLocation(location, windows), "C:\\Users\\x\\.tool\\settings.json");
  assert.equal(resolveLocation({ base: "project", segments: ["a"] }, windows), "D:\\p\\a");
  assert.equal(resolveLocation({ base: "config", segments: ["a"] }, linux), "/home/x/.config/a");
  assert.equal(
    resolveLocation({ base: "config", segments: ["a"] }, { ...linux, env: { XDG_CONFIG_HOME: "/c" } }),
    "/c/a",
  );
  assert.equal(
    resolveLocation({ base: "config", segments: ["a"] }, windows),
    "C:\\Users\\x\\AppData\\Roaming\\a",
  );
});

Deno.test("the first relocating variable that is set wins; an empty one counts as not set", () => {
  const env = { TOOL_DIR: "/d", TOOL_HOME: "/h" };
  assert.equal(resolveLocation(location, { ...linux, env }), "/d/settings.json");
  assert.equal(
    resolveLocation(location, { ...linux, env: { ...env, TOOL_DIR: "" } }),
    "/h/.tool/settings.json",
  );
});

Deno.test("a relative relocation is refused, with the variable's name", () => {
  assert.throws(() => resolveLocation(location, { ...linux, env: { TOOL_DIR: "d" } }), /TOOL_DIR is "d"/);
});
