/**
 * A scripted model on loopback, in the wire formats that the clients speak.
 *
 * The script is a list of tool calls. Which one is asked for next follows from the number of tool results that the request
 * already holds, so retries and side requests (titles, summaries) do not disturb it. After the last call the model says it is done.
 * A subagent's conversation, known by the text `subagentTask` in what it was asked, has a script of its own.
 */
import { anthropic } from "./anthropic.ts";
import { augment, augmentSettings } from "./augment.ts";
import { chat } from "./chat.ts";
import { type Json, json, type ToolCall } from "./dialect.ts";
import { gemini, geminiStream } from "./gemini.ts";
import { responses } from "./responses.ts";

export type { ToolCall } from "./dialect.ts";

/** Stands in the prompt of subagents. */
export const subagentTask = "the task of the subagent";

/** The calls that the model asks for. */
export interface Script {
  readonly calls: readonly ToolCall[];
  /** Calls of the subagent, where `calls` start one. */
  readonly subagent?: readonly ToolCall[];
}

export interface Model {
  readonly port: number;
  /** Begins anew with this script: nothing was asked or heard. */
  follow(script: Script): void;
  /** Number of requests that asked the model to go on, side requests left out. */
  readonly requests: number;
  /** Text of the tool results that the model was told, in the order of the script. */
  readonly heard: readonly string[];
  /** What the subagent's model was told. */
  readonly subagentHeard: readonly string[];
  /** Every request: method, path, and body where it is JSON. */
  readonly log: readonly { readonly method: string; readonly path: string; readonly body?: Json }[];
  close(): Promise<void>;
}

const dialects = [anthropic, chat, responses, gemini, geminiStream, augment];

/** Starts the model on a free port of 127.0.0.1, with an empty script. */
export function startModel(): Model {
  let script: Script = { calls: [] };
  let heard: { main: readonly string[]; subagent: readonly string[] } = { main: [], subagent: [] };
  let log: { method: string; path: string; body?: Json }[] = [];
  let requests = 0;
  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const entry: (typeof log)[number] = { method: request.method, path: pathname };
    log.push(entry);
    if (pathname.endsWith("/count_tokens")) return json({ input_tokens: 1 });
    if (pathname.endsWith(":countTokens")) return json({ totalTokens: 1 });
    if (pathname.endsWith("/models")) {
      return json({ object: "list", data: [{ id: "scripted", object: "model" }], models: [] });
    }
    const setting = augmentSettings[pathname];
    if (setting !== undefined) return json(setting);
    const dialect = dialects.find(({ path }) => path.test(pathname));
    if (dialect === undefined || request.method !== "POST") {
      return json({ error: `no route ${pathname}` }, 404);
    }
    const body: Json = await request.json();
    entry.body = body;
    const id = crypto.randomUUID().replaceAll("-", "").slice(0, 20);
    if (!dialect.isMain(body)) return dialect.reply(undefined, body, id);
    requests++;
    const results = dialect.results(body);
    const who = script.subagent !== undefined && dialect.asked(body).includes(subagentTask)
      ? "subagent"
      : "main";
    if (results.length >= heard[who].length) heard = { ...heard, [who]: results };
    const calls = who === "subagent" ? script.subagent! : script.calls;
    return dialect.reply(calls[results.length], body, id);
  };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, answer);
  return {
    port: server.addr.port,
    follow(next) {
      script = next;
      heard = { main: [], subagent: [] };
      log = [];
      requests = 0;
    },
    get requests() {
      return requests;
    },
    get heard() {
      return heard.main;
    },
    get subagentHeard() {
      return heard.subagent;
    },
    get log() {
      return log;
    },
    close: () => server.shutdown(),
  };
}
