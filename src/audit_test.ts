import assert from "node:assert/strict";
import fc from "fast-check";
import { join } from "node:path";
import { appendAudit, auditFiles, auditLine, auditPath, parseAudit } from "./audit.ts";
import type { AuditRecord } from "./types.ts";

function record(subject: string, extra: Partial<AuditRecord> = {}): AuditRecord {
  return {
    time: "2026-01-02T03:04:05.678Z",
    version: "0.0.0",
    host: "claude",
    event: "pre_tool",
    nativeEvent: "PreToolUse",
    subject,
    decision: "none",
    answered: "none",
    enforced: true,
    rules: [],
    milliseconds: 1,
    ...extra,
  };
}

async function withState(run: (state: string) => Promise<void> | void): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "guard-audit-" });
  try {
    await run(join(root, "state"));
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

const posixOnly = { ignore: Deno.build.os === "windows" };

Deno.test(
  "appendAudit creates the directory and the log for the user alone",
  posixOnly,
  () =>
    withState((state) => {
      assert.equal(appendAudit(state, record("git status")), undefined);
      assert.equal((Deno.statSync(state).mode ?? 0) & 0o777, 0o700);
      assert.equal((Deno.statSync(auditPath(state)).mode ?? 0) & 0o777, 0o600);
      const { records, torn } = parseAudit(Deno.readTextFileSync(auditPath(state)));
      assert.equal(torn, 0);
      assert.deepEqual(records, [record("git status")]);
    }),
);

Deno.test("appendAudit neither follows a link nor waits for a FIFO", posixOnly, () =>
  withState((state) => {
    Deno.mkdirSync(state, { recursive: true });
    const elsewhere = join(state, "elsewhere");
    Deno.writeTextFileSync(elsewhere, "kept");
    Deno.symlinkSync(elsewhere, auditPath(state));
    assert.match(appendAudit(state, record("x")) ?? "", /symbolic link/);
    assert.equal(Deno.readTextFileSync(elsewhere), "kept");
    Deno.removeSync(auditPath(state));
    assert.ok(new Deno.Command("mkfifo", { args: [auditPath(state)] }).outputSync().success);
    assert.match(appendAudit(state, record("x")) ?? "", /not a regular file/);
    Deno.removeSync(auditPath(state));
    Deno.mkdirSync(auditPath(state));
    assert.match(appendAudit(state, record("x")) ?? "", /not a regular file/);
  }));

Deno.test("a FIFO with a reader is refused too", posixOnly, () =>
  withState(async (state) => {
    Deno.mkdirSync(state, { recursive: true });
    assert.ok(new Deno.Command("mkfifo", { args: [auditPath(state)] }).outputSync().success);
    const shell = new Deno.Command("sh", { args: ["-c", `exec 3<>"$0"; exec sleep 5`, auditPath(state)] });
    const child = shell.spawn();
    try {
      await new Promise((resolve) => setTimeout(resolve, 200));
      assert.match(appendAudit(state, record("x")) ?? "", /not a regular file/);
    } finally {
      child.kill("SIGKILL");
      await child.status;
    }
  }));

Deno.test("a line stays bounded and redacted whatever the record holds", () => {
  const huge = [
    "x".repeat(200_000),
    "\u0000".repeat(200_000),
    "漢".repeat(50_000),
    "\ud800".repeat(50_000),
    "a ".repeat(100_000),
  ];
  for (const subject of huge) {
    const line = auditLine(
      record(subject, { cwd: subject, failure: subject, tool: subject, session: subject }),
    );
    assert.ok(new TextEncoder().encode(line).length <= 16 * 1024, `${line.length}`);
    assert.equal(line.indexOf("\n"), line.length - 1);
    assert.ok(JSON.parse(line).subject.length > 100);
  }
  const secret = "hunter2-hunter2-hunter2";
  for (const padding of [0, 5990, 10_000, 16_080, 16_090]) {
    const line = auditLine(record(`${"y".repeat(padding)} --password ${secret} ${"z".repeat(40_000)}`));
    assert.ok(!line.includes(secret.slice(0, 6)), `secret after ${padding} characters`);
  }
});

Deno.test("a generated secret never survives in a line", () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9]{16,40}$/);
  const name = fc.constantFrom(
    "password=",
    "--token ",
    '"api_key":"',
    "Authorization: Bearer ",
    "https://me:",
  );
  fc.assert(fc.property(secret, name, fc.nat(20_000), fc.nat(20_000), (value, lead, before, after) => {
    const end = lead.startsWith("https") ? "@example.com" : lead.startsWith('"') ? '"' : "";
    const text = `${"w ".repeat(before / 2)}${lead}${value}${end} ${"v".repeat(after)}`;
    const line = auditLine(record(text, { failure: text, cwd: text }));
    assert.ok(!line.includes(value) && !line.includes(value.slice(0, 12)), line.slice(0, 300));
  }));
});

Deno.test("readers skip torn lines and keep the record behind one", () => {
  const good = auditLine(record("a"));
  const other = auditLine(record("b"));
  const parsed = parseAudit(good + good.slice(0, 40) + other + "noise\n" + "[1]\n" + good);
  assert.deepEqual(parsed.records.map((r) => r.subject), ["a", "b", "a"]);
  assert.equal(parsed.torn, 3);
});

Deno.test("rotation keeps every line and removes the oldest files by size", () =>
  withState((state) => {
    for (let i = 0; i < 200; i++) {
      assert.equal(appendAudit(state, record(`n${i}`), { rotateAt: 2000, keep: 1e9 }), undefined);
    }
    const files = auditFiles(state);
    assert.ok(files.length > 10);
    const subjects = files.flatMap((file) => {
      try {
        return parseAudit(Deno.readTextFileSync(file)).records.map((r) => r.subject);
      } catch {
        return [];
      }
    });
    assert.deepEqual(subjects.sort(), Array.from({ length: 200 }, (_, i) => `n${i}`).sort());
    for (let i = 0; i < 50; i++) appendAudit(state, record("later"), { rotateAt: 2000, keep: 5000 });
    assert.ok(auditFiles(state).length <= 4);
  }));

/** Runs processes that append at the same time; returns all lines found afterwards. */
async function together(
  state: string,
  processes: number,
  records: number,
  length: number,
  rotateAt: number,
): Promise<{ subjects: string[]; torn: number }> {
  const audit = import.meta.resolve("./audit.ts");
  const script = join(state, "..", "append.ts");
  await Deno.writeTextFile(
    script,
    `import { appendAudit } from ${JSON.stringify(audit)};
const [state, id, records, length, rotateAt] = Deno.args;
for (let i = 0; i < Number(records); i++) {
  const problem = appendAudit(state, { time: "t", version: "0", host: "claude", event: "pre_tool",
    nativeEvent: "PreToolUse", subject: id + "." + i + " " + "s".repeat(Number(length)), decision: "none",
    answered: "none", enforced: true, rules: [], milliseconds: 0 }, { rotateAt: Number(rotateAt), keep: 1e12 });
  if (problem) throw new Error(problem);
}`,
  );
  const run = async (id: number): Promise<void> => {
    const args = ["run", "-A", "--no-lock", script, state, `${id}`, `${records}`, `${length}`, `${rotateAt}`];
    const output = await new Deno.Command(Deno.execPath(), { args, stderr: "piped" }).output();
    assert.ok(output.success, new TextDecoder().decode(output.stderr));
  };
  await Promise.all(Array.from({ length: processes }, (_, id) => run(id)));
  let torn = 0;
  const subjects: string[] = [];
  for (const file of auditFiles(state)) {
    let text = "";
    try {
      text = Deno.readTextFileSync(file);
    } catch {
      continue;
    }
    const parsed = parseAudit(text);
    torn += parsed.torn;
    subjects.push(...parsed.records.map((r) => r.subject.split(" ")[0] ?? ""));
  }
  return { subjects, torn };
}

Deno.test("fifty processes lose no line, even while the log rotates", () =>
  withState(async (state) => {
    Deno.mkdirSync(state, { recursive: true });
    const { subjects, torn } = await together(state, 50, 20, 100, 20_000);
    assert.equal(torn, 0);
    assert.equal(new Set(subjects).size, 1000);
    assert.equal(subjects.length, 1000);
    assert.ok(auditFiles(state).length > 5);
  }));

Deno.test("twenty processes with large subjects leave lines that parse", () =>
  withState(async (state) => {
    Deno.mkdirSync(state, { recursive: true });
    const { subjects, torn } = await together(state, 20, 5, 200_000, 1e12);
    assert.equal(torn, 0);
    assert.equal(new Set(subjects).size, 100);
  }));

Deno.test("a line holds nothing that a terminal acts on, and reads back as it was", () => {
  const subject = "a\n\r\x1b[2J\x7f\x9b2J\u202e\u2028\u200b\ufeffé漢";
  const line = auditLine(record(subject));
  assert.match(line, /^[ -~é漢]*\n$/);
  assert.equal(parseAudit(line).records[0]?.subject, subject);
});

Deno.test("a line whose fields have other types is no record, whoever wrote it", () => {
  const lies = [
    { session: { toString: 1 } },
    { failure: 5 },
    { decision: "constructor" },
    { answered: "\u001b[2Jnone" },
    { answered: {} },
    { event: [] },
    { nativeEvent: 1 },
    { callId: {} },
    { cwd: 0 },
    { notes: "x" },
    { notes: [{}] },
    { rules: [null] },
  ];
  for (const lie of lies) {
    const { records, torn } = parseAudit(
      `${JSON.stringify({ ...record("x"), ...lie })}\n${auditLine(record("kept"))}`,
    );
    assert.deepEqual([records.map(({ subject }) => subject), torn], [["kept"], 1], JSON.stringify(lie));
  }
});
