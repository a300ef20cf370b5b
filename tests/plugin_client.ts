/** How guard's own plugins read a reply (plugins/core.js): anything but a clear answer stops the call. */

import type { HookReply } from "../src/types.ts";
import { type Client, isText, object, type Outcome } from "./client_reading.ts";

/** The reading of a plugin; `asks` where the plugin puts guard's question to a person. */
export function pluginClient(asks: boolean): Client {
  return { onCrash: "stopped", outcome: (_, reply) => read(reply, asks) };
}

function read({ stdout, exitCode }: HookReply, asks: boolean): Outcome {
  const answer = object(stdout);
  if (exitCode !== 0 || answer === undefined) return "stopped";
  switch (answer.decision) {
    case "none":
      return "runs";
    case "ask":
      return asks && isText(answer.reason) ? "asked" : "stopped";
    default:
      return "stopped";
  }
}
