import assert from "node:assert/strict";
import { makeContext } from "../context.ts";
import { fakeFacts } from "../facts/fake.ts";
import { isBuildOutput, type Place, placeOf } from "./place.ts";

function context(cwd: string, home: string, os = "linux") {
  return makeContext({
    call: { event: "pre_tool", cwd, workspace: cwd },
    home,
    processDirectory: cwd,
    facts: fakeFacts(),
    os,
    env: (name) => name === "TMPDIR" ? "/var/folders/ab/cdef/T/" : undefined,
  });
}
const linux = context("/home/eva/shop", "/home/eva");
const mac = context("/Users/eva/shop", "/Users/eva", "darwin");
const windows = context("C:\\work\\shop", "C:\\Users\\eva", "windows");

const table: readonly [typeof linux, Place, string[]][] = [
  [linux, "root", ["/"]],
  [linux, "system", [
    "/etc",
    "/etc/ssh/sshd_config",
    "/usr",
    "/usr/bin/env",
    "/var",
    "/boot/x",
    "/opt",
    "/proc/1/mem",
  ]],
  [linux, "homes", ["/home"]],
  [linux, "home", ["/home/eva"]],
  [linux, "other-home", ["/home/max"]],
  [linux, "workspace", ["/home/eva/shop"]],
  [linux, "inside", ["/home/eva/shop/src", "/home/eva/shop/.env"]],
  [linux, "temp-root", ["/tmp", "/var/tmp", "/dev/shm"]],
  [linux, "temp", ["/tmp/x", "/var/tmp/a/b", "/dev/shm/x"]],
  [linux, "null-device", ["/dev/null", "/dev/stderr", "/dev/fd/2"]],
  [linux, "device", ["/dev/sda", "/dev"]],
  [linux, "elsewhere", ["/home/eva/other", "/srv/data/x", "/data", "/home/eva/shop2", "/HOME"]],
  [linux, "system", ["/mnt/c/Windows/System32"]],
  [mac, "system", ["/System/Library/x", "/library", "/ETC/hosts"]],
  [mac, "home", ["/users/EVA"]],
  [mac, "temp", ["/private/tmp/x", "/var/folders/ab/cdef/T/x", "/private/var/folders/zz/yy/T/x"]],
  [mac, "temp-root", ["/private/tmp", "/var/folders/ab/cdef/T"]],
  [windows, "root", ["C:/", "D:/"]],
  [windows, "system", ["C:/Windows/System32/drivers", "C:/Program Files", "c:/programdata"]],
  [windows, "homes", ["C:/Users"]],
  [windows, "home", ["c:/users/EVA"]],
  [windows, "inside", ["C:/work/shop/src"]],
  [windows, "ancestor", ["C:/work"]],
  [windows, "temp", ["C:/Users/eva/AppData/Local/Temp/x"]],
  [windows, "elsewhere", ["D:/data", "C:/Program Files/App/x.txt"]],
];

for (const [where, place, paths] of table) {
  for (const path of paths) {
    Deno.test(`${path} is ${place} for ${where.home}`, () => assert.equal(placeOf(path, where), place));
  }
}

Deno.test("build output counts inside the workspace only", () => {
  assert.ok(isBuildOutput("/home/eva/shop/node_modules/a", linux));
  assert.ok(isBuildOutput("/home/eva/shop/packages/a/dist", linux));
  assert.ok(!isBuildOutput("/home/eva/other/node_modules", linux));
  assert.ok(!isBuildOutput("/home/eva/shop/src", linux));
});

Deno.test("the workspace is never home, a root or temporary space", () => {
  assert.equal(context("/home/eva", "/home/eva").workspace, "/home/eva");
  const nested = makeContext({
    call: { event: "pre_tool", cwd: "/home/eva/shop/src/a" },
    home: "/home/eva",
    processDirectory: "/",
    facts: fakeFacts({ directories: ["/home/eva/.git", "/home/eva/shop/.git"] }),
  });
  assert.equal(nested.workspace, "/home/eva/shop");
  const dotfiles = makeContext({
    call: { event: "pre_tool", cwd: "/home/eva/docs" },
    home: "/home/eva",
    processDirectory: "/",
    facts: fakeFacts({ directories: ["/home/eva/.git"] }),
  });
  assert.equal(dotfiles.workspace, "/home/eva/docs");
});
