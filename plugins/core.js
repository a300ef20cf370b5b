// @ts-check
import { spawn } from "node:child_process";

/**
 * How guard is started. `command` is its program with what precedes the subcommand, `options` what follows it,
 * `deadline` the milliseconds that one call may take.
 * @typedef {{ host: string, title: string, command: string[], options: string[], deadline: number }} Settings
 *
 * `none` is no objection.
 * @typedef {{ decision: "none" } | { decision: "ask" | "deny", reason: string }} Answer
 *
 * @typedef {{ stdout: string, stderr: string, exitCode: number }} Reply
 * @typedef {{ reply: Reply } | { failure: string }} Outcome
 *
 * A member that holds a text of a result.
 * @typedef {readonly [holder: any, name: string | number]} Place
 */

/** Version of the protocol of `guard serve`. */
const protocol = 1;
/** Most characters of a call, and of what guard says in one answer beside a result that it gives back. */
const callLimit = 15 * 1024 * 1024;
const answerLimit = 1024 * 1024;
/** How much longer a result can be in an answer than in a call: it is quoted twice, and what is taken out is named. */
const growth = 4;
/** Share of the deadline that a process gets to say that it is there. */
const startShare = 0.4;
/** Milliseconds until a process that could not be started is tried again. */
const retryAfter = 30_000;
/** Milliseconds without a call after which the next one gets a new process; guard ends its own a little later. */
const idleLimit = 10 * 60_000;

/**
 * Asks guard about calls. One process of guard answers all of them; where it cannot be started, each call gets
 * one of its own. Whatever else happens is a denial.
 * @param {Settings} settings
 */
export function createGuard({ title, command, options, deadline }) {
  const [program = "", ...lead] = command;
  /** @type {ReturnType<typeof connect> | undefined} */
  let connection;
  let retryAt = 0;

  /**
   * What guard says to a call. Never rejects.
   * @param {string} event The host's own name.
   * @param {Record<string, unknown>} call
   * @returns {Promise<Answer>}
   */
  async function ask(event, call) {
    try {
      const document = JSON.stringify(call);
      if (document.length > callLimit) return blocked("this call is longer than guard reads");
      const answer = await answered(event, document, performance.now() + deadline);
      return "failure" in answer ? blocked(answer.failure) : decisionOf(answer.reply);
    } catch (error) {
      return blocked(textOf(error));
    }
  }

  /**
   * Tells guard of an event at which nothing can be stopped, which also starts its process before it is needed.
   * Gives what a person should know. Never rejects.
   * @param {string} event
   * @param {Record<string, unknown>} call
   * @returns {Promise<string[]>}
   */
  async function tell(event, call) {
    try {
      const outcome = await answered(event, JSON.stringify(call), performance.now() + deadline);
      const said = "failure" in outcome ? undefined : objectIn(outcome.reply.stdout);
      const notes = said === undefined ? undefined : own(said, "notes");
      return Array.isArray(notes) ? notes.filter((note) => typeof note === "string") : [];
    } catch {
      return [];
    }
  }

  /**
   * Lets guard take secrets out of the result of a tool. Gives what the model has to know beside the result, which may
   * be nothing. Where guard fails, the result stays as it is. Never rejects.
   * @param {string} event
   * @param {Record<string, unknown>} call
   * @param {readonly Place[]} places
   * @returns {Promise<string>}
   */
  async function clean(event, call, places) {
    try {
      const texts = places.map(([holder, name]) => holder[name]);
      if (texts.every((text) => text === "")) return "";
      const document = JSON.stringify({ ...call, tool_response: texts });
      if (document.length > callLimit) return unseen("it is longer than guard reads");
      const limit = answerLimit + growth * document.length;
      const outcome = await answered(event, document, performance.now() + deadline, limit);
      if ("failure" in outcome) return unseen(outcome.failure);
      const said = outcome.reply.exitCode === 0 ? objectIn(outcome.reply.stdout) : undefined;
      if (said === undefined || own(said, "decision") !== "none") {
        return unseen("its answer was not understood");
      }
      const result = own(said, "result");
      if (Array.isArray(result)) {
        if (result.length !== texts.length || result.some((text) => typeof text !== "string")) {
          return unseen("its answer was not understood");
        }
        for (const [index, [holder, name]] of places.entries()) {
          if (result[index] !== texts[index]) holder[name] = result[index];
        }
      }
      const note = own(said, "note");
      return typeof note === "string" ? note : "";
    } catch (error) {
      return unseen(textOf(error));
    }
  }

  /** @param {string} problem */
  function unseen(problem) {
    return `guard: nothing looked for secrets and for orders in this result: ${problem}.`;
  }

  /**
   * @param {string} event
   * @param {string} document
   * @param {number} until
   * @param {number} limit Most characters of the answer.
   * @returns {Promise<Outcome>}
   */
  async function answered(event, document, until, limit = answerLimit) {
    const one = await connected();
    return one === undefined
      ? await runOnce(event, document, until, limit)
      : await one.request(event, document, until, limit);
  }

  /** The process that answers, or undefined when it cannot be started. */
  async function connected() {
    const now = performance.now();
    if (connection !== undefined && (!connection.isAlive() || now - connection.lastUse() > idleLimit)) {
      connection.end();
      connection = undefined;
    }
    if (connection === undefined) {
      if (now < retryAt) return undefined;
      connection = connect([...lead, "serve", ...options]);
    }
    const one = connection;
    if (await one.ready) return one;
    retryAt = performance.now() + retryAfter;
    return undefined;
  }

  /**
   * One process for many calls.
   * @param {string[]} args
   */
  function connect(args) {
    let alive = true;
    let greeted = false;
    let used = performance.now();
    let count = 0;
    let longest = answerLimit;
    let text = "";
    /** @type {Map<string, (outcome: Outcome) => void>} */
    const open = new Map();
    /** @type {(is: boolean) => void} */
    let tell = () => {};
    /** @type {Promise<boolean>} */
    const ready = new Promise((resolve) => tell = resolve);
    /** @type {ReturnType<typeof start> | undefined} */
    let child;
    const late = setTimeout(() => fail("it did not start in time"), deadline * startShare);

    /** @param {string} problem */
    function fail(problem) {
      alive = false;
      clearTimeout(late);
      tell(false);
      for (const resolve of open.values()) resolve({ failure: problem });
      open.clear();
      try {
        child?.kill("SIGKILL");
      } catch {
        // It has ended.
      }
    }

    /** @param {string} line */
    function take(line) {
      const said = objectIn(line);
      if (!greeted) {
        if (said === undefined || own(said, "protocol") !== protocol) {
          return fail("it speaks another language");
        }
        greeted = true;
        clearTimeout(late);
        return tell(true);
      }
      const id = said === undefined ? undefined : own(said, "id");
      const reply = said === undefined ? undefined : replyIn(own(said, "reply"));
      const resolve = typeof id === "string" ? open.get(id) : undefined;
      if (typeof id !== "string" || resolve === undefined || reply === undefined) {
        return fail("its answer was not understood");
      }
      open.delete(id);
      resolve({ reply });
    }

    try {
      child = start(args);
      child.on("error", (error) => fail(textOf(error)));
      child.on("exit", () => alive = false);
      child.on("close", () => fail("it ended without an answer"));
      child.stdin.on("error", (error) => fail(textOf(error)));
      child.stdout.on("error", (error) => fail(textOf(error)));
      child.stdout.setEncoding("utf8");
      child.stdout.on("data", (/** @type {string} */ part) => {
        text += part;
        // A long line comes in many parts, and is looked through once.
        if (!part.includes("\n") && text.length <= longest) return;
        for (let end = text.indexOf("\n"); end >= 0 && (alive || open.size > 0); end = text.indexOf("\n")) {
          const line = text.slice(0, end);
          text = text.slice(end + 1);
          take(line);
        }
        if (text.length > longest) fail("its answer was too long");
      });
      // A host ends when it has nothing left to do, whatever guard waits for.
      child.unref();
      unref(child.stdin);
      unref(child.stdout);
    } catch (error) {
      fail(textOf(error));
    }

    return {
      ready,
      isAlive: () => alive,
      lastUse: () => used,
      end: () => fail("it is not needed any more"),
      /**
       * @param {string} event
       * @param {string} document
       * @param {number} until
       * @param {number} limit
       * @returns {Promise<Outcome>}
       */
      request: (event, document, until, limit) =>
        new Promise((resolve) => {
          if (!alive || child === undefined) return resolve({ failure: "it ended without an answer" });
          used = performance.now();
          longest = Math.max(longest, limit);
          const id = String(++count);
          // This timer also keeps the host running while it waits.
          const timer = setTimeout(() => fail("it did not answer in time"), Math.max(0, until - used));
          open.set(id, (outcome) => {
            clearTimeout(timer);
            resolve(outcome);
          });
          child.stdin.write(`{"id":"${id}","event":${JSON.stringify(event)},"payload":${document}}\n`);
        }),
    };
  }

  /**
   * One process for one call.
   * @param {string} event
   * @param {string} document
   * @param {number} until
   * @param {number} limit
   * @returns {Promise<Outcome>}
   */
  function runOnce(event, document, until, limit) {
    return new Promise((resolve) => {
      let stdout = "";
      /** @type {ReturnType<typeof start> | undefined} */
      let child;
      /** @param {Outcome} outcome */
      const finish = (outcome) => {
        clearTimeout(timer);
        resolve(outcome);
        try {
          child?.kill("SIGKILL");
        } catch {
          // It has ended.
        }
      };
      const timer = setTimeout(
        () => finish({ failure: "it did not answer in time" }),
        Math.max(0, until - performance.now()),
      );
      try {
        child = start([...lead, "hook", "--event", event, ...options]);
        child.on("error", (error) => finish({ failure: textOf(error) }));
        child.stdout.on("error", (error) => finish({ failure: textOf(error) }));
        // It may answer before it has read everything.
        child.stdin.on("error", () => {});
        child.stdout.setEncoding("utf8");
        child.stdout.on("data", (/** @type {string} */ part) => {
          stdout += part;
          if (stdout.length > limit) finish({ failure: "its answer was too long" });
        });
        child.on("close", (code) => finish({ reply: { stdout, stderr: "", exitCode: code ?? -1 } }));
        child.stdin.end(document);
      } catch (error) {
        finish({ failure: textOf(error) });
      }
    });
  }

  /** @param {string[]} args */
  function start(args) {
    return spawn(program, args, { stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
  }

  /**
   * @param {string} problem
   * @returns {Answer}
   */
  function blocked(problem) {
    const reason =
      `guard: blocked, since guard could not judge this call: ${problem}. To the person at the keyboard: ` +
      `run "guard doctor"; if guard is gone, install it again, or remove its plugin from ${title}.`;
    return { decision: "deny", reason };
  }

  /**
   * @param {Reply} reply
   * @returns {Answer}
   */
  function decisionOf({ stdout, stderr, exitCode }) {
    const said = objectIn(stdout);
    const decision = said === undefined ? undefined : own(said, "decision");
    const reason = said === undefined ? undefined : own(said, "reason");
    const text = typeof reason === "string" && reason !== "" ? reason : stderr.trim();
    if (exitCode === 0 && decision === "none") return { decision };
    if (exitCode === 0 && decision === "ask" && text !== "") return { decision, reason: text };
    return text === "" ? blocked("its answer was not understood") : { decision: "deny", reason: text };
  }

  return { ask, tell, clean };
}

/**
 * All places with a text in a value; what a part with a media type holds is no text.
 * @param {any} value
 * @param {number} depth
 * @returns {Place[]}
 */
export function textPlaces(value, depth = 0) {
  if (typeof value !== "object" || value === null || depth > 100) return [];
  const picture = typeof value.mimeType === "string";
  return Object.keys(value).flatMap((name) => {
    if (picture && (name === "data" || name === "blob")) return [];
    return typeof value[name] === "string"
      ? [/** @type {Place} */ ([value, name])]
      : textPlaces(value[name], depth + 1);
  });
}

/**
 * @param {string} text
 * @returns {object | undefined}
 */
function objectIn(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {object} object
 * @param {string} name
 * @returns {unknown}
 */
function own(object, name) {
  return Object.getOwnPropertyDescriptor(object, name)?.value;
}

/**
 * @param {unknown} value
 * @returns {Reply | undefined}
 */
function replyIn(value) {
  if (typeof value !== "object" || value === null) return undefined;
  const [stdout, stderr, exitCode] = ["stdout", "stderr", "exitCode"].map((name) => own(value, name));
  return typeof stdout === "string" && typeof stderr === "string" && typeof exitCode === "number"
    ? { stdout, stderr, exitCode }
    : undefined;
}

/** @param {unknown} stream A pipe that some runtimes count as work to wait for. */
function unref(stream) {
  const pipe = /** @type {{ unref?: unknown }} */ (stream);
  if (typeof pipe.unref === "function") pipe.unref();
}

/** @param {unknown} error The first line of its message. */
function textOf(error) {
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n", 1).join("").slice(0, 300);
}
