import { before, type Dialect, done, events, type Json, json, list, text } from "./dialect.ts";

/** https://platform.openai.com/docs/api-reference/chat */
export const chat: Dialect = {
  path: /\/chat\/completions$/,
  isMain: (body) => list(body.tools).length > 0,
  asked: (body) =>
    before(
      list(body.messages).filter((message) => message.role !== "system"),
      (message) => message.role === "assistant",
    ),
  results: (body) =>
    list(body.messages).filter((message) => message.role === "tool").map((message) => text(message.content)),
  reply(call, body, id) {
    const shared = { id: `chatcmpl-${id}`, created: Math.floor(Date.now() / 1000), model: body.model };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const calls = call === undefined ? undefined : [{
      index: 0,
      id: `call_${id}`,
      type: "function",
      function: { name: call.name, arguments: JSON.stringify(call.input) },
    }];
    const finish = calls === undefined ? "stop" : "tool_calls";
    const said = calls === undefined ? { content: done } : { content: null, tool_calls: calls };
    if (!body.stream) {
      const message = { role: "assistant", ...said };
      const choices = [{ index: 0, message, finish_reason: finish }];
      return json({ ...shared, object: "chat.completion", choices, usage });
    }
    const chunk = (delta: Json, reason: string | null = null) => ({
      ...shared,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
    return events([
      chunk({ role: "assistant", content: "" }),
      chunk(said),
      chunk({}, finish),
      { ...shared, object: "chat.completion.chunk", choices: [], usage },
      "[DONE]",
    ]);
  },
};
