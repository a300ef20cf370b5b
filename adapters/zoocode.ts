import { blockEverywhere } from "../src/block.ts";
import { PayloadError } from "../src/errors.ts";
import type { HostAdapter } from "../src/types.ts";
import { reasonOf, silence, stops } from "./reply.ts";

const why =
  "No release of Zoo Code that was seen runs hooks: guard cannot stop anything there. Deny commands in " +
  "its own settings, and leave its automatic approval off.";

const adapter: HostAdapter = {
  id: "zoocode",
  aliases: ["zoo-code", "zoo", "roocode", "roo-code", "roo"],
  title: "Zoo Code",
  documentation: "https://github.com/Zoo-Code-Org/Zoo-Code/pull/1155",
  events: [],
  capabilities: {
    ask: "never",
    allow: false,
    promptBlock: false,
    replaceOutput: false,
    rewriteInput: false,
    addContext: false,
    limits: [
      "It runs no hooks, nor does Roo Code before it.",
      "Hooks that were proposed in August 2026 are told the name of a tool only, and not what it is to do.",
    ],
  },
  hookShell: { posix: "none", windows: "none" },
  wrapper: false,
  detect: {
    executables: [],
    locations: [
      { base: "config", segments: ["Code", "User", "globalStorage", "zoocodeorganization.zoo-code"] },
    ],
  },
  install: [],
  afterInstall: [],
  unenforced: [{ why }],
  marks: [],

  recognises() {
    return false;
  },

  parse() {
    throw new PayloadError(
      "Zoo Code is not known to run hooks, so that nothing says what this call is about",
    );
  },

  render(answer, frame) {
    return stops(answer) ? blockEverywhere(reasonOf(answer), frame.nativeEvent) : silence;
  },
};

export default adapter;
