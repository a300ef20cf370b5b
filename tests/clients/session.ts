/** One session of a real client with a scripted model, in a world of its own. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Client, Place } from "./client.ts";
import { executableOf, nodeFolder, obstacle } from "./installed.ts";
import { type Model, type Script, startModel } from "./model/model.ts";

/** Longest that a session may take, in milliseconds, where the client says nothing else. */
const usual = 240_000;

/** What the person asks for where a test does not say. */
const agreed = "Please do what was agreed.";

const folder = Deno.env.get("GUARD_CLIENTS");
const executable = Deno.env.get("GUARD_BINARY");

/** Why this client cannot be driven here; undefined when it can. */
export function obstacleHere(client: Client): string | undefined {
  return obstacle(client, { folder, executable });
}

export interface Outcome {
  /** Tool results as the model heard them, in the order of the script. */
  readonly heard: readonly string[];
  /** The same of the subagent. */
  readonly subagentHeard: readonly string[];
  /** Number of times that the model was asked to go on. */
  readonly requests: number;
  /** What the client printed, for messages of failing tests. */
  readonly output: string;
  /** What the client asked the model's server. */
  readonly log: Model["log"];
}

export interface Session {
  readonly place: Place;
  /** Runs guard itself and gives back what it printed; throws when it does not end with 0. */
  guard(args: readonly string[]): Promise<string>;
  /** Starts the client, lets the model follow the script, waits until it has ended. Throws when it takes too long. */
  run(script: Script, prompt?: string): Promise<Outcome>;
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

/** Ends what a program started and left behind. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) Deno.kill(-pid, "SIGKILL");
  } catch {
    // Nothing is left of it.
  }
}

/** Runs a program to its end in an empty environment but for `env`; its whole process group is ended when time is up. */
function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
  limit = usual,
) {
  return new Promise<{ code: number | null; output: string; late: boolean }>((resolve, reject) => {
    const child = spawn(command, [...args], { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      endGroup(child.pid);
    }, limit);
    child.stdout.on("data", (chunk) => output += chunk);
    child.stderr.on("data", (chunk) => output += chunk);
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      endGroup(child.pid);
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

/** Makes the world (home with the client's settings, repository, a copy of guard, the model), hands it over, and removes it afterwards. */
export async function withSession(client: Client, use: (session: Session) => Promise<void>): Promise<void> {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: `session-${client.id}-` }));
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
    PATH: `${nodeFolder(folder!)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: place.home,
    TERM: "dumb",
    NO_COLOR: "1",
    DENO_NO_UPDATE_CHECK: "1",
    ...offline,
  };
  const model = startModel();
  try {
    for (const path of [place.home, place.work, `${base}/bin`]) await Deno.mkdir(path);
    await Deno.copyFile(executable!, place.guard);
    await Deno.writeTextFile(`${base}/tool-calls`, "");
    await write(`${place.home}/.ssh/id_ed25519`, "not really a key\n");
    await write(`${place.home}/made-for-a-test`, "");
    await repository(place.work, env);
    for (const [path, content] of Object.entries(client.files(place, model.port))) {
      await write(`${place.home}/${path}`, content);
    }
    await use({
      place,
      guard: async (args) => {
        const { code, output } = await run(place.guard, args, place.work, env);
        if (code !== 0) throw new Error(`guard ${args.join(" ")} ended with ${code}: ${output}`);
        return output;
      },
      run: async (script, prompt = agreed) => {
        model.follow(script);
        const program = executableOf(folder!, client.id, client.install);
        const args = client.arguments(place, prompt);
        const clientEnv = { ...env, ...client.environment(model.port, place) };
        const limit = client.longest ?? usual;
        const ended = await run(program, args, place.work, clientEnv, limit);
        if (ended.late) {
          throw new Error(`${client.id} took more than ${limit} ms: ${ended.output.slice(-2000)}`);
        }
        return {
          heard: model.heard,
          subagentHeard: model.subagentHeard,
          requests: model.requests,
          output: ended.output,
          log: model.log,
        };
      },
    });
  } finally {
    await model.close();
    await Deno.remove(base, { recursive: true });
  }
}
