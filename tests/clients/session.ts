/** One session of a real client with a scripted model, in a world of its own. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import pins from "./clients.json" with { type: "json" };
import type { ClientHost, Place } from "./hosts.ts";
import { startModel, type ToolCall } from "./model.ts";

/** Longest that a session may take, in milliseconds. */
const limit = 120_000;

const folder = Deno.env.get("GUARD_CLIENTS");
const executable = Deno.env.get("GUARD_BINARY");

const installedAt = (id: string) => {
  const pin = Object.entries(pins.clients).find(([name]) => name === id)?.[1];
  return pin === undefined || folder === undefined ? undefined : `${folder}/${id}/${pin.executable}`;
};

/** Why this client cannot be driven here; undefined when it can. */
export function obstacle(id: string): string | undefined {
  if (Deno.build.os === "windows") return "the sessions are written for POSIX systems";
  if (!executable) return "guard is not compiled (GUARD_BINARY)";
  const client = installedAt(id);
  if (client === undefined) return "no clients (run: deno task clients)";
  try {
    Deno.statSync(client);
    return undefined;
  } catch {
    return `${client} is missing (run: deno task clients)`;
  }
}

export interface Outcome {
  /** Tool results as the model heard them, in the order of the script. */
  readonly heard: readonly string[];
  /** Number of times that the model was asked to go on. */
  readonly requests: number;
  /** What the client printed, for messages of failing tests. */
  readonly output: string;
}

export interface Session {
  readonly place: Place;
  /** Runs guard itself; throws when it does not end with 0. */
  guard(args: readonly string[]): Promise<void>;
  /** Starts the client, lets the model ask for these calls, waits until it has ended. Throws when it takes too long. */
  run(calls: readonly ToolCall[]): Promise<Outcome>;
}

/** Everything but loopback is refused at once, should a client try. */
const offline = {
  HTTP_PROXY: "http://127.0.0.1:9",
  HTTPS_PROXY: "http://127.0.0.1:9",
  http_proxy: "http://127.0.0.1:9",
  https_proxy: "http://127.0.0.1:9",
  NO_PROXY: "127.0.0.1,localhost",
  no_proxy: "127.0.0.1,localhost",
};

async function write(path: string, content: string): Promise<void> {
  await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  await Deno.writeTextFile(path, content);
}

/** Runs a program to its end in an empty environment but for `env`; its whole process group is ended when time is up. */
function run(command: string, args: readonly string[], cwd: string, env: Record<string, string>) {
  return new Promise<{ code: number | null; output: string; late: boolean }>((resolve, reject) => {
    const child = spawn(command, [...args], { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      if (child.pid !== undefined) Deno.kill(-child.pid, "SIGKILL");
    }, limit);
    child.stdout.on("data", (chunk) => output += chunk);
    child.stderr.on("data", (chunk) => output += chunk);
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, output, late });
    });
  });
}

async function repository(work: string, env: Record<string, string>): Promise<void> {
  const git = async (...args: string[]) => {
    const { code, output } = await run("git", args, work, env);
    if (code !== 0) throw new Error(`git ${args.join(" ")} ended with ${code}: ${output}`);
  };
  await git("init", "--quiet");
  await git("config", "user.name", "Tester");
  await git("config", "user.email", "tester@example.invalid");
  await write(`${work}/notes.txt`, "committed\n");
  await write(`${work}/draft.txt`, "first draft\n");
  await git("add", ".");
  await git("commit", "--quiet", "--message", "Begin");
  await write(`${work}/notes.txt`, "edited, not committed\n");
  await write(`${work}/deploy/id_ed25519`, "not really a key, but swordfish\n");
  await write(`${work}/.windsurf/hooks.json`, '{ "hooks": {} }\n');
}

/** Makes the world (home, repository, a copy of guard), hands it over, and removes it afterwards. */
export async function withSession(host: ClientHost, use: (session: Session) => Promise<void>): Promise<void> {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: `session-${host.id}-` }));
  const place: Place = {
    home: `${base}/home`,
    work: `${base}/work`,
    guard: `${base}/bin/guard`,
    toolServer: [
      ...[Deno.execPath(), "run", "--no-config", "--quiet", "--allow-write"],
      ...[fileURLToPath(new URL("tool_server.ts", import.meta.url)), `${base}/tool-calls`],
    ],
  };
  const env: Record<string, string> = {
    PATH: `${folder}/node/${pins.node.executable.replace(/\/node$/, "")}:/usr/local/bin:/usr/bin:/bin`,
    HOME: place.home,
    TERM: "dumb",
    NO_COLOR: "1",
    DENO_NO_UPDATE_CHECK: "1",
    ...offline,
  };
  try {
    for (const path of [place.home, place.work, `${base}/bin`]) await Deno.mkdir(path);
    await Deno.copyFile(executable!, place.guard);
    await Deno.writeTextFile(`${base}/tool-calls`, "");
    await write(`${place.home}/.ssh/id_ed25519`, "not really a key\n");
    await write(`${place.home}/made-for-a-test`, "");
    await repository(place.work, env);
    await use({
      place,
      guard: async (args) => {
        const { code, output } = await run(place.guard, args, place.work, env);
        if (code !== 0) throw new Error(`guard ${args.join(" ")} ended with ${code}: ${output}`);
      },
      run: async (calls) => {
        const model = startModel(calls);
        try {
          for (const [path, content] of Object.entries(host.files(place, model.port))) {
            const file = `${place.home}/${path}`;
            // What guard installed must stay: only files that do not carry the hook are written anew, for the new port.
            const exists = await Deno.stat(file).then(() => true, () => false);
            if (path !== host.configuration || !exists) await write(file, content);
          }
          const args = host.arguments(place);
          const clientEnv = { ...env, ...host.environment(model.port) };
          const ended = await run(installedAt(host.id)!, args, place.work, clientEnv);
          if (ended.late) {
            throw new Error(`${host.id} took more than ${limit} ms: ${ended.output.slice(-2000)}`);
          }
          return { heard: [...model.heard], requests: model.requests, output: ended.output };
        } finally {
          await model.close();
        }
      },
    });
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

/** Writes the files that a client has before guard is installed. */
export async function prepare(host: ClientHost, place: Place): Promise<void> {
  for (const [path, content] of Object.entries(host.files(place, 9))) {
    await write(`${place.home}/${path}`, content);
  }
}
