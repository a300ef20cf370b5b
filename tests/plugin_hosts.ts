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

/** A module's exports, loaded into the host; the function offers a call. */
export type Load = (
  module: Record<string, unknown>,
  place: string,
) => Promise<(offer: Offer) => Promise<Taken>>;

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
  return ({ tool, input }) =>
    byThrowing(() =>
      hooks["tool.execute.before"]!({ tool, sessionID: "ses_1", callID: `call_${++count}` }, { args: input })
    );
};

const pi: Load = async (module, place) => {
  const handlers = new Map<string, Handler>();
  await (module.default as Handler)({
    on: (event: string, handler: Handler) => handlers.set(event, handler),
  });
  await handlers.get("session_start")?.({ type: "session_start" }, {});
  let count = 0;
  return async ({ tool, input, person }) => {
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
  return Promise.resolve(async ({ tool, input }) => {
    const event = { toolCallId: `call_${++count}`, toolName: tool, agentProfile: {}, input };
    // What a handler throws is logged, and the tool runs.
    const result = await extension.onToolCalled!(event, context) as { output?: unknown } | undefined;
    if (result === undefined) return { runs: true, told: "" };
    if (typeof result.output !== "string") {
      throw new Error(`the client would run it after ${JSON.stringify(result)}`);
    }
    return { runs: false, told: result.output };
  });
};

const amp: Load = async (module, place) => {
  const handlers = new Map<string, Handler>();
  await (module.default as Handler)({
    on: (event: string, handler: Handler) => handlers.set(event, handler),
    system: { workspaceRoot: new URL(`file://${place}`) },
    helpers: { filePathFromURI: (uri: URL) => decodeURIComponent(uri.pathname) },
  });
  let count = 0;
  return async ({ tool, input }) => {
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
};

const openclaw: Load = (module, place) => {
  const plugin = module.default as { readonly id: string; register(api: unknown): void };
  const handlers = new Map<string, Handler>();
  const config = { agents: { defaults: { workspace: place } } };
  // The client registers a plugin several times, and starts nothing then.
  for (const registrationMode of ["full", "discovery", "discovery"]) {
    plugin.register({
      registrationMode,
      config,
      on: (event: string, handler: Handler) => handlers.set(event, handler),
    });
  }
  let count = 0;
  return Promise.resolve(async ({ tool, input }) => {
    const event = { toolName: tool, params: input, runId: "r", toolCallId: `call_${++count}` };
    const context = { agentId: "main", sessionId: "s-1", sessionKey: "agent:main:s" };
    const result = await handlers.get("before_tool_call")!(event, context) as
      | { block?: unknown; blockReason?: string }
      | undefined;
    if (result === undefined) return { runs: true, told: "" };
    if (result.block !== true) throw new Error(`the client would run it after ${JSON.stringify(result)}`);
    return { runs: false, told: result.blockReason ?? "" };
  });
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
