/**
 * A small MCP server on stdio with one tool, `run`, that appends the text it is given to the file named by the first argument, so that
 * a test can see whether a call arrived. Needs no package. https://modelcontextprotocol.io/specification
 */
const [record] = Deno.args;

interface Request {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string; readonly arguments?: { readonly command?: string } };
}

const tool = {
  name: "run",
  description: "Keeps a note of a command.",
  inputSchema: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
};

function result(request: Request): unknown {
  switch (request.method) {
    case "initialize":
      return {
        protocolVersion: request.params?.protocolVersion ?? "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "probe", version: "1.0.0" },
      };
    case "tools/list":
      return { tools: [tool] };
    case "tools/call":
      Deno.writeTextFileSync(record!, `${request.params?.arguments?.command ?? ""}\n`, { append: true });
      return { content: [{ type: "text", text: "noted" }] };
    default:
      return {};
  }
}

let rest = "";
for await (const chunk of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    if (line.trim() === "") continue;
    const request: Request = JSON.parse(line);
    if (request.id === undefined) continue;
    console.log(JSON.stringify({ jsonrpc: "2.0", id: request.id, result: result(request) }));
  }
}
