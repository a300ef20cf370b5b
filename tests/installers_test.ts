import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { targets } from "../tools/compile.ts";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");
const script = `${root}/installers/install.sh`;
const windows = Deno.build.os === "windows";

/** A stand-in for the released executable: it starts, and says its version as guard does. */
const program =
  "#!/bin/sh\ncase $1 in --version) echo 9.9.9 ;; *) printf 'version  9.9.9\\nruntime  x\\n' ;; esac\n";

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

interface World {
  /** What the release's server holds, by file name. */
  readonly files: Record<string, Response>;
  readonly base: string;
  readonly folder: string;
  /** Directory that is first on PATH. */
  readonly bin: string;
}

interface Result {
  readonly code: number;
  readonly output: string;
}

/** Serves a release on loopback and hands over a temporary folder. */
async function withRelease(use: (world: World) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "release-" });
  const files: Record<string, Response> = {};
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const name = new URL(request.url).pathname.slice(1);
    return files[name]?.clone() ?? new Response("not here", { status: 404 });
  });
  try {
    await Deno.mkdir(`${folder}/bin`);
    await use({ files, base: `http://127.0.0.1:${server.addr.port}`, folder, bin: `${folder}/bin` });
  } finally {
    await server.shutdown();
    await Deno.remove(folder, { recursive: true });
  }
}

function publish(world: World, asset = "guard-linux-x64", text = program): void {
  world.files[asset] = new Response(text);
  world.files.SHA256SUMS = new Response(`${"0".repeat(64)}  other\n${sha256(text)}  ${asset}\n`);
}

async function stub(world: World, name: string, text: string): Promise<void> {
  await Deno.writeTextFile(`${world.bin}/${name}`, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}

/** The platform that `uname` tells, so that the test is the same everywhere. */
async function platform(world: World, system: string, machine: string): Promise<void> {
  await stub(world, "uname", `case $1 in -s) echo ${system} ;; -m) echo ${machine} ;; esac`);
}

async function install(world: World, env: Record<string, string> = {}, shell = "sh"): Promise<Result> {
  const child = new Deno.Command(shell, {
    args: [script],
    clearEnv: true,
    env: {
      PATH: `${world.bin}:/usr/local/bin:/usr/bin:/bin`,
      HOME: `${world.folder}/home`,
      GUARD_BASE_URL: world.base,
      ...env,
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
  const { code, stdout, stderr } = await child.output();
  return { code, output: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}

function names(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map((entry) => entry.name).toSorted();
  } catch {
    return [];
  }
}

function test(name: string, run: (world: World) => Promise<void>, ignore = false): void {
  Deno.test({
    name: `install.sh ${name}`,
    ignore: windows || ignore,
    fn: () =>
      withRelease(async (world) => {
        await platform(world, "Linux", "x86_64");
        await run(world);
      }),
  });
}

const exists = (path: string) => {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
};

for (const shell of ["sh", "dash", "bash", "busybox"]) {
  const path = [`/bin/${shell}`, `/usr/bin/${shell}`].find(exists);
  test(`puts the executable in place and says the next step (${shell})`, async (world) => {
    publish(world);
    let command = path!;
    if (shell === "busybox") {
      await Deno.writeTextFile(`${world.folder}/ash`, `#!/bin/sh\nexec ${path} ash "$@"\n`, { mode: 0o755 });
      command = `${world.folder}/ash`;
    }
    const { code, output } = await install(world, {}, command);
    assert.equal(code, 0, output);
    const place = `${world.folder}/home/.local/bin`;
    assert.deepEqual(names(place), ["guard"]);
    assert.equal(await Deno.readTextFile(`${place}/guard`), program);
    assert.equal((await Deno.stat(`${place}/guard`)).mode! & 0o777, 0o755);
    assert.match(output, /installed guard 9\.9\.9 as /);
    assert.ok(output.includes(`export PATH="${place}:$PATH"`), output);
    assert.ok(output.includes(`${place}/guard install --all`), output);
  }, path === undefined);
}

for (
  const [system, machine, asset] of [
    ["Linux", "x86_64", "guard-linux-x64"],
    ["Linux", "aarch64", "guard-linux-arm64"],
    ["Darwin", "x86_64", "guard-macos-x64"],
    ["Darwin", "arm64", "guard-macos-arm64"],
  ] as const
) {
  test(`takes ${asset} on ${system} ${machine}`, async (world) => {
    await platform(world, system, machine);
    publish(world, asset);
    const { code, output } = await install(world);
    assert.equal(code, 0, output);
    assert.ok(Object.values(targets).includes(asset), "the release makes no such asset");
  });
}

for (const program of ["sha256sum", "shasum", "openssl"]) {
  const path = ["/bin", "/usr/bin", "/usr/local/bin"].map((folder) => `${folder}/${program}`).find(exists);
  test(`verifies the checksum with ${program}`, async (world) => {
    // A PATH with just what the script needs, and one of the three.
    const needed = ["sh", "mkdir", "mktemp", "rm", "mv", "chmod", "cut", "sed", "awk", "curl"];
    for (const name of [...needed, program]) {
      const found = ["/bin", "/usr/bin", "/usr/local/bin"].map((folder) => `${folder}/${name}`).find(exists);
      assert.ok(found !== undefined, `${name} is not here`);
      await Deno.symlink(await Deno.realPath(found), `${world.bin}/${name}`).catch(async () => {
        await stub(world, name, `exec ${found} "$@"`);
      });
    }
    // awk, shasum and the like are scripts or links that look at the name they are called by.
    for (const name of ["awk", "shasum"]) {
      if (!exists(`${world.bin}/${name}`)) continue;
      await Deno.remove(`${world.bin}/${name}`);
      await stub(world, name, `PATH=/usr/bin:/bin exec ${name} "$@"`);
    }
    publish(world);
    const good = await install(world, { PATH: world.bin }, "/bin/sh");
    assert.equal(good.code, 0, good.output);
    world.files.SHA256SUMS = new Response(`${"a".repeat(64)}  guard-linux-x64\n`);
    const bad = await install(world, { PATH: world.bin }, "/bin/sh");
    assert.equal(bad.code, 1, bad.output);
    assert.match(bad.output, /the checksum of guard-linux-x64 differs/);
  }, path === undefined);
}

async function refused(world: World, expected: RegExp, env: Record<string, string> = {}): Promise<void> {
  const place = env.GUARD_INSTALL_DIR ?? `${world.folder}/home/.local/bin`;
  const before = names(place);
  const { code, output } = await install(world, env);
  assert.equal(code, 1, output);
  assert.match(output, expected);
  assert.match(output, /guard was not installed/);
  assert.deepEqual(names(place), before, "something was left behind");
}

test("refuses an executable whose checksum differs", async (world) => {
  publish(world);
  world.files["guard-linux-x64"] = new Response(program + "# changed\n");
  await refused(world, /the checksum of guard-linux-x64 differs: expected [0-9a-f]{64}, got [0-9a-f]{64}/);
});

test("keeps the installed executable when the new one is refused", async (world) => {
  const place = `${world.folder}/home/.local/bin`;
  publish(world);
  assert.equal((await install(world)).code, 0);
  world.files["guard-linux-x64"] = new Response("#!/bin/sh\necho evil\n");
  assert.equal((await install(world)).code, 1);
  assert.equal(await Deno.readTextFile(`${place}/guard`), program);
});

test("replaces an installed executable", async (world) => {
  publish(world);
  assert.equal((await install(world)).code, 0);
  const next = "#!/bin/sh\necho 'guard 10.0.0'\n";
  publish(world, "guard-linux-x64", next);
  assert.equal((await install(world)).code, 0);
  assert.equal(await Deno.readTextFile(`${world.folder}/home/.local/bin/guard`), next);
});

test("refuses a download that was cut short", async (world) => {
  publish(world, "guard-linux-x64", program + "# ".repeat(500));
  world.files["guard-linux-x64"] = new Response((program + "# ".repeat(500)).slice(0, 400));
  await refused(world, /the checksum of guard-linux-x64 differs/);
});

test("refuses an empty download", async (world) => {
  publish(world);
  world.files["guard-linux-x64"] = new Response("");
  await refused(world, /the checksum of guard-linux-x64 differs/);
});

test("says which file of the release is missing", async (world) => {
  publish(world);
  delete world.files["guard-linux-x64"];
  await refused(world, /guard-linux-x64 could not be downloaded/);
  delete world.files.SHA256SUMS;
  await refused(world, /SHA256SUMS could not be downloaded/);
});

test("refuses a release whose checksums do not name the file", async (world) => {
  publish(world);
  world.files.SHA256SUMS = new Response(`${sha256(program)}  guard-linux-x64.old\n`);
  await refused(world, /SHA256SUMS has no line for guard-linux-x64/);
});

test("refuses an executable that does not start", async (world) => {
  publish(world, "guard-linux-x64", "#!/bin/sh\nexit 1\n");
  await refused(world, /does not start on this system/);
});

test("refuses a system that has no executable", async (world) => {
  publish(world);
  await platform(world, "SunOS", "sparc64");
  await refused(world, /no executable for SunOS on sparc64/);
});

test("refuses addresses without encryption, but for loopback", async (world) => {
  publish(world);
  await refused(world, /expected an https address, got http:\/\/release\.invalid/, {
    GUARD_BASE_URL: "http://release.invalid",
  });
});

test("refuses a copy that belongs to no release", async (world) => {
  await refused(world, /does not know its release/, { GUARD_BASE_URL: "" });
});

test("says that a directory cannot be made", async (world) => {
  publish(world);
  await Deno.writeTextFile(`${world.folder}/file`, "");
  await refused(world, /file\/bin cannot be written/, { GUARD_INSTALL_DIR: `${world.folder}/file/bin` });
});

test("says that a directory cannot be written (not run as root)", async (world) => {
  publish(world);
  await Deno.mkdir(`${world.folder}/locked`, { mode: 0o555 });
  await refused(world, /locked cannot be written/, { GUARD_INSTALL_DIR: `${world.folder}/locked` });
}, !windows && Deno.uid() === 0);

test("copes with spaces, quotes and a leading dash in the directory", async (world) => {
  publish(world);
  const directory = `${world.folder}/it's a -place/$HOME bin`;
  const { code, output } = await install(world, { GUARD_INSTALL_DIR: directory });
  assert.equal(code, 0, output);
  assert.deepEqual(names(directory), ["guard"]);
});

test("gives no hint about PATH when the directory is on it", async (world) => {
  publish(world);
  const directory = `${world.folder}/home/.local/bin`;
  const { code, output } = await install(world, { PATH: `${world.bin}:/usr/bin:/bin:${directory}` });
  assert.equal(code, 0, output);
  assert.doesNotMatch(output, /not on your PATH/);
  assert.match(output, /^ {2}guard install --all$/m);
});

Deno.test("install.sh cut short at any line does nothing", { ignore: windows }, async () => {
  const lines = (await Deno.readTextFile(script)).trimEnd().split("\n");
  assert.equal(lines.at(-1), 'main "$@"');
  // Everything before the last line is settings, comments and function bodies.
  let inside = false;
  for (const line of lines.slice(0, -1)) {
    if (/^[a-z0-9_]+\(\) \{$/.test(line)) inside = true;
    else if (line === "}") inside = false;
    else if (!inside) assert.match(line, /^(?:#.*|set -eu|)$/);
  }
});
