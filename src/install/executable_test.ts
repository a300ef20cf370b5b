import assert from "node:assert/strict";
import { chooseLaunch, type Running, stablePath } from "./executable.ts";

/** A machine on which `links` lead to files; everything else is a file itself. */
function running(
  executable: string,
  links: Record<string, string> = {},
  more: Partial<Running> = {},
): Running {
  const files = new Set([executable, ...Object.values(links)]);
  return {
    system: "linux",
    executable,
    compiled: true,
    main: "/src/guard/main.ts",
    home: "/home/x",
    env: {},
    realPath: (path) => links[path] ?? (files.has(path) ? path : undefined),
    ...more,
  };
}

Deno.test("a path that the package manager keeps is preferred when it leads to the same file", () => {
  const cases: [string, string, Partial<Running>?][] = [
    ["/opt/homebrew/Cellar/guard/0.1.0/bin/guard", "/opt/homebrew/bin/guard", { system: "darwin" }],
    ["/home/linuxbrew/.linuxbrew/Cellar/guard/0.1.0/bin/guard", "/home/linuxbrew/.linuxbrew/bin/guard"],
    ["/nix/store/abc-guard-0.1.0/bin/guard", "/home/x/.nix-profile/bin/guard"],
    ["/nix/store/abc-guard-0.1.0/bin/guard", "/run/current-system/sw/bin/guard"],
    [
      "/home/x/.local/share/mise/installs/guard/0.1.0/bin/guard",
      "/home/x/.local/share/mise/installs/guard/latest/bin/guard",
    ],
    [
      "C:\\Users\\x\\scoop\\apps\\guard\\0.1.0\\guard.exe",
      "C:\\Users\\x\\scoop\\apps\\guard\\current\\guard.exe",
      { system: "windows" },
    ],
  ];
  for (const [versioned, stable, more] of cases) {
    assert.equal(stablePath(running(versioned, { [stable]: versioned }, more)), stable);
    const other = running(versioned, { [stable]: "/some/other/guard" }, more);
    assert.equal(stablePath(other), undefined);
    assert.match(chooseLaunch(other).warnings.join("\n"), /belongs to one version/);
  }
});

Deno.test("a plain place is taken as it is", () => {
  const chosen = chooseLaunch(
    running("/usr/local/bin/guard", { "/home/x/bin/guard": "/usr/local/bin/guard" }),
  );
  assert.deepEqual(chosen, { launch: { program: "/usr/local/bin/guard", lead: [] }, warnings: [] });
});

Deno.test("a place that may vanish is warned about", () => {
  assert.match(chooseLaunch(running("/tmp/build/guard")).warnings.join(), /temporary directory/);
  assert.match(
    chooseLaunch(running("/data/t/guard", {}, { env: { TMPDIR: "/data/t/" } })).warnings.join(),
    /temporary directory/,
  );
  assert.match(
    chooseLaunch(running("/home/x/.npm/_npx/1/node_modules/deno/deno", {}, { compiled: false })).warnings
      .join(),
    /cache of npm/,
  );
});

Deno.test("a checkout is run by the absolute deno, with its own configuration and without prompts", () => {
  const { launch } = chooseLaunch(running("/usr/bin/deno", {}, { compiled: false }));
  assert.equal(launch.program, "/usr/bin/deno");
  assert.equal(launch.lead[0], "run");
  assert.ok(launch.lead.includes("--no-prompt"));
  assert.equal(launch.lead.at(-1), "/src/guard/main.ts");
  assert.ok(launch.lead.includes("--config=/src/guard/deno.json"));
});
