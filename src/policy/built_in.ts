import type { Policy } from "../types.ts";

/** The policy without any file. */
export const builtInPolicy: Policy = {
  mode: "enforce",
  onError: "deny",
  whenAskUnsupported: "deny",
  rules: {},
  exceptions: [],
  protectedPaths: [],
  allowedCommands: [],
  ownRules: [],
};
