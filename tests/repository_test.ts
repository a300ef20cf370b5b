/** What must hold for the repository as a whole. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import config from "../deno.json" with { type: "json" };
import { targets } from "../tools/compile.ts";
import { generators } from "../tools/generate.ts";
import { fill, templates } from "../tools/release.ts";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");
const read = (path: string) => Deno.readTextFileSync(`${root}/${path}`);
const pinned = read(".dvmrc").trim();
const tasks: Readonly<Record<string, string>> = config.tasks;

/** Paths of all committed and about-to-be-committed files. */
function tracked(): string[] {
  const { code, stdout } = new Deno.Command("git", {
    args: ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    cwd: root,
  }).outputSync();
  assert.equal(code, 0, "git ls-files failed: run the tests in a clone");
  return new TextDecoder().decode(stdout).split("\0").filter((path) => {
    // A file that is deleted but not yet committed as such is listed too.
    if (path === "") return false;
    try {
      return Deno.lstatSync(`${root}/${path}`).isFile;
    } catch {
      return false;
    }
  });
}

/** Lines of fenced blocks in a Markdown text that begin with a command of this project. */
function commands(markdown: string): string[] {
  const found: string[] = [];
  for (const [, block] of markdown.matchAll(/^```(?:sh|bash|console|shell|text)?\n([\s\S]*?)^```/gm)) {
    for (const line of block!.split("\n")) {
      const command = line.trim().replace(/^\$ /, "");
      if (/^(?:guard|deno task|npx -y deno@\S+ task) /.test(command)) found.push(command);
    }
  }
  return found;
}

/** Names of guard's commands: the files of src/cli that register one, and the hook. */
function guardCommands(): Set<string> {
  const names = new Set(["hook", "help", "--help", "--version"]);
  for (const entry of Deno.readDirSync(`${root}/src/cli`)) {
    if (!entry.isFile || !entry.name.endsWith(".ts") || entry.name.endsWith("_test.ts")) continue;
    const text = read(`src/cli/${entry.name}`);
    if (!/export (?:async )?function register\b/.test(text)) continue;
    for (const [, name] of text.matchAll(/\.command\(\s*["'`]([\w-]+)/g)) names.add(name!);
  }
  return names;
}

function checkCommand(command: string, where: string): void {
  const words = command.split(/\s+/);
  let rest = words;
  if (words[0] !== "guard") {
    if (words[0] === "npx") assert.equal(words[2], `deno@${pinned}`, `${where}: ${command}`);
    const task = words[words[0] === "npx" ? 4 : 2]!;
    assert.ok(task in tasks, `${where}: there is no task ${task}: ${command}`);
    if (task !== "guard") return;
    rest = words.slice(words[0] === "npx" ? 4 : 2);
  }
  const name = rest[1];
  if (name === undefined) return;
  assert.ok(guardCommands().has(name), `${where}: guard has no command ${name}: ${command}`);
}

// Pieces, so that this file does not match itself.
const forbidden = [
  { pattern: new RegExp("registry\\." + "npmjs"), what: "a package registry's host" },
  { pattern: new RegExp("/" + "work/(?:main|shared)"), what: "a path of one machine" },
  { pattern: new RegExp("/tmp/" + "lead"), what: "a path of one machine" },
  { pattern: new RegExp("/home/(?:runner|ubuntu)/"), what: "a path of one machine" },
];

Deno.test("no file names paths of one machine or hosts of package registries", () => {
  const problems: string[] = [];
  for (const path of tracked()) {
    const text = read(path);
    for (const [index, line] of text.split("\n").entries()) {
      for (const { pattern, what } of forbidden) {
        if (pattern.test(line)) problems.push(`${path}:${index + 1}: ${what}`);
      }
    }
  }
  assert.deepEqual(problems, []);
});

Deno.test("Deno's version stands in .dvmrc and is the same wherever else it is named", () => {
  assert.match(pinned, /^\d+\.\d+\.\d+$/);
  for (const path of tracked()) {
    for (const [name, version] of read(path).matchAll(/\bdeno@(\d[\w.-]*)/g)) {
      assert.equal(version, pinned, `${path} names ${name}`);
    }
  }
});

Deno.test("the commands of the documentation exist", () => {
  const documents = tracked().filter((path) => path.endsWith(".md"));
  for (const path of documents) for (const command of commands(read(path))) checkCommand(command, path);
  const readme = commands(read("README.md"));
  assert.ok(readme.includes(`npx -y deno@${pinned} task demo`), "the README shows the main job from source");
  assert.ok(readme.includes(`npx -y deno@${pinned} task test`), "the README shows how to run the tests");
});

Deno.test("the checks of commands find wrong ones", () => {
  const text = "```sh\nguard nosuch\nnpx -y deno" + "@0.0.1 task test\ndeno task nosuch\nls\n```\n";
  const found = commands(text);
  assert.equal(found.length, 3);
  for (const command of found) assert.throws(() => checkCommand(command, "here"), assert.AssertionError);
});

Deno.test("tasks run files that exist, and what they call are tasks", () => {
  for (const [name, command] of Object.entries(tasks)) {
    for (const [path] of command.matchAll(/[\w/]+\.ts\b/g)) {
      assert.ok(Deno.statSync(`${root}/${path}`).isFile, `${name} runs ${path}`);
    }
    for (const [, task] of command.matchAll(/deno task (\S+)/g)) {
      assert.ok(task! in tasks, `${name} calls ${task}`);
    }
  }
});

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly "timeout-minutes": number;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

for (const name of ["ci.yml", "fuzz.yml", "release.yml"]) {
  Deno.test(`the workflow ${name} is well-formed, pins what it uses and calls tasks that exist`, () => {
    const workflow: Workflow = parse(read(`.github/workflows/${name}`));
    assert.deepEqual(workflow.permissions, { contents: "read" }, "the default permission is to read");
    for (const job of Object.values(workflow.jobs)) {
      assert.ok(job["timeout-minutes"] > 0);
      const deno = job.steps.find((step) => step.uses?.startsWith("denoland/setup-deno@"));
      assert.equal(deno?.with?.["deno-version-file"], ".dvmrc");
      assert.equal(deno?.with?.["deno-version"], undefined);
      for (const step of job.steps) {
        if (step.uses !== undefined) assert.match(step.uses, /^[\w-]+\/[\w-]+@(?:v\d+|[0-9a-f]{40})$/);
        for (const [, task] of (step.run ?? "").matchAll(/deno task (\S+)/g)) assert.ok(task! in tasks, task);
        assert.doesNotMatch(step.run ?? "", /\$\{\{/, "expressions reach scripts through env only");
      }
    }
  });
}

Deno.test("every test with random inputs is searched from other seeds at night", () => {
  const workflow: Workflow = parse(read(".github/workflows/fuzz.yml"));
  const command = workflow.jobs.search!.steps.map((step) => step.run ?? "").find((run) =>
    run.includes("deno task test")
  )!;
  const places = command.split(/\s+/).slice(4);
  const random = tracked().filter((path) =>
    path.endsWith("_test.ts") && /from "(?:fast-check|\.\/fuzz\.ts)"/.test(read(path)) &&
    path !== "tests/seed_test.ts"
  );
  assert.ok(random.length > 20);
  assert.deepEqual(random.filter((path) => !places.some((one) => `${path}/`.startsWith(`${one}/`))), []);
});

Deno.test("CI's script is a script, and nothing else knows what lies beside the checkout", () => {
  const script = read(".ci/run");
  assert.match(script, /^#!\/usr\/bin\/env bash\n/);
  for (const [, task] of script.matchAll(/"\$\{deno\[@\]\}" task (\S+)/g)) assert.ok(task! in tasks, task);
  for (const path of tracked()) {
    if (path !== ".ci/run" && path !== "tests/repository_test.ts") {
      assert.doesNotMatch(read(path), /\.\.\/shared\/(?:tools|cases|clients|hosts|design)\b/, path);
    }
  }
});

Deno.test("generated files have a generator, and `deno task check` runs it", () => {
  const names = generators();
  assert.ok(names.includes("tools/generate_registry_adapters.ts"), names.join(", "));
});

Deno.test("the release's files are filled in completely", () => {
  const assets = Object.values(targets);
  const checksums = Object.fromEntries(assets.map((asset, index) => [asset, String(index).repeat(64)]));
  const facts = { repository: "https://forge.example/guard", tag: "v1.2.3", version: "1.2.3", checksums };
  for (const name of templates) {
    const text = fill(read(`installers/${name}`), facts);
    assert.ok(text.includes("https://forge.example/guard/releases/download/v1.2.3"), name);
    assert.doesNotMatch(text, /@(?:BASE_URL|VERSION|REPOSITORY|SHA256)/, name);
  }
  const scoop: { version: string; architecture: { "64bit": { url: string; hash: string } } } = JSON.parse(
    fill(read("installers/guard.json"), facts),
  );
  assert.equal(scoop.version, "1.2.3");
  assert.equal(scoop.architecture["64bit"].hash, checksums["guard-windows-x64.exe"]);
  const formula = fill(read("installers/guard.rb"), facts);
  for (const asset of assets.filter((asset) => !asset.includes("windows"))) {
    assert.ok(formula.includes(`/${asset}"`) && formula.includes(checksums[asset]!), asset);
  }
  assert.throws(() => fill("@SHA256:nothing@", facts), /no checksum of nothing/);
});
