/** What guard says and asks on a terminal; the terminal is made by `script` of util-linux. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { environment, makePlace, type Place, runGuard, type Target, targets } from "./hook_process.ts";

const terminal = await new Deno.Command("script", { args: ["--version"], stdout: "null", stderr: "null" })
  .output().then(({ success }) => success, () => false);

/** Runs guard on a terminal and types `keys` once `prompt` is on the screen. */
async function typed(
  target: Target,
  place: Place,
  args: readonly string[],
  { prompt, keys }: { readonly prompt: string; readonly keys: string },
): Promise<{ readonly code: number; readonly screen: string }> {
  const words = [target.command, ...target.args, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  const child = new Deno.Command("script", {
    args: ["--quiet", "--return", "--command", `stty cols 100 rows 40; exec ${words.join(" ")}`, "/dev/null"],
    cwd: place.project,
    clearEnv: true,
    env: { ...environment(place), TERM: "xterm", NO_COLOR: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  let screen = "";
  let answered = false;
  for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
    screen += piece;
    if (answered || !screen.includes(prompt)) continue;
    answered = true;
    for (const key of keys) {
      await writer.write(new TextEncoder().encode(key));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  await writer.close().catch(() => {/* It has ended. */});
  await child.stderr.cancel();
  const { code } = await child.status;
  return { code, screen };
}

for (const target of targets()) {
  const test = (name: string, work: (place: Place) => Promise<void>) =>
    Deno.test({
      name: `${target.name}: ${name}`,
      ignore: !terminal,
      fn: async () => {
        const place = makePlace();
        try {
          await work(place);
        } finally {
          place.remove();
        }
      },
    });

  test("a scan says how far it is, takes that away again, and says nothing of it when told so", async (place) => {
    const large = join(place.project, "large0.txt");
    Deno.writeTextFileSync(large, "a line without anything\n".repeat(400_000));
    for (let index = 1; index < 12; index++) {
      Deno.linkSync(large, join(place.project, `large${index}.txt`));
    }
    const end = "No secrets in 12 texts.\r\n";
    const shown = await typed(target, place, ["scan"], { prompt: "never", keys: "" });
    assert.equal(shown.code, 0, shown.screen);
    assert.match(shown.screen, /\d+ texts?, \d+ MB, 0 secrets/);
    assert.ok(shown.screen.endsWith(`\r\x1b[K${end}`), JSON.stringify(shown.screen.slice(-200)));
    const quiet = await typed(target, place, ["scan", "--no-progress"], { prompt: "never", keys: "" });
    assert.ok(quiet.screen.endsWith(end) && !quiet.screen.includes(" MB"), JSON.stringify(quiet.screen));
  });

  const settings = (place: Place) => join(place.home, ".claude", "settings.json");
  const prepare = (place: Place) => {
    Deno.mkdirSync(join(place.home, ".claude"));
    Deno.writeTextFileSync(settings(place), "{}\n");
    Deno.mkdirSync(join(place.home, ".gemini"));
  };
  const question = { prompt: "Install guard into" };

  test("install without options shows the hosts, asks, and installs into those that are chosen", async (place) => {
    prepare(place);
    // Down and space take the second host out again.
    const { code, screen } = await typed(target, place, ["install"], { ...question, keys: "j \r" });
    assert.equal(code, 0, screen);
    assert.match(screen, /Claude Code \(user\): would be installed in /);
    assert.match(screen, /Gemini CLI \(user\): would be installed in /);
    assert.match(Deno.readTextFileSync(settings(place)), /hook --host claude/);
    assert.throws(() => Deno.statSync(join(place.home, ".gemini", "settings.json")), Deno.errors.NotFound);
    const again = await typed(target, place, ["install"], { ...question, keys: "\u0003" });
    assert.match(again.screen, /Claude Code \(user\): already installed/);
    assert.match(again.screen, /Nothing was changed/);
    assert.equal(again.code, 0);
  });

  test("leaving the question changes nothing", async (place) => {
    prepare(place);
    const { code, screen } = await typed(target, place, ["install"], { ...question, keys: "\u0003" });
    assert.equal(code, 0, screen);
    assert.match(screen, /Nothing was changed/);
    assert.equal(Deno.readTextFileSync(settings(place)), "{}\n");
  });

  test("doctor --fix shows what it would restore, asks, and restores what is chosen", async (place) => {
    prepare(place);
    await runGuard(target, place, ["install", "--host", "claude", "gemini"]);
    const gemini = join(place.home, ".gemini", "settings.json");
    for (const path of [settings(place), gemini]) Deno.writeTextFileSync(path, "{}\n");
    const restore = { prompt: "Restore guard in" };
    const left = await typed(target, place, ["doctor", "--fix"], { ...restore, keys: "\u0003" });
    assert.match(left.screen, /Claude Code \(user\): would be installed in [\s\S]*Nothing was changed/);
    assert.equal(Deno.readTextFileSync(settings(place)), "{}\n");
    const { screen } = await typed(target, place, ["doctor", "--fix"], { ...restore, keys: "j \r" });
    assert.match(screen, /Claude Code \(user\): installed in /);
    assert.match(Deno.readTextFileSync(settings(place)), /hook --host claude/);
    assert.equal(Deno.readTextFileSync(gemini), "{}\n");
  });

  test("status tells of what is protected, what is not, and what was stopped", async (place) => {
    prepare(place);
    const bare = await runGuard(target, place, ["status"]);
    assert.equal(bare.code, 1);
    assert.match(bare.stdout, /! Claude Code {2}not protected/);
    assert.match(bare.stdout, /Protect what is here: guard install --all/);
    await runGuard(target, place, ["install", "--all"]);
    const payload = {
      session_id: "s",
      cwd: place.project,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "rm -rf ~" },
    };
    await runGuard(target, place, ["hook", "--host", "claude"], { stdin: JSON.stringify(payload) });
    const protectedNow = await runGuard(target, place, ["status"]);
    assert.equal(protectedNow.code, 0, protectedNow.stdout);
    assert.match(protectedNow.stdout, /guard \S+: enforcing, level standard/);
    assert.match(
      protectedNow.stdout,
      /✓ Claude Code {2}protected \(user\) {2}last called just now; 1 call in 24 hours, 1 denied/,
    );
    assert.match(protectedNow.stdout, /✓ Gemini CLI {3}protected \(user\) {2}never called/);
    const json = JSON.parse((await runGuard(target, place, ["status", "--json"])).stdout) as {
      ok: boolean;
      hosts: { host: string; state: string; activity?: { lastDay: unknown } }[];
    };
    assert.equal(json.ok, true);
    const claude = json.hosts.find(({ host }) => host === "claude");
    assert.deepEqual(claude?.activity?.lastDay, { calls: 1, denied: 1, asked: 0 });
    assert.equal(json.hosts.find(({ host }) => host === "cursor")?.state, "absent");

    Deno.writeTextFileSync(settings(place), '{ "disableAllHooks": true }\n');
    const gone = await runGuard(target, place, ["status"]);
    assert.equal(gone.code, 1);
    assert.match(gone.stdout, /✗ Claude Code {2}has problems/);
    assert.match(gone.stdout.replace(/\s+/g, " "), /The entry of guard for .* has been removed or changed/);
  });
}
