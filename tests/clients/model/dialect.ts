/** What the wire formats of models share. */

/** One tool call that the model asks for. */
export interface ToolCall {
  readonly name: string;
  /** Arguments; a string for free-form tools (`apply_patch` of some models). */
  readonly input: Readonly<Record<string, unknown>> | string;
  /** Codex: the tool's namespace. */
  readonly namespace?: string;
}

export type Json = Record<string, unknown>;

/** How one wire format is read and written. */
export interface Dialect {
  readonly path: RegExp;
  /** Whether this is a conversation, not a side request without tools (titles, summaries). */
  isMain(body: Json): boolean;
  /** What was asked before the model first answered, as text; tells conversations apart. */
  asked(body: Json): string;
  /** Texts of all tool results in the conversation, in order. */
  results(body: Json): string[];
  /** Asks for a call, or says that all is done. `id` is fresh and can be part of the ids of this format. */
  reply(call: ToolCall | undefined, body: Json, id: string): Response;
}

/** What the model says when it has no more calls. */
export const done = "All done.";

/** The objects of a list; nothing when it is none. */
export function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "object" && item !== null) : [];
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? "");
}

export function json(value: unknown, status = 200): Response {
  return Response.json(value, { status });
}

/** Everything before the first message that the model wrote. */
export function before(messages: readonly Json[], fromModel: (message: Json) => boolean): string {
  const first = messages.findIndex(fromModel);
  return text(first < 0 ? messages : messages.slice(0, first));
}

/** Server-sent events; `named` where the format wants the type of each one in its own line too. */
export function events(items: readonly (Json | string)[], named = false): Response {
  const body = items.map((item) => {
    const data = typeof item === "string" ? item : JSON.stringify(item);
    return `${named && typeof item !== "string" ? `event: ${item.type}\n` : ""}data: ${data}\n\n`;
  });
  return new Response(body.join(""), { headers: { "content-type": "text/event-stream" } });
}
