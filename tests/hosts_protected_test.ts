/** Whatever guard installs into a host is protected by its rules, told from the data of the adapters. */

import assert from "node:assert/strict";
import { dirname } from "node:path/posix";
import { rules as persistence } from "../rules/persistence.ts";
import { rules as self } from "../rules/self.ts";
import { allAdapters } from "../src/install/hosts.ts";
import { resolveLocation, type Surroundings } from "../src/install/location.ts";
import { stampWord } from "../src/stamp.ts";
import type { InstallTarget, Location } from "../src/types.ts";
import { judged } from "./rule_world.ts";

const rules = [...self, ...persistence];
const home = "/home/dev";
const project = "/home/dev/app";
const around: Surroundings = {
  system: "linux",
  home,
  project,
  env: {},
  gitHooks: `${project}/.git/hooks`,
};

/** The file of a target, and what stands in it. */
function installed(target: InstallTarget): { readonly path: string; readonly text: string } {
  const path = resolveLocation(target.location, around);
  if (target.format === "whole") return { path, text: `# ${stampWord}0` };
  return {
    path: target.each === undefined ? path : `${path}/mine${target.each}`,
    text: '{"hooks": {"a": 1}, "guard": {"a": 1}}',
  };
}

for (const adapter of await allAdapters()) {
  const targets = adapter.install.map((target) => ({ scope: target.scope, ...installed(target) }));
  for (const { scope, path, text } of targets) {
    const facts = { files: { [path]: text } };
    const decision = (action: Parameters<typeof judged>[0]) => judged(action, rules, { facts }).decision;

    Deno.test(`${adapter.id} ${scope}: ${path.slice(home.length)} is not the agent's to change`, () => {
      assert.equal(decision({ kind: "file", operation: "delete", path }), "deny");
      assert.equal(decision({ kind: "file", operation: "write", path, content: "{}" }), "deny");
      const off = { kind: "file", operation: "edit", path, previous: text, content: "{}" } as const;
      assert.equal(decision(off), "deny");
      for (const command of [`rm ${path}`, `echo x > ${path}`, `mv ${path} /tmp/x`, `chmod -x ${path}`]) {
        assert.equal(decision(command), "deny", command);
      }
      assert.equal(decision({ kind: "file", operation: "read", path }), "none");
    });

    const directory = dirname(path);
    if ([home, project, around.gitHooks].includes(directory)) continue;

    Deno.test(`${adapter.id} ${scope}: ${directory.slice(home.length)} is not the agent's to remove`, () => {
      assert.equal(decision(`rm -rf ${directory}`), "deny");
    });
  }
}

/** Programs of hosts by the variables that give them other settings. */
const relocated = new Map<string, Set<string>>();
for (const { install, detect } of await allAdapters()) {
  const locations: readonly Location[] = [...install.map(({ location }) => location), ...detect.locations];
  for (const { variable } of locations.flatMap(({ relocatedBy }) => relocatedBy ?? [])) {
    const programs = relocated.get(variable) ?? new Set();
    relocated.set(variable, programs);
    for (const program of detect.executables) programs.add(program);
  }
}

for (const [variable, programs] of relocated) {
  Deno.test(`an agent is not started with another ${variable}`, () => {
    const decisions = [...programs].map((program) => decisionOf(`${variable}=/tmp/elsewhere ${program} x`));
    assert.ok(decisions.includes("deny"), [...programs].join(", "));
  });
}

function decisionOf(command: string): string {
  return judged(command, rules).decision;
}
