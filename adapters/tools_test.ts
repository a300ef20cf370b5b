import assert from "node:assert/strict";
import { PayloadError } from "../src/errors.ts";
import { toolActions } from "./tools.ts";

Deno.test("a command is judged in every directory that its input names", () => {
  const input = {
    cmd: "make clean",
    working_directory: "out",
    workdir: "/srv/site",
    directory: "",
    cwd: null,
  };
  assert.deepEqual(toolActions("exec_command", input, { cwd: "/srv" }), [
    { kind: "shell", command: "make clean", dialect: "posix", cwd: "/srv/out" },
    { kind: "shell", command: "make clean", dialect: "posix", cwd: "/srv/site" },
  ]);
  assert.deepEqual(toolActions("Bash", { command: "make" }, { cwd: "/srv" }), [
    { kind: "shell", command: "make", dialect: "posix" },
  ]);
  assert.throws(() => toolActions("Bash", { command: "make", workdir: ["/srv"] }), PayloadError);
});

Deno.test("a command with a NUL is refused, in one string or in words", () => {
  for (const command of ["ls\0", ["ls", "-l\0"]]) {
    assert.throws(() => toolActions("Bash", { command }), PayloadError);
  }
});

Deno.test("a search reads every directory that its input names", () => {
  const actions = toolActions("grep_search", { pattern: "x", path: "src", dir_path: "/srv/keys" });
  assert.deepEqual(actions, [
    { kind: "file", operation: "read", path: "src" },
    { kind: "file", operation: "read", path: "/srv/keys" },
  ]);
  assert.equal(toolActions("Grep", { pattern: "x" })[0]?.kind, "unknown");
});

Deno.test("a search that shows what is in the files its glob names reads them", () => {
  const paths = (tool: string, input: Record<string, unknown>) =>
    toolActions(tool, { pattern: ".", ...input }).flatMap((one) => one.kind === "file" ? [one.path] : []);
  assert.deepEqual(paths("Grep", { glob: ".env", output_mode: "content" }), [".env"]);
  assert.deepEqual(paths("Grep", { glob: "**/.env*", output_mode: "content", path: "app" }), [
    "app",
    "app/.env",
  ]);
  assert.deepEqual(paths("Grep", { glob: "{.npmrc,*.ts}", output_mode: "content" }), [".npmrc"]);
  assert.deepEqual(paths("search_file_content", { include: ["id_rsa"] }), ["id_rsa"]);
  assert.deepEqual(paths("Grep", { glob: ".env" }), []);
  assert.deepEqual(paths("Grep", { glob: ".env", output_mode: "count" }), []);
  assert.deepEqual(paths("Grep", { glob: "*.ts", output_mode: "content" }), []);
  assert.deepEqual(paths("Grep", { glob: 5, output_mode: "content" }), []);
});

Deno.test("an address beside a prompt does not hide the ones inside it", () => {
  const input = { url: "https://example.com/", prompt: "Compare with http://10.0.0.7/admin." };
  assert.deepEqual(toolActions("web_fetch", input), [
    { kind: "fetch", url: "https://example.com/" },
    { kind: "fetch", url: "http://10.0.0.7/admin" },
  ]);
});

Deno.test("a look at the output of a running program does nothing; what is typed into it is judged as a command", () => {
  for (
    const input of [{ session_id: 7 }, { session_id: 7, chars: "", yield_time_ms: 1000 }, {
      session_id: 7,
      chars: null,
    }]
  ) {
    assert.deepEqual(toolActions("write_stdin", input), []);
  }
  assert.deepEqual(
    toolActions("write_stdin", { session_id: 7, chars: "make clean\n" }, { unobservedInput: true }),
    [
      { kind: "shell", command: "make clean\n", dialect: "posix", unobservedInput: true },
    ],
  );
  assert.throws(() => toolActions("write_stdin", { session_id: 7, chars: 3 }), PayloadError);
  assert.throws(() => toolActions("write_stdin", { session_id: 7, chars: "a\0b" }), PayloadError);
});

Deno.test("changes that name files of their own are about those files", () => {
  const replacements = [
    { filePath: "/srv/a.ts", oldString: "a", newString: "b" },
    { filePath: "/srv/b.ts", oldString: "c", newString: "d" },
  ];
  assert.deepEqual(toolActions("multi_edit", { explanation: "x", replacements }), [
    { kind: "file", operation: "edit", path: "/srv/a.ts", content: "b", previous: "a" },
    { kind: "file", operation: "edit", path: "/srv/b.ts", content: "d", previous: "c" },
  ]);
  assert.deepEqual(
    toolActions("read_files", { files: ["a", { path: "b", start_line: 1 }] }, {
      tools: { readfiles: "read" },
    }),
    [
      { kind: "file", operation: "read", path: "a" },
      { kind: "file", operation: "read", path: "b" },
    ],
  );
  assert.throws(() => toolActions("edit", { edits: [{ old_string: "a", new_string: "b" }] }), PayloadError);
  assert.throws(() => toolActions("edit", { files: [{ name: "a" }] }), PayloadError);
});

Deno.test("numbered texts of a change count", () => {
  const input = { path: "a", old_str_1: "a", new_str_1: "b", old_str_2: "c", new_str_2: "d" };
  assert.deepEqual(toolActions("edit", input), [
    { kind: "file", operation: "edit", path: "a", content: "b\nd", previous: "a\nc" },
  ]);
});

Deno.test("an editor does what its command says", () => {
  const operation = (command?: string) =>
    toolActions("str_replace_editor", { ...(command === undefined ? {} : { command }), path: "a" })[0];
  assert.deepEqual(operation("view"), { kind: "file", operation: "read", path: "a" });
  assert.deepEqual(operation("create"), { kind: "file", operation: "write", path: "a" });
  for (const command of ["str_replace", "insert", "undo_edit", undefined]) {
    assert.deepEqual(operation(command), { kind: "file", operation: "edit", path: "a" });
  }
});

Deno.test("a host's own tools come before the shared ones", () => {
  const options = { tools: { view: "shell" } as const };
  assert.equal(toolActions("view", { command: "ls" }, options)[0]?.kind, "shell");
});
