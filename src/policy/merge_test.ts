import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { saidOf } from "./address_permissions.ts";
import type { Policy, Rule, RuleOverride } from "../types.ts";
import { builtInPolicy } from "./built_in.ts";
import { parsePolicy } from "./parse.ts";
import { type FileLayer, type Merged, mergeLayers } from "./merge.ts";
import { type Profile, profiles } from "./profiles.ts";
import type { PolicyFile } from "./schema.ts";

function merge(files: Partial<Record<FileLayer, PolicyFile>>, now = Date.parse("2026-06-15T12:00Z")): Merged {
  const layers = (["managed", "user", "project"] as const).flatMap((layer) => {
    const file = files[layer];
    return file === undefined ? [] : [{ layer, file }];
  });
  return mergeLayers(layers, {
    home: "/home/me",
    now,
    compile: (form): Rule => ({
      id: form.id,
      title: form.title,
      decision: form.decision,
      severity: form.severity ?? "medium",
      rationale: "",
      advice: form.advice,
      examples: { match: [], pass: [] },
      on: "action",
      kinds: ["shell"],
      match: () => undefined,
    }),
  });
}

function own(id: string) {
  return { id, title: "t", decision: "deny" as const, advice: "a", match: { program: "x" } };
}

Deno.test("without files the built-in policy holds", () => {
  const { policy, problems } = merge({});
  assert.deepEqual(policy, builtInPolicy);
  assert.deepEqual(problems, []);
});

Deno.test("a user may loosen what no administrator has set", () => {
  const { policy, origins, problems } = merge({
    user: {
      mode: "observe",
      onError: "none",
      whenAskUnsupported: "none",
      rules: { "git/x": "off" },
      exceptions: [{ rule: "git/*", reason: "r", under: "~/w" }],
      allowedCommands: ["git status"],
    },
  });
  assert.equal(policy.mode, "observe");
  assert.equal(policy.onError, "none");
  assert.equal(policy.whenAskUnsupported, "none");
  assert.deepEqual(policy.rules, { "git/x": "off" });
  assert.deepEqual(policy.exceptions, [{ rule: "git/*", reason: "r", under: "/home/me/w" }]);
  assert.equal(policy.floor, undefined);
  assert.equal(origins.mode, "user");
  assert.equal(origins.rules["git/x"], "user");
  assert.deepEqual(problems, []);
});

Deno.test("an administrator's file is a floor, also for what it leaves out", () => {
  const { policy, problems } = merge({
    managed: {
      rules: { "git/x": "deny", "net/*": "ask" },
      ownRules: [own("team/a")],
      protectedPaths: ["/p"],
    },
    user: {
      mode: "observe",
      onError: "none",
      whenAskUnsupported: "none",
      rules: {
        "git/x": "off",
        "net/y": "off",
        "git/*": "off",
        "net/z": "deny",
        "team/a": "off",
        "policy/protected-path": "off",
      },
      exceptions: [
        { rule: "git/x", reason: "r" },
        { rule: "git/*", reason: "r" },
        { rule: "net/q", reason: "r" },
        { rule: "team/a", reason: "r" },
        { rule: "policy/*", reason: "r" },
        { rule: "git/y", reason: "fine" },
      ],
    },
  });
  assert.equal(policy.mode, "enforce");
  assert.equal(policy.onError, "deny");
  assert.equal(policy.whenAskUnsupported, "deny");
  assert.deepEqual(policy.rules, { "git/x": "deny", "net/*": "ask", "git/*": "off", "net/z": "deny" });
  assert.deepEqual(policy.exceptions.map((e) => e.reason), ["fine"]);
  assert.deepEqual(policy.floor, {
    mode: "enforce",
    level: "standard",
    onError: "deny",
    whenAskUnsupported: "deny",
    prompts: "warn",
    personalData: {},
    rules: { "git/x": "deny", "net/*": "ask", "team/a": "deny", "policy/protected-path": "deny" },
  });
  assert.equal(problems.length, 12);
  assert.ok(problems.every((problem) => problem.layer === "user"));
});

Deno.test("an administrator may leave a choice to the user by making it", () => {
  const { policy } = merge({
    managed: { mode: "observe", rules: { "git/x": "off" } },
    user: { mode: "enforce", rules: { "git/x": "ask" } },
  });
  assert.equal(policy.mode, "enforce");
  assert.equal(policy.rules["git/x"], "ask");
});

Deno.test("a project only tightens", () => {
  const { policy, origins, problems } = merge({
    user: { rules: { "git/x": "off", "git/y": "ask" }, protectedPaths: ["a"] },
    project: {
      mode: "observe",
      onError: "none",
      whenAskUnsupported: "none",
      rules: { "git/x": "ask", "git/y": "deny", "git/z": "ask", "net/*": "off" },
      exceptions: [{ rule: "git/y", reason: "r" }],
      allowedCommands: ["rm"],
      protectedPaths: ["a", "b"],
      ownRules: [own("team/b")],
    },
  });
  assert.equal(policy.mode, "enforce");
  assert.equal(policy.onError, "deny");
  assert.equal(policy.whenAskUnsupported, "deny");
  assert.deepEqual(policy.rules, { "git/x": "ask", "git/y": "deny" });
  assert.deepEqual(policy.exceptions, []);
  assert.deepEqual(policy.allowedCommands, []);
  assert.deepEqual(policy.protectedPaths, ["a", "b"]);
  assert.deepEqual(origins.protectedPaths, ["user", "project"]);
  assert.deepEqual(policy.ownRules.map((rule) => rule.id), ["team/b"]);
  assert.deepEqual(
    problems.map((problem) => problem.path.join(".")),
    [
      "mode",
      "onError",
      "whenAskUnsupported",
      "rules.git/z",
      "rules.net/*",
      "exceptions.0",
      "allowedCommands.0",
    ],
  );
});

Deno.test("a project that denies a category tightens the rules in it", () => {
  const { policy } = merge({
    user: { rules: { "git/x": "off", "git/y": "ask", "net/x": "off" } },
    project: { rules: { "git/*": "deny" } },
  });
  assert.deepEqual(policy.rules, { "git/x": "deny", "git/y": "deny", "net/x": "off", "git/*": "deny" });
});

Deno.test("an exception counts to the end of its last day, or to its instant", () => {
  const file = (expires: string): PolicyFile => ({ exceptions: [{ rule: "a/b", reason: "r", expires }] });
  const counts = (expires: string, now: string) =>
    merge({ user: file(expires) }, Date.parse(now)).policy.exceptions.length === 1;
  assert.ok(counts("2026-06-15", "2026-06-15T23:59:59Z"));
  assert.ok(!counts("2026-06-15", "2026-06-16T00:00:00Z"));
  assert.ok(counts("2026-06-15T18:00+02:00", "2026-06-15T15:59:59Z"));
  assert.ok(!counts("2026-06-15T18:00+02:00", "2026-06-15T16:00:00Z"));
});

Deno.test("an exception below a relative directory does not count", () => {
  const { policy, problems } = merge({ user: { exceptions: [{ rule: "a/b", reason: "r", under: "w" }] } });
  assert.deepEqual(policy.exceptions, []);
  assert.match(problems[0]?.message ?? "", /absolute directory/);
});

Deno.test("an own rule does not replace an earlier one with its id", () => {
  const { policy, problems } = merge({
    managed: { ownRules: [own("team/a")] },
    project: { ownRules: [own("team/a")] },
  });
  assert.equal(policy.ownRules.length, 1);
  assert.equal(problems.length, 1);
});

Deno.test("comments count by the word of the user or the administrator alone", () => {
  const holds = (files: Parameters<typeof merge>[0]) => {
    const { policy, origins, problems } = merge(files);
    return [policy.inlineAllow, origins.inlineAllow, problems.map((one) => one.message)];
  };
  const [yes, no] = [{ inlineAllow: true }, { inlineAllow: false }];
  assert.deepEqual(holds({}), [false, "built-in", []]);
  assert.deepEqual(holds({ user: yes }), [true, "user", []]);
  assert.deepEqual(holds({ managed: yes }), [true, "managed", []]);
  assert.deepEqual(holds({ managed: yes, user: no }), [false, "user", []]);
  assert.deepEqual(holds({ managed: { mode: "enforce" }, user: yes }), [true, "user", []]);
  const why = "an agent can write such comments as well as a project's policy";
  assert.deepEqual(holds({ project: yes }), [false, "built-in", [`"inlineAllow": true is ignored: ${why}`]]);
  assert.deepEqual(holds({ user: yes, project: no }), [true, "user", [
    `"inlineAllow": false is ignored: ${why}`,
  ]]);
  assert.deepEqual(holds({ managed: no, user: yes }), [
    false,
    "managed",
    ['"inlineAllow": true is ignored: the administrator\'s policy says false'],
  ]);
  assert.deepEqual(holds({ managed: { rules: { "content/*": "deny" } }, user: yes }), [
    false,
    "built-in",
    ['"inlineAllow": true is ignored: the administrator\'s policy decides about content/secret-in-file'],
  ]);
});

Deno.test("no project makes any policy weaker", () => {
  const overrides = fc.dictionary(
    fc.constantFrom("git/a", "git/b", "git/*", "net/a", "net/*", "git/delete-tag"),
    fc.constantFrom<RuleOverride>("off", "deny-only", "ask", "deny"),
  );
  const file: fc.Arbitrary<PolicyFile> = fc.record({
    mode: fc.constantFrom<Policy["mode"]>("enforce", "observe"),
    level: fc.constantFrom<Policy["level"]>("standard", "strict", "paranoid"),
    onError: fc.constantFrom<Policy["onError"]>("deny", "ask", "none"),
    whenAskUnsupported: fc.constantFrom<Policy["whenAskUnsupported"]>("deny", "none"),
    prompts: fc.constantFrom<Policy["prompts"]>("off", "warn", "deny"),
    inlineAllow: fc.boolean(),
    profile: fc.constantFrom<Profile>("minimal", "standard", "strict"),
    rules: overrides,
    protectedPaths: fc.array(fc.constantFrom("a", "b", "c")),
    allowedCommands: fc.array(fc.constantFrom("x", "y")),
    addresses: fc.record({
      allow: fc.array(fc.constantFrom("a.example", "10.0.0.0/8")),
      deny: fc.array(fc.constantFrom("a.example", "*.example", "*")),
      private: fc.constantFrom<"none" | "ask" | "deny">("none", "ask", "deny"),
    }, { requiredKeys: [] }),
    paths: fc.array(fc.record({
      paths: fc.constantFrom(["a"], ["b/**"]),
      decision: fc.constantFrom<"ask" | "deny">("ask", "deny"),
    })),
  }, { requiredKeys: [] });
  const strictness = {
    off: 0,
    none: 0,
    observe: 0,
    ask: 1,
    warn: 1,
    deny: 2,
    enforce: 2,
    standard: 0,
    strict: 1,
    paranoid: 2,
  };
  const holds = (policy: Policy, id: string, otherwise: "ask" | "deny") => {
    const said = policy.rules[id] ?? policy.rules[`${id.split("/")[0]}/*`] ?? otherwise;
    return said !== "deny-only" ? said : otherwise === "deny" ? "deny" : "off";
  };
  fc.assert(fc.property(file, file, file, (managed, user, project) => {
    const before = merge({ managed, user }).policy;
    const after = merge({ managed, user, project }).policy;
    assert.ok(strictness[after.mode] >= strictness[before.mode]);
    assert.ok(strictness[after.level] >= strictness[before.level]);
    assert.ok(strictness[before.level] >= strictness[managed.level ?? "standard"]);
    assert.ok(strictness[after.onError] >= strictness[before.onError]);
    assert.ok(strictness[after.whenAskUnsupported] >= strictness[before.whenAskUnsupported]);
    assert.ok(strictness[after.prompts] >= strictness[before.prompts]);
    assert.equal(after.inlineAllow, before.inlineAllow);
    assert.ok(managed.inlineAllow !== false || !before.inlineAllow);
    assert.ok(strictness[before.prompts] >= strictness[managed.prompts ?? "off"]);
    for (const id of ["git/a", "git/b", "git/c", "git/delete-tag", "net/a", "net/b"]) {
      for (const built of ["ask", "deny"] as const) {
        assert.ok(
          strictness[holds(after, id, built)] >= strictness[holds(before, id, built)],
          `${id} ${built}`,
        );
      }
    }
    for (const host of ["a.example", "b.example", "c.test", "10.0.0.1", "localhost", undefined]) {
      const said = (policy: Policy) => strictness[saidOf(host, policy.addresses)?.decision ?? "none"];
      assert.ok(said(after) >= said(before), host);
      assert.ok(said(before) >= said(merge({ managed }).policy), host);
    }
    assert.ok(before.paths.every((entry) => after.paths.some((other) => isDeepStrictEqual(entry, other))));
    assert.deepEqual(after.allowedCommands, before.allowedCommands);
    assert.ok(before.protectedPaths.every((path) => after.protectedPaths.includes(path)));
  }));
});

Deno.test("a level can only be raised below the layer that sets it for others", () => {
  const user = merge({ user: { level: "strict" }, project: { level: "paranoid" } });
  assert.equal(user.policy.level, "paranoid");
  assert.equal(user.origins.level, "project");
  const loosened = merge({ user: { level: "strict" }, project: { level: "standard" } });
  assert.equal(loosened.policy.level, "strict");
  assert.deepEqual(loosened.problems.map(({ path }) => path), [["level"]]);
  const managed = merge({ managed: { level: "strict" }, user: { level: "standard" } });
  assert.equal(managed.policy.level, "strict");
  assert.equal(managed.origins.level, "managed");
  assert.match(
    managed.problems[0]!.message,
    /the administrator's policy does not allow less \("strict" stays\)/,
  );
  assert.equal(merge({ managed: {}, user: { level: "strict" } }).policy.level, "strict");
});

Deno.test("what an administrator's level decides is not loosened below", () => {
  const managed = { level: "strict" } as const;
  const { policy, problems } = merge({
    managed,
    user: {
      rules: {
        "git/clean": "ask",
        "strict/add-package": "off",
        "git/delete-branch": "off",
        "tampering/*": "off",
      },
      exceptions: [
        { rule: "git/clean", reason: "a" },
        { rule: "git/*", reason: "b" },
        { rule: "git/delete-branch", reason: "c" },
      ],
    },
  });
  assert.deepEqual(policy.rules, { "git/delete-branch": "off" });
  assert.deepEqual(policy.exceptions.map(({ reason }) => reason), ["c"]);
  assert.equal(problems.length, 5);
  // The administrator's own word about a rule counts before the level.
  const own = merge({
    managed: { ...managed, rules: { "git/clean": "ask" } },
    user: { rules: { "git/clean": "ask" } },
  });
  assert.deepEqual([own.policy.rules, own.problems], [{ "git/clean": "ask" }, []]);
});

Deno.test("a project cannot ask for more than a hook has time for", () => {
  const many = (count: number, length: number) =>
    Array.from({ length: count }, (_, i) => `${i}${"*a".repeat(length)}`);
  const paths = merge({ project: { protectedPaths: many(200, 1) } });
  assert.equal(paths.policy.protectedPaths.length, 50);
  assert.equal(paths.problems.length, 1);
  assert.ok(merge({ project: { protectedPaths: many(20, 100) } }).policy.protectedPaths.length < 10);
  assert.equal(merge({ user: { protectedPaths: many(200, 1) } }).policy.protectedPaths.length, 200);
  const rules = Array.from({ length: 100 }, (_, i) => own(`team/r${i}`));
  assert.equal(merge({ project: { ownRules: rules } }).policy.ownRules.length, 20);
  assert.equal(merge({ user: { ownRules: rules } }).policy.ownRules.length, 100);
  const slow = { ...own("team/slow"), match: { text: "(?:a?){1000}" } };
  assert.equal(merge({ project: { ownRules: [slow, own("team/a")] } }).policy.ownRules.length, 1);
  assert.equal(merge({ user: { ownRules: [slow] } }).policy.ownRules.length, 1);
});

Deno.test("a project's tools can only tighten, and only so many of them count", () => {
  const { policy, problems } = merge({
    user: { tools: [{ tool: "a/b", decision: "allow" }] },
    project: { tools: [{ tool: "a/*", decision: "allow" }, { tool: "a/c", decision: "deny" }] },
  });
  assert.deepEqual(policy.tools, [
    { tool: "a/b", decision: "allow", layer: "user" },
    { tool: "a/c", decision: "deny", layer: "project" },
  ]);
  assert.deepEqual(problems.map(({ path }) => path), [["tools", 0]]);
  const many = Array.from({ length: 60 }, (_, i) => ({ tool: `a/${i}`, decision: "deny" as const }));
  const bounded = merge({ user: { tools: many }, project: { tools: many } });
  assert.equal(bounded.policy.tools.filter(({ layer }) => layer === "user").length, 60);
  assert(bounded.policy.tools.filter(({ layer }) => layer === "project").length <= 50);
  assert.equal(bounded.problems.length, 1);
  const long = many.slice(0, 20).map((one) => ({ ...one, tool: "*a".repeat(99) }));
  assert(merge({ project: { tools: long } }).policy.tools.length < 10);
});

Deno.test("defaults for tools hold layer by layer, and weaker ones are reported", () => {
  const { policy, origins, problems } = merge({
    managed: { toolDefaults: { "*": "ask", codex: "deny" } },
    user: { toolDefaults: { codex: "ask", claude: "deny" } },
    project: { toolDefaults: { "*": "none" }, tools: [{ tool: "x/y", decision: "allow" }] },
  });
  assert.deepEqual(policy.toolDefaults, [
    { hosts: { "*": "ask", codex: "deny" }, layer: "managed" },
    { hosts: { codex: "ask", claude: "deny" }, layer: "user" },
    { hosts: { "*": "none" }, layer: "project" },
  ]);
  assert.deepEqual(origins.toolDefaults, { "*": "managed", codex: "managed", claude: "user" });
  assert.deepEqual(problems.map(({ layer, path }) => [layer, ...path]), [
    ["user", "toolDefaults", "codex"],
    ["project", "toolDefaults", "*"],
  ]);
  // It counts for the project's own defaults.
  assert.deepEqual(policy.tools, [{ tool: "x/y", decision: "allow", layer: "project" }]);
});

Deno.test("what an administrator says about tools is switched off by nobody", () => {
  const { policy, problems } = merge({
    managed: { tools: [{ tool: "a/b", decision: "deny" }], toolDefaults: { "*": "ask" } },
    user: {
      rules: { "policy/deny-tool": "ask", "policy/ask-tool": "off", "policy/*": "off" },
      exceptions: [{ rule: "policy/deny-tool", reason: "r" }, { rule: "policy/*", reason: "r" }],
    },
  });
  assert.deepEqual(policy.floor?.rules, { "policy/deny-tool": "deny", "policy/ask-tool": "ask" });
  assert.deepEqual(policy.exceptions, []);
  assert.equal(problems.length, 4);
  assert.deepEqual(policy.rules, { "policy/*": "off" });
});

Deno.test("a profile sets what the file does not write itself", () => {
  const minimal = merge({
    user: { profile: "minimal", rules: { "git/delete-tag": "ask", "publishing/*": "deny" } },
  });
  assert.equal(minimal.policy.prompts, "off");
  assert.equal(minimal.policy.rules["git/delete-tag"], "ask");
  assert.equal(minimal.policy.rules["git/delete-branch"], "deny-only");
  assert.equal(minimal.policy.rules["publishing/publish"], undefined);
  const [named] = minimal.origins.profiles;
  assert.equal(named?.profile, "minimal");
  assert(named?.sets.includes("prompts") && named.sets.includes("rules git/delete-branch"));
  assert(!named?.sets.includes("rules git/delete-tag"));
  assert.deepEqual(minimal.problems, []);
  const strict = merge({ user: { profile: "strict", prompts: "warn" } });
  assert.deepEqual([strict.policy.level, strict.policy.prompts, strict.origins.level], [
    "strict",
    "warn",
    "user",
  ]);
  assert.deepEqual(merge({ user: { profile: "standard" } }).policy, builtInPolicy);
});

Deno.test("a project's profile only tightens, and what it cannot do is told once", () => {
  const strict = merge({ project: { profile: "strict" } });
  assert.equal(strict.policy.level, "strict");
  assert.deepEqual(strict.problems, []);
  const minimal = merge({ user: { profile: "strict" }, project: { profile: "minimal" } });
  assert.deepEqual(minimal.policy, merge({ user: { profile: "strict" } }).policy);
  assert.deepEqual(minimal.problems.map(({ path }) => path), [["profile"]]);
  assert.match(
    minimal.problems[0]!.message,
    /prompts.*rules git\/delete-tag.*is ignored: a project can only tighten/,
  );
});

Deno.test("an administrator's profile is a floor, and a user's does not go below it", () => {
  const managed = { profile: "strict" } as const;
  const below = merge({ managed, user: { profile: "minimal", level: "standard" } });
  assert.equal(below.policy.level, "strict");
  assert.equal(below.policy.prompts, "deny");
  assert.deepEqual(below.problems.map(({ path }) => path.join(".")), ["level", "profile"]);
  assert.equal(merge({ managed: { ...managed, level: "standard" } }).policy.level, "standard");
});

Deno.test("rules that deny only keep their denials below every layer", () => {
  const { policy, problems } = merge({
    managed: { rules: { "git/a": "deny-only" } },
    user: { rules: { "git/a": "off", "git/b": "deny-only" } },
    project: { rules: { "git/b": "ask" } },
  });
  assert.deepEqual(policy.rules, { "git/a": "deny-only", "git/b": "deny-only" });
  assert.equal(problems.length, 2);
});

Deno.test("every profile is one that a file may write", () => {
  for (const values of Object.values(profiles)) {
    assert.deepEqual(parsePolicy(JSON.stringify(values)).problems, []);
  }
});

Deno.test("a project's lists of hosts and paths count where they tighten, within bounds", () => {
  const { policy, problems, origins } = merge({
    user: { addresses: { private: "ask" }, paths: [{ paths: ["a"], decision: "ask" }] },
    project: {
      addresses: { allow: ["10.0.0.0/8"], deny: Array.from({ length: 60 }, (_, i) => `h${i}.example`) },
      paths: Array.from({ length: 60 }, (_, i) => ({ paths: [`p${i}`], decision: "deny" as const })),
    },
  });
  assert.equal(policy.addresses[1]?.deny.length, 50);
  assert.equal(saidOf("10.0.0.1", policy.addresses)?.decision, "ask");
  assert.equal(saidOf("h3.example", policy.addresses)?.decision, "deny");
  assert.equal(policy.paths.length, 51);
  assert.deepEqual(origins.addresses, ["user", "project"]);
  assert.deepEqual(origins.paths.slice(0, 2), ["user", "project"]);
  assert.deepEqual(problems.map(({ path }) => path), [
    ["addresses", "deny", 50],
    ["addresses", "allow"],
    ["paths", 50],
  ]);
});

Deno.test("what a managed policy says about hosts and paths is not switched off", () => {
  const { policy, problems } = merge({
    managed: {
      addresses: { deny: ["evil.example"], private: "ask" },
      paths: [{ paths: ["~/x"], decision: "deny" }],
    },
    user: {
      rules: { "policy/deny-address": "off", "policy/ask-address": "off", "policy/*": "off" },
      exceptions: [{ rule: "policy/deny-path", reason: "mine" }],
      addresses: { private: "none", allow: ["10.0.0.0/8", "evil.example"] },
    },
  });
  assert.deepEqual(policy.exceptions, []);
  assert.equal(problems.length, 4);
  assert.equal(policy.floor?.rules["policy/deny-address"], "deny");
  assert.equal(policy.floor?.rules["policy/deny-path"], "deny");
  assert.equal(saidOf("10.0.0.1", policy.addresses)?.decision, "ask");
  assert.equal(saidOf("evil.example", policy.addresses)?.decision, "deny");
});

Deno.test("personal data: all kinds or some, and only stricter from below", () => {
  const user = merge({
    user: { personalData: "warn" },
    project: { personalData: { email: "deny", phone: "off" } },
  });
  assert.deepEqual(user.policy.personalData, {
    email: "deny",
    phone: "warn",
    card: "warn",
    iban: "warn",
    nationalId: "warn",
  });
  assert.equal(user.origins.personalData.email, "project");
  assert.deepEqual(user.problems.map(({ layer, path }) => [layer, ...path]), [[
    "project",
    "personalData",
    "phone",
  ]]);
  const managed = merge({ managed: { personalData: { card: "deny" } }, user: { personalData: "off" } });
  assert.deepEqual(managed.policy.personalData, { card: "deny" });
  assert.deepEqual(managed.problems.map(({ layer }) => layer), ["user"]);
  assert.deepEqual(merge({ user: { personalData: { email: "off" } } }).policy.personalData, {});
});

Deno.test("canaries of all layers count, and of a project twenty", () => {
  const canaries = Array.from({ length: 30 }, (_, index) => `canary-number-${index}`);
  const { policy, origins, problems } = merge({
    user: { canaries: ["canary-of-mine"] },
    project: { canaries },
  });
  assert.deepEqual(policy.canaries, ["canary-of-mine", ...canaries.slice(0, 20)]);
  assert.equal(origins.canaries[0], "user");
  assert.deepEqual(problems.map(({ path }) => path.join(".")), ["canaries.20"]);
});

Deno.test("one value for all kinds of personal data counts before those of a profile", () => {
  assert.deepEqual(
    merge({ user: { profile: "strict", personalData: "off" } }).policy.personalData,
    {},
  );
  const some = merge({ user: { profile: "strict", personalData: { card: "off", email: "warn" } } });
  assert.deepEqual(some.policy.personalData, { iban: "redact", nationalId: "redact", email: "warn" });
  assert.deepEqual(
    merge({ user: { profile: "strict", addresses: { private: "none" } } }).policy.addresses.map((one) =>
      one.private
    ),
    ["none"],
  );
});

Deno.test("what a profile sets and a stricter layer refuses is told of the profile", () => {
  const { problems } = merge({
    managed: { personalData: { card: "deny" }, addresses: { private: "deny" } },
    user: { profile: "strict" },
  });
  assert.deepEqual(problems.map(({ path }) => path), [["profile"]]);
  assert.match(problems[0]!.message, /personalData card, addresses private/);
});
