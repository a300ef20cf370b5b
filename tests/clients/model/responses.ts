import { before, type Dialect, done, events, type Json, list, text } from "./dialect.ts";

/** https://platform.openai.com/docs/api-reference/responses-streaming */
export const responses: Dialect = {
  path: /\/responses$/,
  isMain: (body) => list(body.tools).length > 0,
  asked: (body) =>
    before(
      list(body.input).filter((item) => item.role !== "developer" && item.role !== "system"),
      (item) => item.role === "assistant" || /_call$/.test(text(item.type)),
    ),
  results: (body) =>
    list(body.input).filter((item) => /_call_output$/.test(text(item.type))).map((item) => text(item.output)),
  reply(call, _body, id) {
    const item: Json = call === undefined
      ? {
        type: "message",
        id: `msg_${id}`,
        role: "assistant",
        content: [{ type: "output_text", text: done, annotations: [] }],
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
