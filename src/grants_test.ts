import assert from "node:assert/strict";
import { join } from "node:path";
import {
  allow,
  findPending,
  granted,
  type GrantRequest,
  grants,
  isGrantable,
  LONGEST,
  normaliseCode,
  offer,
  type Pending,
  pendingActions,
  revoke,
} from "./grants.ts";
import type { Finding } from "./types.ts";

const NOW = Date.parse("2026-06-15T12:00Z");

function finding(rule: string, decision: "ask" | "deny" = "deny"): Finding {
  return {
    rule,
    decision,
    severity: "high",
    message: "it would go",
    advice: "do not",
    evidence: { text: "x" },
    action: 0,
  };
}

function request(state: string, extra: Partial<GrantRequest> = {}): GrantRequest {
  return {
    state,
    actions: [{ kind: "shell", command: "rm -rf data", dialect: "posix" }],
    cwd: "/w",
    findings: [finding("filesystem/delete")],
    policy: {},
    host: "claude",
    nativeEvent: "PreToolUse",
    session: "s1",
    now: NOW,
    ...extra,
  };
}

async function withState(run: (state: string) => Promise<void>): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "guard-grants-" });
  try {
    await run(join(root, "state"));
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

async function offered(state: string, extra: Partial<GrantRequest> = {}): Promise<Pending> {
  const code = await offer(request(state, extra)) ?? assert.fail("no code");
  const pending = findPending(state, code, NOW);
  if (typeof pending === "string") assert.fail(pending);
  return pending;
}

Deno.test("a code is short, unambiguous, the same on a retry and on another host", () =>
  withState(async (state) => {
    const pending = await offered(state);
    assert.match(pending.code, /^[2-9A-HJKMNP-Z]{8}$/);
    assert.equal((await offered(state, { host: "cursor", session: "s2" })).code, pending.code);
    assert.notEqual((await offered(state, { cwd: "/other" })).code, pending.code);
    assert.notEqual((await offered(state, { findings: [finding("git/x")] })).code, pending.code);
    const changed = { actions: [{ kind: "shell", command: "rm -rf data2", dialect: "posix" } as const] };
    assert.notEqual((await offered(state, changed)).code, pending.code);
    assert.equal(pendingActions(state, NOW).length, 4);
  }));

Deno.test("codes are read as people type them", () => {
  assert.equal(normaliseCode("k7qm-2xwp"), "K7QM2XWP");
  assert.equal(normaliseCode(" K7QM 2XWP "), "K7QM2XWP");
  for (const wrong of ["", "K7QM2XW", "K7QM2XWPP", "K0QM2XWP", "KIQM2XWP", "../../..", "K7QM2XW/"]) {
    assert.equal(normaliseCode(wrong), undefined, wrong);
  }
});

Deno.test("nothing is granted before a person allows it", () =>
  withState(async (state) => {
    assert.equal(await granted(request(state)), false);
    await offered(state);
    assert.equal(await granted(request(state)), false);
  }));

Deno.test("a permission for once covers one call of exactly this action", () =>
  withState(async (state) => {
    allow(state, await offered(state), undefined, NOW);
    assert.equal(await granted(request(state, { cwd: "/other" })), false);
    assert.equal(
      await granted(request(state, { findings: [finding("filesystem/delete"), finding("git/x")] })),
      false,
    );
    assert.equal(await granted(request(state)), true);
    assert.equal(await granted(request(state)), false);
    assert.equal(await granted(request(state, { now: NOW + 1000 })), false);
  }));

Deno.test("two events of one call share a permission, two calls do not", () =>
  withState(async (state) => {
    const cursor = (nativeEvent: string, now: number, session = "c1") =>
      granted(request(state, { host: "cursor", session, nativeEvent, now }));
    allow(state, await offered(state), undefined, NOW);
    assert.equal(await cursor("preToolUse", NOW), true);
    assert.equal(await cursor("beforeShellExecution", NOW + 800, "c2"), false);
    assert.equal(await cursor("beforeShellExecution", NOW + 900), true);
    assert.equal(await cursor("beforeShellExecution", NOW + 1000), false);
    assert.equal(await cursor("preToolUse", NOW + 1000), false);
    allow(state, await offered(state), undefined, NOW);
    assert.equal(await cursor("preToolUse", NOW), true);
    assert.equal(await cursor("beforeShellExecution", NOW + 6000), false);
  }));

Deno.test("every entry of the configurations that one call goes through is covered once", () =>
  withState(async (state) => {
    const grok = (registration: string, now: number) =>
      granted(request(state, { host: "grok", session: "g1", nativeEvent: "PreToolUse", registration, now }));
    allow(state, await offered(state), undefined, NOW);
    const entries = ["grok PreToolUse", "claude PreToolUse", "cursor preToolUse"];
    for (const entry of entries) assert.equal(await grok(entry, NOW + 100), true, entry);
    for (const entry of entries) assert.equal(await grok(entry, NOW + 200), false, entry);
    assert.equal(await grok("codex PreToolUse", NOW + 6000), false);
  }));

Deno.test("a permission for a time covers every call until then", () =>
  withState(async (state) => {
    allow(state, await offered(state), 600_000, NOW);
    for (const at of [0, 1000, 599_999]) assert.equal(await granted(request(state, { now: NOW + at })), true);
    assert.equal(await granted(request(state, { now: NOW + 600_000 })), false);
    // A clock that was set back would make it last longer.
    assert.equal(await granted(request(state, { now: NOW - 60_000 })), false);
    assert.equal(allow(state, await offered(state), LONGEST * 10, NOW).expires, NOW + LONGEST);
  }));

Deno.test("a permission that claims to last for ever is void", () =>
  withState(async (state) => {
    const grant = allow(state, await offered(state), 600_000, NOW);
    const path = join(state, "grants", `${grant.fingerprint}.json`);
    Deno.writeTextFileSync(path, JSON.stringify({ ...grant, expires: NOW + LONGEST * 2 }));
    assert.equal(await granted(request(state)), false);
    for (const text of ["", "{", "[]", "null", JSON.stringify({ ...grant, once: 1 })]) {
      Deno.writeTextFileSync(path, text);
      assert.equal(await granted(request(state)), false, text);
    }
  }));

Deno.test("guard itself and the administrator's denials cannot be allowed", () =>
  withState(async (state) => {
    const floor = (rules: Record<string, "off" | "ask" | "deny">) => ({
      floor: {
        mode: "enforce",
        level: "standard",
        onError: "deny",
        whenAskUnsupported: "deny",
        prompts: "warn",
        personalData: {},
        rules,
      } as const,
    });
    assert.equal(isGrantable([], {}), false);
    assert.equal(isGrantable([finding("self/uninstall")], {}), false);
    assert.equal(isGrantable([finding("git/x"), finding("self/uninstall")], {}), false);
    assert.equal(isGrantable([finding("git/x")], floor({ "git/x": "deny" })), false);
    assert.equal(isGrantable([finding("git/x")], floor({ "git/*": "deny" })), false);
    assert.equal(isGrantable([finding("git/x")], floor({ "git/*": "deny", "git/x": "ask" })), true);
    assert.equal(isGrantable([finding("git/x")], floor({ "net/*": "deny" })), true);
    assert.equal(await offer(request(state, { findings: [finding("self/uninstall")] })), undefined);
    allow(state, await offered(state), 600_000, NOW);
    assert.equal(await granted(request(state, { policy: floor({ "filesystem/*": "deny" }) })), false);
  }));

Deno.test("codes lapse after an hour, permissions can be taken back", () =>
  withState(async (state) => {
    const pending = await offered(state);
    assert.equal(findPending(state, pending.code, NOW + 3_700_000), "lapsed");
    assert.equal(findPending(state, "ZZZZZZZZ", NOW), "unknown");
    allow(state, pending, 600_000, NOW);
    assert.equal(findPending(state, pending.code, NOW), "unknown");
    assert.equal(grants(state, NOW).length, 1);
    assert.equal(revoke(state, pending.code), true);
    assert.equal(revoke(state, pending.code), false);
    assert.equal(await granted(request(state)), false);
  }));

Deno.test("secrets of a stopped command are not written down, and files are the user's alone", () =>
  withState(async (state) => {
    const secret = "hunter2hunter2";
    const actions = [{ kind: "shell", command: `deploy --password ${secret}`, dialect: "posix" } as const];
    const pending = await offered(state, { actions });
    const path = join(state, "pending", `${pending.code}.json`);
    assert.ok(!Deno.readTextFileSync(path).includes(secret));
    if (Deno.build.os !== "windows") {
      assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
      assert.equal((Deno.statSync(join(state, "pending")).mode ?? 0) & 0o777, 0o700);
    }
  }));

Deno.test("pending actions are bounded in number", () =>
  withState(async (state) => {
    for (let i = 0; i < 260; i++) {
      await offer(request(state, { cwd: `/w${i}`, now: Date.now() }));
    }
    assert.ok([...Deno.readDirSync(join(state, "pending"))].length <= 200);
  }));

Deno.test("a state that cannot be written gives no code and no permission", () =>
  withState(async (state) => {
    Deno.mkdirSync(state, { recursive: true });
    Deno.writeTextFileSync(join(state, "pending"), "");
    Deno.writeTextFileSync(join(state, "grants"), "");
    assert.equal(await offer(request(state)), undefined);
    assert.equal(await granted(request(state)), false);
  }));

Deno.test("of many processes that use one permission at once, one wins", () =>
  withState(async (state) => {
    allow(state, await offered(state), undefined, Date.now());
    const script = join(state, "..", "use.ts");
    Deno.writeTextFileSync(
      script,
      `import { granted } from ${JSON.stringify(import.meta.resolve("./grants.ts"))};
const request = ${JSON.stringify({ ...request(state), now: undefined })};
console.log(await granted(request));`,
    );
    const outputs = await Promise.all(
      Array.from({ length: 12 }, () =>
        new Deno.Command(Deno.execPath(), { args: ["run", "-A", "--no-lock", script] }).output()),
    );
    const answers = outputs.map((output) =>
      new TextDecoder().decode(output.stdout).trim()
    );
    assert.equal(answers.filter((answer) => answer === "true").length, 1, answers.join(" "));
  }));
