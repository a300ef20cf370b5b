/** Judging from the command line: the same policy, facts and rules as a hook, without a host. */

import { resolve } from "node:path";
import { makeContext } from "../context.ts";
import { diskFacts } from "../facts/disk.ts";
import { type Examination, examine, judge } from "../judge.ts";
import { homeDirectory, locations, projectPolicy } from "../locations.ts";
import { type LoadedPolicy, loadPolicy } from "../policy/load.ts";
import type { Action, Context, EventId, Facts, HookCall, Rule, Verdict } from "../types.ts";
import { allRules } from "./all_rules.ts";
import { absoluteDirectory, currentDirectory } from "./workspace.ts";

export interface JudgingOptions {
  /** The user's policy file, when it is not in its usual place. */
  readonly policy?: string;
}

/** A judged action with all that led to the verdict. */
export interface Judged {
  readonly call: HookCall;
  readonly context: Context;
  readonly verdict: Verdict;
  readonly policy: LoadedPolicy;
  /** What was found before the policy; worked out when it is asked for. */
  examine(): readonly Examination[];
}

/** How long a policy and a workspace are reused between the actions of a stream, in milliseconds. */
const REUSE = 1000;

/** As long as a hook has for one call, so that the verdict is the same. */
const judgeWithin = 3500;

const EVENTS: Readonly<Partial<Record<Action["kind"], EventId>>> = {
  prompt: "prompt",
  output: "post_tool",
};

/** Judges actions one after another. */
export interface Judging {
  /**
   * @param cwd Directory of the action, relative to the current one; it need not exist.
   * @throws GuardError when the policy is broken.
   */
  judge(action: Action, cwd?: string, host?: string): Promise<Judged>;
}

/** Loads the rules once; policies and workspaces are looked up again when they are a second old. */
export async function judging(options: JudgingOptions = {}): Promise<Judging> {
  const rules: readonly Rule[] = await allRules();
  const places = locations();
  const home = homeDirectory();
  const policies = new Map<string, Promise<LoadedPolicy>>();
  const workspaces = new Map<string, Pick<Context, "workspace" | "temporary">>();
  const repositories = new Map<string, Facts>();
  const processDirectory = currentDirectory(home);
  let since = -Infinity;
  const user = options.policy === undefined ? places.policy : resolve(processDirectory, options.policy);
  const own = {
    ...(Deno.build.standalone ? { executable: Deno.execPath() } : {}),
    policies: [places.managed, user],
    state: places.state,
  };
  return {
    async judge(action, cwd, host) {
      if (performance.now() - since > REUSE) {
        policies.clear();
        workspaces.clear();
        repositories.clear();
        since = performance.now();
      }
      const call: HookCall = {
        host: host ?? "",
        event: EVENTS[action.kind] ?? "pre_tool",
        nativeEvent: "",
        cwd: absoluteDirectory(cwd, processDirectory),
        actions: [action],
      };
      const base = {
        call: { ...call, host },
        home,
        processDirectory,
        os: Deno.build.os,
        env: Deno.env.get,
      };
      let place = workspaces.get(call.cwd ?? "");
      if (place === undefined) {
        place = makeContext({ ...base, facts: diskFacts({ git: false }) });
        workspaces.set(call.cwd ?? "", place);
      }
      const { workspace, temporary } = place;
      const project = projectPolicy(workspace);
      let policy = policies.get(workspace);
      if (policy === undefined) {
        policy = loadPolicy({ managed: places.managed, user, project, home });
        policies.set(workspace, policy);
      }
      const loaded = await policy;
      // Nothing is run between the actions of a stream, so that what git says of a repository holds for all of them.
      let facts = repositories.get(workspace);
      if (facts === undefined) {
        facts = diskFacts({ git: { path: Deno.env.get("PATH"), untrusted: [workspace, ...temporary] } });
        repositories.set(workspace, facts);
      }
      const made = makeContext({
        ...base,
        call: { ...base.call, workspace },
        facts,
        own: { ...own, policies: [...own.policies, project] },
        policy: loaded.policy,
      });
      const context = { ...made, until: performance.now() + judgeWithin };
      return {
        call,
        context,
        policy: loaded,
        verdict: judge(call, rules, context),
        examine: () => examine(call, rules, context),
      };
    },
  };
}
