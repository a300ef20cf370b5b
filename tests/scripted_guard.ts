/**
 * A stand-in for guard with a fault, for the tests of the plugins:
 * `deno run -A scripted_guard.ts FAULT FOLDER serve|hook …`. Every start leaves a file in FOLDER.
 */

const [fault = "", folder = "", mode = "", ...options] = Deno.args;
const encoder = new TextEncoder();
Deno.writeTextFileSync(`${folder}/${mode}-${crypto.randomUUID()}`, JSON.stringify(options));

const none = JSON.stringify({ decision: "none" });

function say(text: string): void {
  const bytes = encoder.encode(text);
  for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
}

function die(): never {
  Deno.kill(Deno.pid, "SIGKILL");
  while (true) { /* Until it arrives. */ }
}

const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A denial that names the command, so that an answer which belongs to another call shows. */
function denial(payload: { readonly tool_input?: { readonly command?: string } }): string {
  return JSON.stringify({ decision: "deny", reason: `not ${payload.tool_input?.command}` });
}

async function hook(): Promise<void> {
  const text = await new Response(Deno.stdin.readable).text();
  switch (fault) {
    case "serve-missing":
      return say(denial(JSON.parse(text)));
    case "serve-missing-allow":
    case "serve-silent":
    case "serve-other-protocol":
    case "serve-garbled":
      return say(none);
    case "hook-hangs":
      await later(60_000);
      return;
    case "hook-crashes":
      say(none);
      Deno.exit(1);
      break;
    case "hook-empty":
      return;
    case "hook-garbled":
      return say("{");
    case "hook-floods":
      while (true) say("x".repeat(65_536));
  }
  die();
}

async function serve(): Promise<void> {
  switch (fault) {
    case "serve-missing":
    case "serve-missing-allow":
    case "hook-hangs":
    case "hook-crashes":
    case "hook-empty":
    case "hook-garbled":
    case "hook-floods":
      Deno.exit(64);
      break;
    case "serve-silent":
      await later(60_000);
      break;
    case "serve-other-protocol":
      say('{"guard":"9.0.0","protocol":9}\n');
      break;
    case "serve-garbled":
      say("usage: guard\n");
      break;
    case "slow-start":
      await later(300);
  }
  say('{"guard":"0.1.0","protocol":1}\n');
  const held: (() => void)[] = [];
  let text = "";
  for await (const part of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
    text += part;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
      const line = text.slice(0, end);
      text = text.slice(end + 1);
      answer(JSON.parse(line), held);
    }
  }
}

function answer(
  request: {
    readonly id: string;
    readonly payload: Parameters<typeof denial>[0] & { readonly tool_response?: string[] };
  },
  held: (() => void)[],
) {
  const { id, payload } = request;
  const reply = (stdout: string, exitCode = 0, to: unknown = id) =>
    say(`${JSON.stringify({ id: to, reply: { stdout, stderr: "", exitCode } })}\n`);
  switch (fault) {
    case "allows":
    case "slow-start":
      return reply(none);
    case "asks":
      return reply(JSON.stringify({ decision: "ask", reason: "really?" }));
    case "denies":
      return reply(denial(payload));
    case "cleans": {
      const texts: string[] = payload.tool_response ?? [];
      const result = texts.map((text) => text.replaceAll("secret", "[redacted]"));
      return reply(JSON.stringify({ decision: "none", note: "taken out", result }));
    }
    case "cleans-half":
      return reply(JSON.stringify({ decision: "none", result: [] }));
    case "cleans-to-numbers":
      return reply(JSON.stringify({ decision: "none", result: (payload.tool_response ?? []).map(() => 1) }));
    case "denies-late":
      // The last one first.
      held.push(() => reply(denial(payload)));
      if (held.length === 8) { for (const one of held.toReversed()) one(); }
      return;
    case "dies":
      return die();
    case "ends":
      return Deno.exit(0);
    case "dies-after-answer":
      reply(none);
      return die();
    case "hangs":
      return;
    case "says-nothing-clear":
      return reply("");
    case "says-yes":
      return reply(JSON.stringify({ decision: true }));
    case "allows-and-fails":
      return reply(none, 1);
    case "answers-another":
      return reply(none, 0, "77");
    case "answers-nobody":
      return reply(none, 0, null);
    case "answers-garbled":
      return say("none\n");
    case "answers-without-reply":
      return say(`${JSON.stringify({ id, decision: "none", stdout: none, exitCode: 0 })}\n`);
    case "floods":
      return say("x".repeat(2_000_000));
    default:
      return say(`${JSON.stringify({ id, error: fault })}\n`);
  }
}

await (mode === "serve" ? serve() : hook());
