import { before, type Dialect, done, events, type Json, json, list, text } from "./dialect.ts";

function answer(call: Parameters<Dialect["reply"]>[0], body: Json, id: string): Json {
  const config = (body.generationConfig ?? {}) as Json;
  // The client asks its model who speaks next and how hard the task is; it wants JSON for that.
  const aside = { reasoning: "scripted", next_speaker: "user", model_choice: "flash", complexity_score: 1 };
  const part = config.responseMimeType === "application/json"
    ? { text: JSON.stringify({ ...aside, complexity_reasoning: "scripted" }) }
    : call === undefined
    ? { text: done }
    : { functionCall: { id: `fc${id}`, name: call.name, args: call.input } };
  return {
    candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    responseId: `r${id}`,
  };
}

const shared: Pick<Dialect, "isMain" | "asked" | "results"> = {
  isMain: (body) => list(body.tools).some((tool) => list(tool.functionDeclarations).length > 0),
  asked: (body) => before(list(body.contents), (content) => content.role === "model"),
  results: (body) =>
    list(body.contents).flatMap((content) => list(content.parts))
      .filter((part) => part.functionResponse !== undefined)
      .map((part) => text((part.functionResponse as Json).response)),
};

/** https://ai.google.dev/api/generate-content */
export const gemini: Dialect = {
  ...shared,
  path: /:generateContent$/,
  reply: (call, body, id) => json(answer(call, body, id)),
};

/** The same as server-sent events. */
export const geminiStream: Dialect = {
  ...shared,
  path: /:streamGenerateContent$/,
  reply: (call, body, id) => events([answer(call, body, id)]),
};
