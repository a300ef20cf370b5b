/** Tables of actions with the decision that guard comes to, for tests of judging. */

import assert from "node:assert/strict";
import { makeContext } from "../src/context.ts";
import { fakeFacts } from "../src/facts/fake.ts";
import { judge } from "../src/judge.ts";
import { loadAllRules } from "../src/rules_loader.ts";
import type { Action, Decision, FakeFacts, HookCall, OwnPaths } from "../src/types.ts";

const rules = await loadAllRules();

/** The world of a row; a repository of which nothing is known when it says nothing. */
export interface Row {
  readonly facts?: FakeFacts;
  readonly cwd?: string;
  readonly host?: string;
  /** `Deno.build.os`; Linux when left out. */
  readonly os?: string;
  readonly dialect?: "powershell" | "cmd";
  /** Where guard itself is; nowhere when left out. */
  readonly own?: OwnPaths;
}

/** The verdict of all rules on an action; a text is a POSIX command. */
export function decide(action: Action | string, row: Row = {}) {
  const { facts = { git: {} }, cwd = "/home/eva/shop", host = "claude", os, dialect = "posix", own } = row;
  const call: HookCall = {
    host,
    event: "pre_tool",
    nativeEvent: "PreToolUse",
    cwd,
    actions: [typeof action === "string" ? { kind: "shell", command: action, dialect } : action],
  };
  const context = makeContext({
    call,
    home: /^[A-Z]:/.test(cwd) ? "C:\\Users\\eva" : "/home/eva",
    os,
    processDirectory: "/home/eva/shop",
    facts: fakeFacts(facts, "/home/eva/shop"),
    own,
  });
  const verdict = judge(call, rules, context);
  assert.equal(verdict.failure, undefined);
  return verdict;
}

/** One test for each row. */
export function table(
  name: string,
  wanted: Decision,
  rows: readonly (string | Action | readonly [string | Action, Row])[],
) {
  for (const row of rows) {
    const [action, setting] = Array.isArray(row)
      ? row as readonly [string | Action, Row]
      : [row as string | Action, {}];
    Deno.test(`${wanted}: ${name}: ${typeof action === "string" ? action : JSON.stringify(action)}`, () => {
      const verdict = decide(action, setting);
      assert.equal(
        verdict.decision,
        wanted,
        JSON.stringify(verdict.findings.map((one) => [one.rule, one.message])),
      );
    });
  }
}

/** An action of a file tool. */
export const file = (
  operation: "read" | "write" | "edit" | "delete",
  path: string,
  content?: string,
): Action => ({
  kind: "file",
  operation,
  path,
  ...(content === undefined ? {} : { content }),
});

/** A call of an MCP server. */
export const tool = (name: string, input: unknown): Action => ({
  kind: "mcp",
  server: "srv",
  tool: name,
  input,
});
