/** Scripts of a project that are told, named or written in ways in which nobody writes them by accident. */

import { type Row, table } from "./judge_table.ts";

const at = "/home/eva/shop";
const holds = (files: Readonly<Record<string, string>>): Row => ({
  facts: {
    git: {},
    files: Object.fromEntries(Object.entries(files).map(([name, text]) => [`${at}/${name}`, text])),
  },
});
const scripts = (all: Readonly<Record<string, string>>) =>
  holds({ "package.json": JSON.stringify({ scripts: all, workspaces: ["packages/*"] }) });

const wipe = scripts({ x: "rm -rf ~", "a,b": "rm -rf ~", "ünï!": "rm -rf ~", safe: "true" });
const hooks = scripts({ postinstall: "rm -rf ~", test: "rm -rf ~" });
const below = holds({ "web/package.json": '{"scripts":{"x":"rm -rf ~"}}' });

table("names and options of npm and its like", "deny", [
  ["npm run 'a,b'", wipe],
  ["npm run 'ünï!'", wipe],
  ["npm --cache /tmp/c run x", wipe],
  ["npm --otp 123 run x", wipe],
  ["npm -- run x", wipe],
  ["npm run -- x", wipe],
  ["npm ru x", wipe],
  ["npm run-s x", wipe],
  ["npm --pref web run x", below],
  ["npm tes", hooks],
  ["npm cit", hooks],
  ["npm clean-install", hooks],
  ["npm in", hooks],
  ["npm isntall", hooks],
  ["npm --tag next install", hooks],
  "npm x -c 'rm -rf ~'",
  ["pnpm run '/^x/'", wipe],
  ["run-s 'x?'", scripts({ xy: "rm -rf ~" })],
  ["run-s '{x,y}'", wipe],
  ["run-p 'x --verbose'", wipe],
  ["rushx x", wipe],
  ["nr x", wipe],
  ["deno task x", holds({ "deno.json": "{}", "package.json": '{"scripts":{"x":"rm -rf ~"}}' })],
  ["deno run x", holds({ "deno.json": '{"tasks":{"x":"rm -rf ~"}}' })],
  ["deno task --eval 'rm -rf ~'", holds({ "deno.json": "{}" })],
  "composer exec -- rm -rf ~",
]);

table("names and options that run something else", "none", [
  ["npm run safe -- x", wipe],
  ["npm --cache /tmp/c run safe", wipe],
  ["npm view x", wipe],
  ["npm uninstall x", wipe],
  ["npm run 'sa?e'", wipe],
  ["run-s 'sa*'", wipe],
  ["deno run safe.ts", holds({ "deno.json": '{"tasks":{"x":"rm -rf ~"}}' })],
]);

table("a file of scripts that is too large to be read", "ask", [
  [
    "npm run x",
    holds({ "package.json": JSON.stringify({ pad: "x".repeat(300_000), scripts: { x: "true" } }) }),
  ],
]);

const make = (text: string, more: Readonly<Record<string, string>> = {}) =>
  holds({ Makefile: text, ...more });

table("makefiles with rarer words", "deny", [
  ["make 'x~'", make("x~:\n\trm -rf ~\n")],
  ["make --fi=other.mk", make("a: ; true\n", { "other.mk": "t:\n\trm -rf ~\n" })],
  ["make -f other.mk -f Makefile t", make("a: ; true\n", { "other.mk": "t:\n\trm -rf ~\n" })],
  ["MAKEFILES=other.mk make t", make("a: ; true\n", { "other.mk": "t:\n\trm -rf ~\n" })],
  ["make -E '$(shell rm -rf ~)'", make("a: ; true\n")],
  ["make --ev='$(shell rm -rf ~)'", make("a: ; true\n")],
  ["make -l x", make("a: ; true\nx:\n\trm -rf ~\n")],
  ["make -O x", make("a: ; true\nx:\n\trm -rf ~\n")],
  ["make any", make("a: ; true\n.DEFAULT:\n\trm -rf ~\n")],
  ["make q.b", make("a: ; true\n.a.b:\n\trm -rf ~\n")],
  ["make", make("ifeq (a,b)\nelse ifeq ($(shell rm -rf ~),)\nendif\na: ; true\n")],
  ["make", make("X := $(shell\trm -rf ~)\na: ; true\n")],
  ["make", make("include gen.mk\na: ; true\ngen.mk:\n\trm -rf ~\n")],
  ["make", make("a: ; true\nMakefile:\n\trm -rf ~\n")],
  ["make", make("a: X != rm -rf ~\na: ; true\n")],
  ["make", make("include $(F)\nF = z.inc\n", { "z.inc": "a:\n\trm -rf ~\n" })],
  ["make", make("a:\n\t$(word 2,x rm) -rf ~\n")],
  ["make", make("a:\n\t$(let b c,rm -rf ~,$(b) $(c))\n")],
  ["make", make(".SECONDEXPANSION:\na: $$(D)\nD = b\nb:\n\trm -rf ~\n")],
  ["make", make(".SHELLFLAGS := -c 'rm -rf ~' --\na:\n\ttrue\n")],
  ["make", make("ifdef A\nV = a\nelse ifdef B\nV = rm -rf ~\nelse\nV = true\nendif\na:\n\t$(V)\n")],
  ["make", make("$(file >$(HOME)/.config/guard/policy.jsonc,x)\na: ; true\n")],
]);

table("makefiles with rarer words that do no harm", "none", [
  ["make", make("a: ; true\n.DEFAULT:\n\trm -rf ~\n")],
  ["make a", make("a: ; true\nx.b: ; true\n.a.b:\n\trm -rf ~\n")],
  ["make", make("-include $(DEPS)\nDEPS = a.d\na: ; true\n")],
  ["make", make(".SHELLFLAGS := -eu -o pipefail -c\na:\n\ttrue\n")],
  ["make", make("a:\n\t$(firstword echo rm) x\n")],
]);

const just = (text: string, more: Readonly<Record<string, string>> = {}) =>
  holds({ justfile: text, ...more });

table("justfiles with rarer words", "deny", [
  ["just clean", just("[unix]\nclean:\n    rm -rf ~\n[windows]\nclean:\n    true\n")],
  ["just a", just("x := `rm -rf ~`\na:\n    true\n")],
  ["just a", just("x := shell('rm -rf ~')\na:\n    true\n")],
  ["just", just("a:\n    rm -rf ~\ndefault:\n    true\n")],
  ["just", just("a:\n    true\n[default]\ndefault:\n    rm -rf ~\n")],
  ["just m::x", just("mod m\na:\n    true\n", { "m.just": "x:\n    rm -rf ~\n" })],
  ["just m x", just("mod m 'sub'\na:\n    true\n", { "sub/mod.just": "x:\n    rm -rf ~\n" })],
  ["just sub/x", just("a:\n    true\n", { "sub/justfile": "x:\n    rm -rf ~\n" })],
  ["just x", just("import 'a b.just'\n", { "a b.just": "x:\n    rm -rf ~\n" })],
]);

const task = (tasks: string, more: Readonly<Record<string, string>> = {}) =>
  holds({ "Taskfile.yml": tasks, ...more });

table("Taskfiles with rarer words", "deny", [
  ["task x", task("tasks:\n  'x':\n    - rm -rf ~\n")],
  ["task x", task("tasks:\n  x:\n    status:\n      - rm -rf ~\n    cmds: ['true']\n")],
  ["task x", task("tasks:\n  x:\n    preconditions:\n      - sh: rm -rf ~\n    cmds: ['true']\n")],
  ["task x", task("vars:\n  A:\n    sh: rm -rf ~\ntasks:\n  x:\n    cmds: ['true']\n")],
  ["task x", task("vars:\n  A: {sh: 'rm -rf ~'}\ntasks:\n  x:\n    cmds: ['true']\n")],
  ["task x", task("tasks:\n  x:\n    cmds:\n      - >-\n        rm\n        -rf ~\n")],
  [
    "task m:x",
    task("includes:\n  m: ./m.yml\ntasks:\n", { "m.yml": "tasks:\n  x:\n    cmds:\n      - rm -rf ~\n" }),
  ],
  [
    "go-task m:x",
    task("includes:\n  m:\n    taskfile: ./m\ntasks:\n", {
      "m/Taskfile.yml": "tasks:\n  x:\n    cmds:\n      - rm -rf ~\n",
    }),
  ],
]);

const mise = (text: string) => holds({ "mise.toml": text });

table("tasks in TOML with rarer words", "deny", [
  ["mise run x", mise("[tasks.x]\ndepends = ['y']\nrun = 'true'\n[tasks.y]\nrun = 'rm -rf ~'\n")],
  ["mise run x", mise("[tasks.x]\nrun = [\n  'true',\n  'rm -rf ~',\n]\n")],
  ["mise tasks run x", mise("[tasks.x]\nrun = 'rm -rf ~'\n")],
]);
