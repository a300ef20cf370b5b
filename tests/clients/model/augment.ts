import { type Dialect, done, type Json, list, text } from "./dialect.ts";

/** Kinds of nodes on the wire of Augment's service, as observed in @augmentcode/auggie 0.36.0. */
const kind = { said: 0, toolResult: 1, final: 2, toolUse: 5 };

function nodes(body: Json): Json[] {
  return [...list(body.chat_history).flatMap((turn) => list(turn.request_nodes)), ...list(body.nodes)];
}

function lines(...items: readonly Json[]): Response {
  const body = items.map((item) => `${JSON.stringify(item)}\n`).join("");
  return new Response(body, { headers: { "content-type": "application/x-ndjson" } });
}

/** Augment's own service; newline-delimited JSON. */
export const augment: Dialect = {
  path: /\/chat-stream$/,
  isMain: (body) => list(body.tool_definitions).length > 0,
  asked: (body) => {
    const [first] = list(body.chat_history);
    return first === undefined
      ? text([body.message, body.nodes])
      : text([first.request_message, first.request_nodes]);
  },
  results: (body) =>
    nodes(body).filter((node) => node.type === kind.toolResult)
      .map((node) => text((node.tool_result_node as Json | undefined)?.content)),
  reply(call, _body, id) {
    if (call === undefined) {
      return lines({ text: done, nodes: [{ id: 1, type: kind.said, content: done }] }, {
        text: "",
        nodes: [{ id: 2, type: kind.final, content: done }],
        stop_reason: 1,
      });
    }
    const use = { tool_use_id: `toolu_${id}`, tool_name: call.name, input_json: JSON.stringify(call.input) };
    return lines({ text: "", nodes: [{ id: 1, type: kind.toolUse, content: "", tool_use: use }] }, {
      text: "",
      nodes: [],
      stop_reason: 3,
    });
  },
};

/** What the client asks the service besides the model. Hooks run only where `enable_hooks` is set. */
export const augmentSettings: Readonly<Record<string, Json>> = {
  "/get-models": {
    default_model: "scripted",
    models: [],
    languages: [],
    feature_flags: { enable_hooks: true },
    user_tier: "PROFESSIONAL_TIER",
    user: { id: "tester", email: "tester@example.invalid" },
  },
  "/agents/list-remote-tools": { tools: [] },
  "/settings/get-mcp-tenant-configs": { mcp_configs: [], configs: [] },
  "/settings/get-mcp-user-configs": { mcp_configs: [], configs: [] },
};
