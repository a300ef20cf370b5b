import assert from "node:assert/strict";
import { join } from "node:path";
import type { Response } from "../hook.ts";
import type { Source } from "../stdin.ts";
import { type ServeLimits, serveLimits, serveLines } from "./loop.ts";

/** A stream that is written to while it is read. */
class Pipe implements Source {
  readonly #pieces: Uint8Array[] = [];
  #wake: () => void = () => {};
  #ended = false;
  /** Bytes that nobody has taken yet. */
  get waiting(): number {
    return this.#pieces.reduce((total, piece) => total + piece.length, 0);
  }
  send(text: string): void {
    this.#pieces.push(new TextEncoder().encode(text));
    this.#wake();
  }
  end(): void {
    this.#ended = true;
    this.#wake();
  }
  async read(buffer: Uint8Array): Promise<number | null> {
    while (this.#pieces.length === 0) {
      if (this.#ended) return null;
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
    const piece = this.#pieces[0]!;
    const part = piece.subarray(0, buffer.length);
    buffer.set(part);
    if (part.length === piece.length) this.#pieces.shift();
    else this.#pieces[0] = piece.subarray(part.length);
    return part.length;
  }
}

interface Served {
  readonly pipe: Pipe;
  /** What was answered so far. */
  readonly answers: { readonly id: unknown; readonly reply: { readonly stdout: string } }[];
  readonly records: Response[];
  readonly root: string;
  readonly ended: Promise<void>;
}

interface Options {
  readonly limits?: ServeLimits;
  readonly write?: (text: string) => Promise<void>;
}

/** Serves until `work` has ended. */
async function serving(
  work: (served: Served) => Promise<void>,
  { limits, write }: Options = {},
): Promise<void> {
  const root = await Deno.makeTempDir();
  const pipe = new Pipe();
  const served: Served = { pipe, answers: [], records: [], root, ended: Promise.resolve() };
  const options = { host: "codex", policy: join(root, "policy.jsonc"), state: join(root, "state") };
  const take = (text: string) => {
    assert(text.endsWith("\n"));
    served.answers.push(JSON.parse(text));
    return Promise.resolve();
  };
  const channel = { source: pipe, write: write ?? take };
  const ended = serveLines(options, channel, (response) => served.records.push(response), limits);
  try {
    await work({ ...served, ended });
    pipe.end();
    if (write === undefined) await ended;
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

function request(id: unknown, command: string): string {
  const payload = {
    session_id: "s",
    turn_id: "t",
    model: "m",
    cwd: "/srv/app",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: "c",
  };
  return `${JSON.stringify({ id, event: "PreToolUse", payload })}\n`;
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    assert(tries < 1000, "waited for too long");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

Deno.test("every request is answered with its id, and recorded", async () => {
  await serving(async ({ pipe, answers, records }) => {
    pipe.send(request("a", "git status") + request("b", "cat ~/.ssh/id_rsa"));
    pipe.send(request(3, "ls"));
    await until(() => answers.length === 3);
    const by = new Map(answers.map(({ id, reply }) => [id, reply.stdout]));
    assert.deepEqual([by.get("a"), by.get(3)], ["", ""]);
    assert.match(by.get("b") ?? "", /"deny"/);
    assert.deepEqual(records.map(({ record }) => record?.decision).sort(), ["deny", "none", "none"]);
  });
});

Deno.test("a bad line is answered with a block, and what follows counts again", async () => {
  await serving(async ({ pipe, answers }) => {
    pipe.send("nonsense\n\n  \r\n");
    pipe.send(`{"id":"long","payload":"${"x".repeat(300)}\n`);
    pipe.send(request("good", "ls"));
    pipe.send('{"id":"half","event":"PreToolUse","payload":{"tool_name":');
    pipe.end();
    await until(() => answers.length === 4);
    const said = answers.map(({ id, reply }) => [id, /"deny"/.test(reply.stdout)]);
    assert.deepEqual(said, [[null, true], ["long", true], ["good", false], ["half", true]]);
  }, { limits: { ...serveLimits, line: 310 } });
});

Deno.test("the policy is read for every request", async () => {
  await serving(async ({ pipe, answers, root }) => {
    pipe.send(request(1, "git push origin topic"));
    await until(() => answers.length === 1);
    const rule = {
      id: "own/push",
      title: "Pushes",
      decision: "deny",
      advice: "Leave it to a person.",
      match: { program: "git", subcommand: ["push"] },
    };
    await Deno.writeTextFile(join(root, "policy.jsonc"), JSON.stringify({ ownRules: [rule] }));
    pipe.send(request(2, "git push origin topic"));
    await until(() => answers.length === 2);
    await Deno.writeTextFile(join(root, "policy.jsonc"), "{ broken");
    pipe.send(request(3, "git push origin topic"));
    await until(() => answers.length === 3);
    await Deno.remove(join(root, "policy.jsonc"));
    pipe.send(request(4, "git push origin topic"));
    await until(() => answers.length === 4);
    assert.equal(answers[0]?.reply.stdout, "");
    assert.match(answers[1]?.reply.stdout ?? "", /own\/push/);
    assert.match(answers[2]?.reply.stdout ?? "", /policy cannot be used/);
    assert.equal(answers[3]?.reply.stdout, "");
  });
});

Deno.test("who sends faster than answers are taken is not read any further", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let writes = 0;
  const write = () => {
    writes++;
    return promise;
  };
  const one = request("x", "ls");
  await serving(async ({ pipe, ended }) => {
    for (let count = 0; count < 200; count++) pipe.send(one);
    await until(() => writes === 3);
    await new Promise((done) => setTimeout(done, 200));
    assert.equal(writes, 3);
    assert(pipe.waiting > 150 * one.length, `${pipe.waiting} bytes wait`);
    resolve();
    pipe.end();
    await ended;
    assert.equal(writes, 200);
  }, { write, limits: { ...serveLimits, requests: 3 } });
});

Deno.test("the bytes of requests that wait are bounded", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let writes = 0;
  const write = () => {
    writes++;
    return promise;
  };
  const one = request("x", `echo ${"x".repeat(1000)}`);
  await serving(async ({ pipe, ended }) => {
    for (let count = 0; count < 20; count++) pipe.send(one);
    await until(() => writes === 4);
    await new Promise((done) => setTimeout(done, 100));
    assert.equal(writes, 4);
    resolve();
    pipe.end();
    await ended;
    assert.equal(writes, 20);
  }, { write, limits: { ...serveLimits, bytes: one.length * 4 } });
});

Deno.test("an answer that cannot be written ends it", async () => {
  const write = () => Promise.reject(new Error("nobody listens"));
  await serving(async ({ pipe, ended }) => {
    pipe.send(request("x", "ls"));
    await assert.rejects(ended, /nobody listens/);
  }, { write });
});
