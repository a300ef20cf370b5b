import { before, type Dialect, done, events, json, list, text } from "./dialect.ts";

/** https://docs.anthropic.com/en/api/messages */
export const anthropic: Dialect = {
  path: /\/messages$/,
  isMain: (body) => list(body.tools).length > 0,
  asked: (body) => before(list(body.messages), (message) => message.role === "assistant"),
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
