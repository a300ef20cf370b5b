/**
 * Runs the tests and closes with one line: `N passed, N failed, N skipped`.
 *
 *   deno task test [--coverage] [--source-only] [FILE OR FOLDER …]
 *   deno task test:clients [HOST …]
 *
 * Compiles the executable first, so that the black-box tests also run against it; where that is impossible
 * (no runtime to embed into) they are skipped, printed and counted. With --coverage the share of lines run is checked too.
 */
import { parseArgs } from "node:util";
import { clientsFolder } from "./clients.ts";
import { compileGuard } from "./compile.ts";
import { coverageOf, threshold } from "./coverage.ts";
import { checkVersion, deno, root } from "./deno.ts";
import { files } from "./files.ts";
import { generate } from "./generate.ts";
import { type Case, parseJunit } from "./junit.ts";
import { follow } from "./test_output.ts";

/** Longest that all tests together may take, in milliseconds; a hanging test must not hang the caller. */
const limit = 25 * 60_000;

/** What was last found in the real clients, by host. */
const verifiedFile = `${root}/adapters/verified.json`;

const isTest = (path: string) => /_test\.ts$/.test(path);

/**
 * Tests that measure time run after the others, one by one, and are not looked at for coverage: an inspected program
 * takes many times as long for what it throws.
 */
const isTimed = (path: string) => /_time_test\.ts$/.test(path);

/** The executable for the black-box tests, or undefined with a printed reason where none can be made here. */
async function executable(): Promise<string | undefined> {
  try {
    return await compileGuard(`${root}/dist/guard`);
  } catch (error) {
    // With a runtime at hand, or when already the bundle fails, this is a defect and not a lack of this machine.
    const message = error instanceof Error ? error.message : String(error);
    if (Deno.env.get("DENORT_BIN") || !message.startsWith("deno compile")) throw error;
    console.log(`note: not compiled here (${message}); set DENORT_BIN to a runtime on disk.`);
    return undefined;
  }
}

/** Adds what the tests of clients found to the file about all hosts. */
async function keepFindings(folder: string): Promise<void> {
  const found = [...Deno.readDirSync(folder)].map(({ name }) => name).toSorted();
  const all: Record<string, unknown> = JSON.parse(await Deno.readTextFile(verifiedFile));
  for (const name of found) {
    all[name.replace(/\.json$/, "")] = JSON.parse(await Deno.readTextFile(`${folder}/${name}`));
  }
  const sorted = Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => a < b ? -1 : 1));
  await Deno.writeTextFile(verifiedFile, `${JSON.stringify(sorted, null, 2)}\n`);
  console.log(`${found.length} clients passed all of their tests: adapters/verified.json, docs/hosts.md`);
  if ((await generate(false)).length > 0) throw new Error("deno task generate failed");
}

/** The tests of these clients, of all when none is named. */
function clientPlaces(hosts: readonly string[]): string[] {
  return hosts.length === 0 ? ["tests/clients"] : hosts.map((host) => `tests/clients/hosts/${host}_test.ts`);
}

async function runTests(names: readonly string[], env: Record<string, string>, args: readonly string[]) {
  const report = await Deno.makeTempFile({ prefix: "guard-tests-", suffix: ".xml" });
  try {
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        "test",
        "-A",
        "--frozen",
        "--preload=./tests/seed.ts",
        "--reporter=pretty",
        `--junit-path=${report}`,
        ...args,
        ...names,
      ],
      cwd: root,
      env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", ...env },
      stdin: "null",
      stdout: "piped",
    }).spawn();
    const timer = setTimeout(() => {
      console.log(`the tests took more than ${limit / 60_000} minutes and were ended`);
      child.kill("SIGKILL");
    }, limit);
    const [seen, { code }] = await Promise.all([follow(child.stdout), child.status]);
    clearTimeout(timer);
    return { code, seen, xml: await Deno.readTextFile(report) };
  } finally {
    await Deno.remove(report).catch(() => {});
  }
}

/** Failures that no test case tells of: a file that could not be loaded, a runner that crashed, no test at all. */
function silentFailures(
  names: readonly string[],
  { code, seen }: { readonly code: number; readonly seen: ReadonlySet<string> },
  cases: readonly Case[],
): string[] {
  const silent = names.filter((name) => !seen.has(name)).map((name) => `${name} ran no test`);
  if (!cases.some((test) => test.outcome === "passed")) silent.push("no test passed");
  const failed = cases.some((test) => test.outcome === "failed");
  if (code !== 0 && !failed && silent.length === 0) {
    silent.push(`the test runner ended with exit code ${code}`);
  }
  return silent;
}

async function checkCoverage(folder: string): Promise<string | undefined> {
  const lcov = `${folder}/lcov.info`;
  const code = await deno(["coverage", "--quiet", "--lcov", `--output=${lcov}`, folder], { quiet: true });
  if (code !== 0) return `deno coverage failed with exit code ${code}`;
  const { lines, hit, worst } = coverageOf(await Deno.readTextFile(lcov), root);
  const share = lines === 0 ? 0 : hit / lines;
  console.log(`coverage: ${(share * 100).toFixed(1)} % of ${lines} lines in src, rules and adapters`);
  for (const { file, missed } of worst.slice(0, 5)) console.log(`  ${file}: ${missed} lines not run`);
  if (share >= threshold) return undefined;
  return `coverage is below ${threshold * 100} %`;
}

if (import.meta.main) {
  checkVersion();
  const { values, positionals } = parseArgs({
    args: Deno.args,
    allowPositionals: true,
    options: {
      coverage: { type: "boolean" },
      "source-only": { type: "boolean" },
      clients: { type: "boolean" },
    },
  });
  const places = values.clients
    ? clientPlaces(positionals)
    : positionals.map((place) => place.replaceAll("\\", "/").replace(/^\.\//, "").replace(/\/$/, ""));
  const names = places.length === 0
    ? files("", isTest)
    : places.flatMap((place) => isTest(place) ? [place] : files(place, isTest));
  const problems: string[] = [];
  const env: Record<string, string> = {};

  const coverage = values.coverage ? `${root}/coverage` : undefined;
  if (coverage !== undefined) await Deno.remove(coverage, { recursive: true }).catch(() => {});
  if (!values["source-only"]) {
    try {
      const binary = await executable();
      if (binary !== undefined) env.GUARD_BINARY = binary;
    } catch (error) {
      problems.push(`the executable could not be made: ${error instanceof Error ? error.message : error}`);
    }
    env.GUARD_CLIENTS = clientsFolder();
  }

  const findings = values.clients ? await Deno.makeTempDir({ prefix: "guard-clients-" }) : undefined;
  if (findings !== undefined) env.GUARD_CLIENT_RESULTS = findings;
  const cases: Case[] = [];
  const parts: readonly (readonly [names: readonly string[], args: readonly string[]])[] = [
    [
      names.filter((name) => !isTimed(name)),
      ["--parallel", ...(coverage === undefined ? [] : [`--coverage=${coverage}`])],
    ],
    [names.filter(isTimed), []],
  ];
  for (const [some, args] of parts) {
    if (some.length === 0 && names.length > 0) continue;
    try {
      const { xml, ...run } = await runTests(some, env, args);
      const found = parseJunit(xml);
      cases.push(...found);
      problems.push(...silentFailures(some, run, found));
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
    // Without names all tests would run again.
    if (names.length === 0) break;
  }
  if (findings !== undefined) {
    await keepFindings(findings);
    await Deno.remove(findings, { recursive: true });
  }
  if (coverage !== undefined) {
    const problem = await checkCoverage(coverage);
    if (problem !== undefined) problems.push(problem);
  }

  const of = (outcome: Case["outcome"]) => cases.filter((test) => test.outcome === outcome);
  for (const test of of("skipped")) console.log(`skipped: ${test.file}: ${test.name}`);
  for (const test of of("failed")) console.log(`failed: ${test.file}: ${test.name}`);
  for (const problem of problems) console.log(`failed: ${problem}`);
  const failed = of("failed").length + problems.length;
  console.log(`${of("passed").length} passed, ${failed} failed, ${of("skipped").length} skipped`);
  Deno.exit(failed === 0 ? 0 : 1);
}
