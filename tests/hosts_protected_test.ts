/** What an agent must not change or start, for every host, told from the data of its adapter. */

import assert from "node:assert/strict";
import { dirname } from "node:path/posix";
import { agentPrograms } from "../rules/self/agents.ts";
import { rules as persistence } from "../rules/persistence.ts";
import { rules as self } from "../rules/self.ts";
import { agentExecutables } from "../src/host_data.ts";
import { allAdapters } from "../src/install/hosts.ts";
import { resolveLocation, type Surroundings } from "../src/install/location.ts";
import { isEditorSettings } from "../src/paths/protected.ts";
import { stampWord } from "../src/stamp.ts";
import type { InstallTarget } from "../src/types.ts";
import { variablesOf } from "../tools/generate_host_data.ts";
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

  for (const { location, off } of adapter.disabledBy ?? []) {
    const path = resolveLocation(location, around);
    Deno.test(`${adapter.id}: hooks are not switched off in ${location.segments.join("/")}`, () => {
      const content = JSON.stringify(
        location.segments.reduce<unknown>((inner, key) => ({ [key]: inner }), off),
      );
      const rule = isEditorSettings(path) ? "self/editor-approvals-off" : "self/change-host-settings";
      const action = { kind: "file", operation: "write", path } as const;
      const written = isEditorSettings(path)
        ? { ...action, content: '{"chat.hookFilesLocations": {}}' }
        : { ...action, content };
      assert.deepEqual(judged(written, self).findings.map((finding) => finding.rule), [rule]);
    });
  }

  Deno.test(`${adapter.id}: its programs are known as agents`, () => {
    for (const program of adapter.detect.executables) {
      assert.ok(agentExecutables.includes(program), `${program}: run deno task generate`);
      assert.ok(
        agentPrograms.includes(program),
        `${program}: say in the adapter how it is started unchecked`,
      );
    }
  });

  const { unchecked } = adapter;
  if (unchecked === undefined) continue;

  Deno.test(`${adapter.id}: it is not started without its checks`, () => {
    for (const program of unchecked.programs) {
      assert.equal(decisionOf(`${program} --version`), "none");
      assert.equal(decisionOf(`${program} explain`), "none");
      const starts: readonly string[] = [
        ...unchecked.options.map((option) => `${program} ${option} explain`),
        ...(unchecked.verbs ?? []).map((verb) => `${program} ${verb} explain`),
        ...variablesOf(adapter).map((variable) => `${variable}=/tmp/elsewhere ${program} explain`),
        `HOME=/tmp/elsewhere ${program} explain`,
      ];
      for (const start of starts) assert.equal(decisionOf(start), "deny", start);
    }
    for (const name of unchecked.packages ?? []) {
      const option: string = unchecked.options[0] ?? "";
      assert.equal(decisionOf(`node /usr/lib/node_modules/${name}/cli.js ${option} explain`), "deny", name);
    }
    const patterns = [
      ...Object.values({ ...unchecked.values, ...unchecked.variables }),
      unchecked.commands ?? "",
    ];
    for (const pattern of patterns) new RegExp(pattern);
  });
}

function decisionOf(command: string): string {
  return judged(command, rules).decision;
}
