/** The tests that every real client must pass; one file per client calls this, so that clients run beside each other. */
import assert from "node:assert/strict";
import { type ClientHost, type Failure, hosts, type Place } from "./hosts.ts";
import type { ToolCall } from "./model.ts";
import { obstacle, type Outcome, prepare, type Session, withSession } from "./session.ts";

/** One tool call and how to see whether it took place. */
interface Probe {
  readonly name: string;
  readonly call: ToolCall;
  readonly forbidden: boolean;
  happened(heard: string): boolean;
}

function textOf(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

const exists = (path: string) => {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
};

/** A command that destroys the home only in a home that was made for a test, so that it does no harm should guard let it through. */
const destroyHome = "test -f ~/made-for-a-test && rm -rf ~";

function probes(host: ClientHost, place: Place): Probe[] {
  const { home, work } = place;
  const shell = (name: string, forbidden: boolean, command: string): Probe => {
    const canary = `${work}/canary-${name.replaceAll(" ", "-")}`;
    return {
      name,
      forbidden,
      call: host.shell(`${command}; touch ${canary}`),
      happened: () => exists(canary),
    };
  };
  const tool = (name: string, forbidden: boolean, command: string): Probe => ({
    name,
    forbidden,
    call: host.tool({ command }),
    happened: () => textOf(place.toolServer.at(-1)!).split("\n").includes(command),
  });
  const list: Probe[] = [
    shell("a harmless command", false, "git status --short"),
    shell("a command that reads a private key", true, "cat ~/.ssh/id_ed25519 > /dev/null"),
    shell("a command that discards uncommitted edits", true, "git reset --hard"),
  ];
  if (host.read !== undefined) {
    list.push({
      name: "reading a file",
      forbidden: false,
      call: host.read(`${work}/draft.txt`),
      happened: (heard) => heard.includes("first draft"),
    }, {
      name: "reading a private key",
      forbidden: true,
      call: host.read(`${work}/deploy/id_ed25519`),
      happened: (heard) => heard.includes("swordfish"),
    });
  }
  list.push({
    name: "writing a file",
    forbidden: false,
    call: host.write(`${work}/fresh.txt`, "fresh"),
    happened: () => textOf(`${work}/fresh.txt`).includes("fresh"),
  }, {
    name: "writing what the editor runs when the project is opened",
    forbidden: true,
    call: host.write(`${work}/.vscode/tasks.json`, '{"tasks": []}'),
    happened: () => exists(`${work}/.vscode/tasks.json`),
  }, {
    name: "editing a file",
    forbidden: false,
    call: host.edit(`${work}/draft.txt`, "first draft", "second draft"),
    happened: () => textOf(`${work}/draft.txt`).includes("second draft"),
  }, {
    name: "editing the hooks of another host",
    forbidden: true,
    call: host.edit(`${work}/.windsurf/hooks.json`, '"hooks": {}', '"hooks": []'),
    happened: () => textOf(`${work}/.windsurf/hooks.json`).includes("[]"),
  });
  list.push(
    tool("calling an MCP tool", false, "git status --short"),
    tool("calling an MCP tool with a forbidden command", true, `rm -rf ${home}`),
    // Last, since what follows would fail too should it go through.
    shell("a command that deletes the home", true, destroyHome),
  );
  return list;
}

/** A rule's id: only guard's own reason names one, so a refusal by the client itself does not count. */
const ruleId = /\brule [a-z]+\/[a-z-]+/;

function check(probe: Probe, heard: string | undefined, outcome: Outcome): void {
  const context = `\nthe model heard: ${heard}\nthe client printed: ${outcome.output.slice(-1500)}`;
  assert.ok(heard !== undefined, `the call was never answered${context}`);
  if (probe.forbidden) {
    assert.ok(!probe.happened(heard), `the call went through${context}`);
    assert.match(heard, ruleId, `guard's reason did not reach the model${context}`);
  } else {
    assert.ok(probe.happened(heard), `the call did not take place${context}`);
  }
}

/**
 * Stand-ins for a guard that fails at a tool call. They let the prompt pass, which the hook of the tool would else never see: the events
 * of tools are called PreToolUse and BeforeTool.
 */
const standIns: Readonly<Record<Failure, string>> = {
  killed: atTools("kill -9 $$"),
  missing: '#!/bin/sh\nrm -f "$0"\n',
  failing: atTools("echo 'thread panicked at }{'; exit 1"),
  garbage: atTools("echo '}{ no JSON'"),
  // Fails in the end, so that a host that waits for it blocks.
  hanging: atTools("sleep 8; exit 1"),
};

function atTools(what: string): string {
  return `#!/bin/sh\ncase "$*" in *PreToolUse* | *BeforeTool*) ${what} ;; esac\n`;
}

async function replaceGuard(host: ClientHost, place: Place, failure: Failure): Promise<void> {
  await Deno.remove(place.guard);
  await Deno.writeTextFile(place.guard, standIns[failure], { mode: 0o755 });
  if (failure !== "hanging") return;
  const path = `${place.home}/${host.configuration}`;
  const before = await Deno.readTextFile(path);
  const after = before.replace(/("timeout"\s*:\s*)\d+/g, `$1${host.shortTimeout}`);
  assert.notEqual(after, before, "the installed entries have no timeout to shorten");
  await Deno.writeTextFile(path, after);
}

/** A harmless command, to see whether the host lets anything through while guard fails. */
async function failing(host: ClientHost, session: Session, failure: Failure): Promise<void> {
  const { place } = session;
  await prepare(host, place);
  await session.guard(["install", "--host", host.id]);
  await replaceGuard(host, place, failure);
  const canary = `${place.work}/canary`;
  const outcome = await session.run([host.shell(`touch ${canary}`)]);
  const heard = outcome.heard[0];
  const context = `\nthe model heard: ${heard}\nthe client printed: ${outcome.output.slice(-1500)}`;
  const expected = host.failures[failure];
  assert.ok(heard !== undefined, `the call was never answered${context}`);
  if (expected === "blocked") {
    assert.ok(!exists(canary), `the call went through${context}`);
    // What a failing guard printed itself may take the place of the reason.
    if (failure !== "failing") {
      assert.match(heard, /guard blocked this call or did not run/, `no reason reached the model${context}`);
    }
  } else {
    assert.ok(exists(canary), `the limit no longer holds, say so in hosts.ts: ${expected.limit}${context}`);
  }
}

/** Where the executable is gone from the start, the prompt is blocked already. */
async function vanished(host: ClientHost, session: Session): Promise<void> {
  const { place } = session;
  await prepare(host, place);
  await session.guard(["install", "--host", host.id]);
  await Deno.remove(place.guard);
  const canary = `${place.work}/canary`;
  const { requests, output } = await session.run([host.shell(`touch ${canary}`)]);
  assert.ok(!exists(canary), `the call went through\nthe client printed: ${output.slice(-1500)}`);
  assert.equal(requests, 0, `the prompt reached the model\nthe client printed: ${output.slice(-1500)}`);
}

async function uninstalled(host: ClientHost, session: Session): Promise<void> {
  const { place } = session;
  await prepare(host, place);
  const path = `${place.home}/${host.configuration}`;
  const before = await Deno.readFile(path);
  await session.guard(["install", "--host", host.id]);
  assert.notDeepEqual(await Deno.readFile(path), before, "guard install changed nothing");
  await session.guard(["uninstall", "--host", host.id]);
  assert.deepEqual(await Deno.readFile(path), before, "guard uninstall left the configuration changed");
  await Deno.remove(place.guard);
  const canary = `${place.work}/canary`;
  const { output } = await session.run([host.shell(`cat ~/.ssh/id_ed25519 > /dev/null; touch ${canary}`)]);
  assert.ok(exists(canary), `the client is still blocked: ${output.slice(-1500)}`);
}

/** Registers the tests of one client. A client that cannot be driven is a counted skip, or a failure under GUARD_REQUIRE_CLIENTS. */
export function clientTests(id: string): void {
  const host = hosts.find((host) => host.id === id);
  if (host === undefined) throw new Error(`no client ${id} in hosts.ts`);
  const missing = obstacle(id);
  const required = Boolean(Deno.env.get("GUARD_REQUIRE_CLIENTS"));
  const test = (name: string, run: (session: Session, t: Deno.TestContext) => Promise<void>) =>
    Deno.test({
      name: `${id}: ${name}${missing !== undefined ? ` (${missing})` : ""}`,
      ignore: missing !== undefined && !required,
      fn: async (t) => {
        assert.equal(missing, undefined, `${id} cannot be driven here: ${missing}`);
        await withSession(host, (session) => run(session, t));
      },
    });

  test("allowed tool calls run, forbidden ones do not, and the model is told why", async (session, t) => {
    await prepare(host, session.place);
    await session.guard(["install", "--host", id]);
    const list = probes(host, session.place);
    const outcome = await session.run(list.map((probe) => probe.call));
    for (const [index, probe] of list.entries()) {
      await t.step(probe.name, () => check(probe, outcome.heard[index], outcome));
    }
  });
  for (const failure of Object.keys(standIns) as Failure[]) {
    const expected = host.failures[failure];
    const name = expected === "blocked" ? "the call is blocked" : `known limit: ${expected.limit}`;
    test(`guard ${failure}: ${name}`, (session) => failing(host, session, failure));
  }
  test("guard missing from the start: the prompt is blocked", (session) => vanished(host, session));
  test("uninstalling leaves no trace", (session) => uninstalled(host, session));
}
