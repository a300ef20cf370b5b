/**
 * A scripted model on loopback, in three wire formats: Anthropic Messages, OpenAI Responses, Gemini generateContent.
 *
 * The script is a list of tool calls. Which one is asked for next follows from the number of tool results that the request
 * already holds, so retries and side requests (titles, summaries) do not disturb it. After the last call the model says it is done.
 */

/** One tool call that the model asks for. */
export interface ToolCall {
  readonly name: string;
  /** Arguments; a string for Codex's free-form tools. */
  readonly input: Readonly<Record<string, unknown>> | string;
  /** Codex: the tool's namespace. */
  readonly namespace?: string;
}

export interface Model {
  readonly port: number;
  /** Number of requests that asked the model to go on, side requests left out. */
  readonly requests: number;
  /** Text of the tool results that the model was told, in the order of the script. */
  readonly heard: readonly string[];
  close(): Promise<void>;
}

type Json = Record<string, unknown>;

/** How one wire format is read and written. */
interface Dialect {
  readonly path: RegExp;
  /** Whether this is the conversation, not a side request without tools. */
  isMain(body: Json): boolean;
  /** Texts of all tool results in the conversation, in order. */
  results(body: Json): string[];
  reply(call: ToolCall | undefined, body: Json, id: string): Response;
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "object" && item !== null) : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? "");
}

function json(value: unknown, status = 200): Response {
  return Response.json(value, { status });
}

/** Server-sent events; `type` names each one where the format wants it. */
function events(items: readonly Json[], named: boolean): Response {
  const body = items.map((item) =>
    `${named ? `event: ${item.type}\n` : ""}data: ${JSON.stringify(item)}\n\n`
  );
  return new Response(body.join(""), { headers: { "content-type": "text/event-stream" } });
}

const done = "All done.";

/** https://docs.anthropic.com/en/api/messages */
const anthropic: Dialect = {
  path: /\/messages$/,
  isMain: (body) => list(body.tools).length > 0,
  results: (body) =>
    list(body.messages).flatMap((message) => list(message.content))
      .filter((block) => block.type === "tool_result").map((block) => text(block.content)),
  reply(call, body, id) {
    const block = call === undefined
      ? { type: "text", text: done }
      : { type: "tool_use", id: `toolu_${id}`, name: call.name, input: call.input };
    const stop = call === undefined ? "end_turn" : "tool_use";
    const message = {
      id: `msg_${id}`,
      type: "message",
      role: "assistant",
      model: body.model,
      stop_sequence: null,
    };
    const usage = { input_tokens: 1, output_tokens: 1 };
    if (!body.stream) return json({ ...message, content: [block], stop_reason: stop, usage });
    const begun = call === undefined ? { type: "text", text: "" } : { ...block, input: {} };
    const delta = call === undefined
      ? { type: "text_delta", text: done }
      : { type: "input_json_delta", partial_json: JSON.stringify(call.input) };
    return events([
      { type: "message_start", message: { ...message, content: [], stop_reason: null, usage } },
      { type: "content_block_start", index: 0, content_block: begun },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      {
        type: "message_delta",
        delta: { stop_reason: stop, stop_sequence: null },
        usage: { output_tokens: 1 },
      },
      { type: "message_stop" },
    ], true);
  },
};

/** https://platform.openai.com/docs/api-reference/responses-streaming */
const responses: Dialect = {
  path: /\/responses$/,
  isMain: (body) => list(body.tools).length > 0,
  results: (body) =>
    list(body.input).filter((item) => /_call_output$/.test(text(item.type))).map((item) => text(item.output)),
  reply(call, _body, id) {
    const item: Json = call === undefined
      ? {
        type: "message",
        id: `msg_${id}`,
        role: "assistant",
        content: [{ type: "output_text", text: done }],
      }
      : typeof call.input === "string"
      ? {
        type: "custom_tool_call",
        id: `ctc_${id}`,
        call_id: `call_${id}`,
        name: call.name,
        input: call.input,
      }
      : {
        type: "function_call",
        id: `fc_${id}`,
        call_id: `call_${id}`,
        name: call.name,
        ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
        arguments: JSON.stringify(call.input),
      };
    item.status = "completed";
    const usage = {
      input_tokens: 1,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 2,
    };
    const response = { id: `resp_${id}`, object: "response" };
    return events([
      { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
      { type: "response.output_item.added", output_index: 0, item },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { ...response, status: "completed", output: [item], usage } },
    ], true);
  },
};

/** https://ai.google.dev/api/generate-content */
const gemini: Dialect = {
  path: /:(?:streamG|g)enerateContent$/,
  isMain: (body) => list(body.tools).some((tool) => list(tool.functionDeclarations).length > 0),
  results: (body) =>
    list(body.contents).flatMap((content) => list(content.parts))
      .filter((part) => part.functionResponse !== undefined)
      .map((part) => text((part.functionResponse as Json).response)),
  reply(call, body, id) {
    const config = (body.generationConfig ?? {}) as Json;
    // The client asks its model who speaks next and how hard the task is; it wants JSON for that.
    const aside = { reasoning: "scripted", next_speaker: "user", model_choice: "flash", complexity_score: 1 };
    const part = config.responseMimeType === "application/json"
      ? { text: JSON.stringify({ ...aside, complexity_reasoning: "scripted" }) }
      : call === undefined
      ? { text: done }
      : { functionCall: { id: `fc${id}`, name: call.name, args: call.input } };
    return events([{
      candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      responseId: `r${id}`,
    }], false);
  },
};

const dialects = [anthropic, responses, gemini];

/** Starts the model on a free port of 127.0.0.1. */
export function startModel(script: readonly ToolCall[]): Model {
  let heard: string[] = [];
  let requests = 0;
  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith("/count_tokens")) return json({ input_tokens: 1 });
    if (pathname.endsWith(":countTokens")) return json({ totalTokens: 1 });
    if (pathname.endsWith("/models")) return json({ object: "list", data: [], models: [] });
    const dialect = dialects.find(({ path }) => path.test(pathname));
    if (dialect === undefined || request.method !== "POST") {
      return json({ error: `no route ${pathname}` }, 404);
    }
    const body: Json = await request.json();
    const id = crypto.randomUUID().replaceAll("-", "").slice(0, 20);
    const results = dialect.results(body);
    if (!dialect.isMain(body)) return dialect.reply(undefined, body, id);
    requests++;
    if (results.length >= heard.length) heard = results;
    return dialect.reply(script[results.length], body, id);
  };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, answer);
  return {
    port: server.addr.port,
    get requests() {
      return requests;
    },
    get heard() {
      return heard;
    },
    close: () => server.shutdown(),
  };
}
