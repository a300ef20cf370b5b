/**
 * Measures `guard scan` over a large repository that is made for it, and compares it with secretlint on the same tree.
 *
 *   deno task bench:scan [--files N] [--secretlint [COMMAND]] [--batch N] [--keep DIRECTORY]
 *
 * Needs bash, xargs and git, and what `deno task compile` needs. With --secretlint, secretlint is fetched by npx, or the
 * command is run: an executable of secretlint beside which its recommended preset is installed. What secretlint does
 * grows with the square of the number of files of one process, so it is given batches, as many at once as there are
 * processors. Fails when guard is less than five times faster, or misses a planted secret.
 */
import { parseArgs } from "node:util";
import { compileGuard } from "./compile.ts";
import { checkVersion, root } from "./deno.ts";
import { makeScanTree, type Tree } from "./scan_tree.ts";

/** The version that is compared with. */
const secretlint = "12.0.0";
const preset = "@secretlint/secretlint-rule-preset-recommend";
/** How many times faster guard has to be, in CPU time and in time that passes. */
const least = 5;

interface Measured {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly stdout: string;
}

/** Runs a line of bash in a directory. @throws Error when it cannot be run at all */
async function measure(script: string, args: readonly string[], cwd: string): Promise<Measured> {
  const { stdout, stderr } = await new Deno.Command("bash", {
    args: ["-c", `TIMEFORMAT='%3R %3U %3S'; time { ${script}; }`, "measure", ...args],
    cwd,
    env: { LC_ALL: "C", TZ: "UTC" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  const said = new TextDecoder().decode(stderr).trimEnd();
  const times = /(\d+\.\d+) (\d+\.\d+) (\d+\.\d+)$/.exec(said);
  if (times === null) throw new Error(`expected times, found: ${said.slice(-500)}`);
  const [seconds, user, system] = times.slice(1).map(Number);
  return { seconds: seconds!, cpuSeconds: user! + system!, stdout: new TextDecoder().decode(stdout) };
}

/** Largest resident memory of a run in megabytes; undefined where the system does not tell. */
async function peakMemory(command: readonly string[], cwd: string): Promise<number | undefined> {
  const child = new Deno.Command(command[0]!, {
    args: command.slice(1),
    cwd,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  let peak: number | undefined;
  const timer = setInterval(() => {
    try {
      const kilobytes = /VmHWM:\s+(\d+)/.exec(Deno.readTextFileSync(`/proc/${child.pid}/status`))?.[1];
      if (kilobytes !== undefined) peak = Number(kilobytes) / 1024;
    } catch {
      // No such file on this system, or the process has ended.
    }
  }, 20);
  await child.status;
  clearInterval(timer);
  return peak;
}

/** `path:line` of what was found. */
function placesOf(output: string, pattern: RegExp, folder: string): Set<string> {
  return new Set(
    [...output.matchAll(pattern)].map(([, path, line]) => `${path!.replace(`${folder}/`, "")}:${line}`),
  );
}

function missing(tree: Tree, paths: ReadonlySet<string>): readonly string[] {
  return tree.planted.filter(({ ignored, path }) => !ignored && !paths.has(path)).map(({ path, kind }) =>
    `${path} (${kind})`
  );
}

if (import.meta.main) {
  checkVersion();
  const { values, positionals } = parseArgs({
    args: Deno.args,
    allowPositionals: true,
    options: {
      files: { type: "string", default: "100000" },
      batch: { type: "string", default: "200" },
      secretlint: { type: "boolean" },
      keep: { type: "string" },
    },
  });
  const folder = values.keep ?? await Deno.makeTempDir({ prefix: "guard-bench-" });
  let failed = false;
  try {
    const count = Number(values.files);
    // A smaller tree is a smaller one in all: the large files would be most of it otherwise.
    const tree = makeScanTree(folder, { files: count, large: count / 100_000 });
    console.log(
      `${tree.files} files, ${(tree.bytes / 1e6).toFixed(0)} MB, ${tree.planted.length} planted secrets`,
    );
    await new Deno.Command("git", { args: ["init", "-q"], cwd: folder }).output();
    const guard = Deno.env.get("GUARD_BINARY") ?? await compileGuard(`${root}/dist/bench/guard`);
    const peak = await peakMemory([guard, "scan", "--json"], folder);
    const own = await measure('"$1" scan --json', [guard], folder);
    const { files, leaks }: { files: number; leaks: { path: string; line: number; kind: string }[] } = JSON
      .parse(own.stdout);
    console.log(
      `guard: ${own.seconds.toFixed(1)} s, ${own.cpuSeconds.toFixed(1)} s of CPU time, ` +
        `${
          peak === undefined ? "unknown memory" : `${peak.toFixed(0)} MB at most`
        }; ${leaks.length} secrets in ${files} files`,
    );
    const lost = missing(tree, new Set(leaks.map(({ path }) => path)));
    if (lost.length > 0) {
      failed = true;
      console.log(`guard missed:\n  ${lost.join("\n  ")}`);
    }
    if (values.secretlint) {
      const rules = `${folder}/.git/secretlintrc.json`;
      await Deno.writeTextFile(rules, JSON.stringify({ rules: [{ id: preset }] }));
      const command = positionals.length > 0
        ? positionals
        : ["npx", "-y", "-p", `secretlint@${secretlint}`, "-p", `${preset}@${secretlint}`, "secretlint"];
      const processors = String(navigator.hardwareConcurrency);
      const other = await measure(
        "rules=$1 batch=$2 processors=$3; shift 3; git ls-files -z --others --cached --exclude-standard | " +
          'xargs -0 -n "$batch" -P "$processors" "$@" --format unix --no-glob --secretlintrc "$rules"',
        [rules, values.batch, processors, ...command],
        folder,
      );
      const theirs = placesOf(other.stdout, /^(\/[^:\n]+):(\d+):\d+:/gm, await Deno.realPath(folder));
      console.log(
        `secretlint: ${other.seconds.toFixed(1)} s, ${other.cpuSeconds.toFixed(1)} s of CPU time; ` +
          `${theirs.size} places`,
      );
      const [time, cpu] = [other.seconds / own.seconds, other.cpuSeconds / own.cpuSeconds];
      const slow = time < least || cpu < least;
      failed ||= slow;
      console.log(
        `${slow ? "over" : "ok  "} guard is ${time.toFixed(1)} times faster, and takes ` +
          `${cpu.toFixed(1)} times less CPU time (at least ${least})`,
      );
      const ours = new Set(leaks.map(({ path, line }) => `${path}:${line}`));
      const kindAt = new Map(leaks.map(({ path, line, kind }) => [`${path}:${line}`, kind]));
      const onlyTheirs = [...theirs].filter((place) => !ours.has(place));
      const onlyOurs = [...ours].filter((place) => !theirs.has(place)).map((place) => kindAt.get(place)!);
      console.log(`found by secretlint alone: ${onlyTheirs.length}`);
      for (const place of onlyTheirs) console.log(`  ${place}`);
      const counts = Object.entries(Object.groupBy(onlyOurs, (kind) => kind));
      console.log(
        `found by guard alone: ${onlyOurs.length}` +
          counts.map(([kind, all]) => `\n  ${kind}: ${all!.length}`).join(""),
      );
    }
  } finally {
    if (values.keep === undefined) await Deno.remove(folder, { recursive: true });
  }
  Deno.exit(failed ? 1 : 0);
}
