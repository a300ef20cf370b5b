import type { Policy } from "../types.ts";

/** The policy without any file. */
export const builtInPolicy: Policy = {
  mode: "enforce",
  level: "standard",
  onError: "deny",
  whenAskUnsupported: "deny",
  rules: {},
  exceptions: [],
  protectedPaths: [],
  allowedCommands: [],
  ownRules: [],
  prompts: "warn",
  inlineAllow: false,
  canaries: [],
  personalData: {},
  tools: [],
  toolDefaults: [],
  addresses: [],
  paths: [],
};
