import assert from "node:assert/strict";
import process from "node:process";
import { homeDirectory, locations, managedPolicy, projectPolicy } from "./locations.ts";

function env(values: Record<string, string>): (name: string) => string | undefined {
  return (name) => Object.hasOwn(values, name) ? values[name] : undefined;
}

Deno.test("Linux and macOS follow the XDG directories, else home", () => {
  for (const system of ["linux", "darwin"] as const) {
    assert.deepEqual(
      { ...locations({ system, env: env({ HOME: "/home/me" }) }), managed: "" },
      { policy: "/home/me/.config/guard/policy.jsonc", state: "/home/me/.local/state/guard", managed: "" },
    );
    const moved = locations({
      system,
      env: env({ HOME: "/home/me", XDG_CONFIG_HOME: "/c", XDG_STATE_HOME: "/s/" }),
    });
    assert.equal(moved.policy, "/c/guard/policy.jsonc");
    assert.equal(moved.state, "/s/guard");
    const relative = locations({
      system,
      env: env({ HOME: "/home/me", XDG_CONFIG_HOME: "c", XDG_STATE_HOME: "" }),
    });
    assert.equal(relative.policy, "/home/me/.config/guard/policy.jsonc");
    assert.equal(relative.state, "/home/me/.local/state/guard");
  }
});

Deno.test("Windows follows APPDATA and LOCALAPPDATA, else the profile", () => {
  const found = locations({
    system: "windows",
    env: env({ USERPROFILE: "C:\\Users\\me", APPDATA: "D:\\Roaming" }),
  });
  assert.equal(found.policy, "D:\\Roaming\\guard\\policy.jsonc");
  assert.equal(found.state, "C:\\Users\\me\\AppData\\Local\\guard");
  assert.equal(projectPolicy("C:\\w", "windows"), "C:\\w\\.guard\\policy.jsonc");
});

Deno.test("the managed policy is where only an administrator writes", () => {
  assert.equal(managedPolicy("linux"), "/etc/guard/policy.jsonc");
  assert.equal(managedPolicy("darwin"), "/Library/Application Support/guard/policy.jsonc");
  const set = env({ ProgramData: "C:\\Users\\me\\mine", SystemDrive: "D:" });
  assert.equal(managedPolicy("windows", set), "D:\\ProgramData\\guard\\policy.jsonc");
  assert.equal(
    managedPolicy("windows", env({ SystemDrive: "..\\x" })),
    "C:\\ProgramData\\guard\\policy.jsonc",
  );
});

Deno.test("home comes from the environment when it is absolute, else from the system", () => {
  assert.equal(
    homeDirectory({ system: "linux", env: env({ HOME: "/home/me/" }) }).replace(/\/$/, ""),
    "/home/me",
  );
  assert.equal(homeDirectory({ system: "linux", env: env({ HOME: "x" }), home: "/known" }), "/known");
});

Deno.test("a home in the environment that is not absolute counts nowhere", {
  ignore: Deno.build.os === "windows",
}, () => {
  const before = Deno.env.get("HOME");
  try {
    Deno.env.set("HOME", "relative");
    const { homedir } = process.getBuiltinModule("node:os").userInfo();
    assert.equal(homeDirectory({ system: "linux", env: env({ HOME: "relative" }) }), homedir);
  } finally {
    if (before === undefined) Deno.env.delete("HOME");
    else Deno.env.set("HOME", before);
  }
});
