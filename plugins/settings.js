// @ts-check
/** @type {import("./core.js").Settings} What `guard install` writes in place of this; these are for type checks. */
export const settings = {
  host: "host",
  title: "Host",
  command: ["/opt/guard/guard"],
  options: ["--host", "host", "--policy", "/home/kim/policy.jsonc", "--state", "/home/kim/state"],
  deadline: 10_000,
};
