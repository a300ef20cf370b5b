/** The hosts of guard's plugins as far as a plugin can tell: how it is loaded, asked, and what the host then does. */

/** One call of a tool as the host offers it. */
export interface Offer {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  /** A person is there who consents, takes what comes first, or closes the question without a choice. */
  readonly person?: "consents" | "first" | "closes";
}

/** What the host does with it. */
export interface Taken {
  readonly runs: boolean;
  /** What the model is told when it does not run. */
  readonly told: string;
}

/** A host with the plugin in it. */
export interface Host {
  offer(offer: Offer): Promise<Taken>;
  /** Gives a result of a tool to the plugin, in the host's form for one with these texts: what the model is shown. */
  finish(tool: string, texts: readonly string[]): Promise<readonly string[]>;
}

/** A module's exports, loaded into the host. */
export type Load = (module: Record<string, unknown>, place: string) => Promise<Host>;

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
}

/** A picture, whose bytes nobody reads for a text. */
const picture: Part = { type: "image", mimeType: "image/png", data: "QUJDRA==" };

const partsOf = (texts: readonly string[]): Part[] => [
  picture,
  ...texts.map((text) => ({ type: "text", text })),
];

/** The texts of a list of parts, in which the picture has to be as it was. */
function textsOf(parts: readonly Part[]): string[] {
  if (JSON.stringify(parts[0]) !== JSON.stringify(picture)) {
    throw new Error(`changed: ${JSON.stringify(parts)}`);
  }
  return parts.slice(1).map(({ type, text }) => {
    if (type !== "text" || text === undefined) throw new Error(`no text: ${type}`);
    return text;
  });
}

/** Runs a hook that stops a call by throwing. */
async function byThrowing(hook: () => unknown): Promise<Taken> {
  try {
    await hook();
    return { runs: true, told: "" };
  } catch (error) {
    return { runs: false, told: error instanceof Error ? error.message : String(error) };
  }
}

type Handler = (...values: unknown[]) => unknown;

const opencode: Load = async (module, place) => {
  // The client calls every export.
  const exported = Object.values(module);
  if (exported.length !== 1) throw new Error(`expected one export, found ${Object.keys(module)}`);
  const [plugin] = exported as Handler[];
  const hooks = await plugin!({ directory: place, worktree: "/", project: {} }) as Record<string, Handler>;
  let count = 0;
  return {
    offer: ({ tool, input }) =>
      byThrowing(() =>
        hooks["tool.execute.before"]!({ tool, sessionID: "ses_1", callID: `call_${++count}` }, {
          args: input,
        })
      ),
    finish: async (tool, texts) => {
      const input = { tool, sessionID: "ses_1", callID: `call_${count}`, args: {} };
      // A subtask that failed has no result.
      await hooks["tool.execute.after"]!(input, undefined);
      if (texts.length !== 1) {
        const output = { content: partsOf(texts) };
        await hooks["tool.execute.after"]!(input, output);
        return textsOf(output.content);
      }
      const [text] = texts;
      const output = { title: tool, metadata: { output: text, exit: 0 }, output: text };
      await hooks["tool.execute.after"]!(input, output);
      if (!output.output!.startsWith(output.metadata.output!)) {
        throw new Error("the person sees something else");
      }
      return [output.output!];
    },
  };
};

const pi: Load = async (module, place) => {
  const handlers = new Map<string, Handler>();
  await (module.default as Handler)({
    on: (event: string, handler: Handler) => handlers.set(event, handler),
  });
  await handlers.get("session_start")?.({ type: "session_start" }, {});
  let count = 0;
  const offer = async ({ tool, input, person }: Offer) => {
    const context = {
      cwd: place,
      hasUI: person !== undefined,
      mode: person === undefined ? "print" : "tui",
      ui: {
        select: (title: string, options: readonly string[]) => {
          if (title === "") throw new Error("the person is not told what the question is about");
          if (person === "closes") return Promise.resolve(undefined);
          // A person who only presses the return key takes the first.
          return Promise.resolve(
            person === "consents" ? options.find((option) => option.startsWith("Yes")) : options[0],
          );
        },
      },
      sessionManager: { getSessionId: () => "s-1" },
    };
    const event = { type: "tool_call", toolName: tool, toolCallId: `call_${++count}`, input };
    const answer = await handlers.get("tool_call")!(event, context) as
      | { block?: unknown; reason?: string }
      | undefined;
    if (answer === undefined) return { runs: true, told: "" };
    if (answer.block !== true) throw new Error(`the client would run it after ${JSON.stringify(answer)}`);
    return { runs: false, told: answer.reason ?? "" };
  };
  return {
    offer,
    finish: async (toolName, texts) => {
      const content = partsOf(texts);
      const structuredContent = { rows: [...texts] };
      const event = {
        ...{ type: "tool_result", toolName, toolCallId: `call_${count}`, input: {} },
        ...{ content, structuredContent, isError: false },
      };
      const context = { cwd: place, mode: "print", sessionManager: { getSessionId: () => "s-1" } };
      const before = JSON.stringify(event);
      const answer = await handlers.get("tool_result")!(event, context) as
        | { content: Part[]; structuredContent: typeof structuredContent }
        | undefined;
      if (JSON.stringify(event) !== before) throw new Error("the event was changed in its place");
      const shown = textsOf((answer ?? event).content);
      const { rows } = (answer ?? event).structuredContent;
      if (rows.join() !== shown.slice(0, rows.length).join()) throw new Error(`not the same: ${rows}`);
      return shown;
    },
  };
};

const aiderdesk: Load = (module, place) => {
  const Extension = module.default as { new (): Record<string, Handler>; readonly metadata?: unknown };
  const extension = new Extension();
  const context = {
    getTaskContext: () => ({ data: { id: "task-1" }, getTaskDir: () => place }),
    getProjectContext: () => {
      throw new Error("Project context not available");
    },
  };
  let count = 0;
  const offer = async ({ tool, input }: Offer) => {
    const event = { toolCallId: `call_${++count}`, toolName: tool, agentProfile: {}, input };
    // What a handler throws is logged, and the tool runs.
    const result = await extension.onToolCalled!(event, context) as { output?: unknown } | undefined;
    if (result === undefined) return { runs: true, told: "" };
    if (typeof result.output !== "string") {
      throw new Error(`the client would run it after ${JSON.stringify(result)}`);
    }
    return { runs: false, told: result.output };
  };
  const finish = async (toolName: string, texts: readonly string[]) => {
    const output = texts.length === 1 ? texts[0] : { content: partsOf(texts) };
    const event = { toolCallId: `call_${count}`, toolName, agentProfile: {}, input: {}, output };
    const result = await extension.onToolFinished!(event, context) as { output?: unknown } | undefined;
    // The client keeps the tool's own where an extension gives nothing.
    const shown = result?.output || output;
    return typeof shown === "string" ? [shown] : textsOf((shown as { content: Part[] }).content);
  };
  return Promise.resolve({ offer, finish });
};

const amp: Load = async (module, place) => {
  const handlers = new Map<string, Handler>();
  await (module.default as Handler)({
    on: (event: string, handler: Handler) => handlers.set(event, handler),
    system: { workspaceRoot: new URL(`file://${place}`) },
    helpers: { filePathFromURI: (uri: URL) => decodeURIComponent(uri.pathname) },
  });
  let count = 0;
  const offer = async ({ tool, input }: Offer) => {
    const event = { tool, input, toolUseID: `toolu_${++count}`, thread: { id: "T-1" } };
    const result = await handlers.get("tool.call")!(event, {}) as
      | { action?: string; message?: string }
      | undefined;
    // The client's own answer where no plugin listens.
    if (result?.action === "allow") return { runs: true, told: "" };
    if (result?.action !== "reject-and-continue") {
      throw new Error(`the client would run it: ${JSON.stringify(result)}`);
    }
    return { runs: false, told: result.message ?? "" };
  };
  const finish = async (tool: string, texts: readonly string[]) => {
    const output = texts.length === 1 ? texts[0] : partsOf(texts);
    const event = {
      tool,
      input: {},
      toolUseID: `toolu_${count}`,
      thread: { id: "T-1" },
      status: "done",
      output,
    };
    const result = await handlers.get("tool.result")!(event, {}) as
      | { status: string; output: string | Part[] }
      | undefined;
    if (result !== undefined && result.status !== "done") throw new Error(`a status of ${result.status}`);
    const shown = result?.output ?? output;
    return typeof shown === "string" ? [shown] : textsOf(shown as Part[]);
  };
  return { offer, finish };
};

const openclaw: Load = (module, place) => {
  const plugin = module.default as { readonly id: string; register(api: unknown): void };
  const handlers = new Map<string, Handler>();
  let middleware: Handler | undefined;
  const config = { agents: { defaults: { workspace: place } } };
  // The client registers a plugin several times, and starts nothing then.
  for (const registrationMode of ["full", "discovery", "discovery"]) {
    plugin.register({
      registrationMode,
      config,
      on: (event: string, handler: Handler) => handlers.set(event, handler),
      registerAgentToolResultMiddleware: (
        handler: Handler,
        options: { readonly runtimes: readonly string[] },
      ) => {
        if (!options.runtimes.includes("openclaw")) throw new Error("not for this runtime");
        middleware = handler;
        if (registrationMode !== "full") throw new Error("a version that takes none");
      },
    });
  }
  let count = 0;
  const offer = async ({ tool, input }: Offer) => {
    const event = { toolName: tool, params: input, runId: "r", toolCallId: `call_${++count}` };
    const context = { agentId: "main", sessionId: "s-1", sessionKey: "agent:main:s" };
    const result = await handlers.get("before_tool_call")!(event, context) as
      | { block?: unknown; blockReason?: string }
      | undefined;
    if (result === undefined) return { runs: true, told: "" };
    if (result.block !== true) throw new Error(`the client would run it after ${JSON.stringify(result)}`);
    return { runs: false, told: result.blockReason ?? "" };
  };
  const finish = async (toolName: string, texts: readonly string[]) => {
    const given = { content: partsOf(texts), details: { exitCode: 0 } };
    const event = { toolCallId: `call_${count}`, toolName, args: {}, isError: false, result: given };
    const context = { runtime: "openclaw", agentId: "main", sessionId: "s-1" };
    const said = await middleware!(event, context) as { result: typeof given } | undefined;
    const { content, details } = said?.result ?? given;
    if (details.exitCode !== 0) throw new Error("what else the result has is gone");
    return textsOf(content);
  };
  return Promise.resolve({ offer, finish });
};

/** By host id. */
export const pluginHosts: Readonly<Record<string, Load>> = {
  opencode,
  kilo: opencode,
  pi,
  openclaw,
  aiderdesk,
  amp,
};
