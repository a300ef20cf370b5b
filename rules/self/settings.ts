/** What a change to a host's settings file does to hooks and approvals. */

import type { ActionOf, Context } from "../../src/types.ts";

/** Largest settings file that is compared, in bytes. */
const maxSettings = 256 * 1024;

/** Members that decide what runs, what is asked, and what the environment of hooks is. */
const powers = new Set([
  "hooks",
  "disableallhooks",
  "disablehooks",
  "enablehooks",
  "hooksconfig",
  "permissions",
  "permissionmode",
  "defaultmode",
  "env",
  "environment",
  "sandbox",
  "sandbox_mode",
  "sandbox_permissions",
  "sandbox_workspace_write",
  "approval_policy",
  "approvalmode",
  "approvals",
  "autoapprove",
  "autoaccept",
  "alwaysallow",
  "allowedtools",
  "coretools",
  "excludetools",
  "trustedfolders",
  "trust",
  "security",
  "features",
  "yolo",
  "skipdangerousmodepermissionprompt",
  "bypasspermissions",
  "disablebypasspermissionsmode",
  "allowmanagedhooksonly",
  "apikeyhelper",
  "statusline",
  "mcpservers",
  "enableallprojectmcpservers",
  "enabledmcpjsonservers",
  "plugin",
  "plugins",
  "enabledplugins",
  "tools",
  "notify",
  "profiles",
  "projects",
  "experimental",
  "rules",
  "permission",
]);

/** Words in a text that show that a power is at hand. */
const powerWords =
  /hook|commit-verify|yes-always|guard|permission|approv|auto_?accept|yolo|sandbox|bypass|dangerous|trust|"env"|\benv\b|allow|deny|"matcher"|"command"|disable|features/i;

/** `deny`: hooks or approvals change; `ask`: something else does. */
export function settingsChange(action: ActionOf<"file">, path: string, context: Context): "ask" | "deny" {
  if (action.operation === "delete") return "deny";
  const before = context.facts.text(path, maxSettings);
  if (action.operation === "write") {
    if (action.content === undefined) return "deny";
    return compare(before ?? "", action.content);
  }
  if (before !== undefined && action.previous !== undefined && action.content !== undefined) {
    const at = action.previous === "" ? -1 : before.indexOf(action.previous);
    if (at >= 0) {
      return compare(
        before,
        before.slice(0, at) + action.content + before.slice(at + action.previous.length),
      );
    }
  }
  return powerWords.test(`${action.previous ?? "hooks"}\n${action.content ?? ""}`) ? "deny" : "ask";
}

/** Whether a replacement of the whole text, by any means, keeps hooks and approvals as they are. */
export function compare(before: string, after: string): "ask" | "deny" {
  const old = members(before);
  const next = members(after);
  if (old === undefined || next === undefined) {
    return before !== after && (powerWords.test(before) || powerWords.test(after)) ? "deny" : "ask";
  }
  for (const name of new Set([...Object.keys(old), ...Object.keys(next)])) {
    const [first = ""] = name.toLowerCase().split(".").slice(-1);
    const power = powers.has(name.toLowerCase()) || powers.has(first) || powerWords.test(name);
    if (power && JSON.stringify(old[name]) !== JSON.stringify(next[name])) return "deny";
  }
  return "ask";
}

/** Top-level members of a JSON text with comments allowed at line starts; undefined when it cannot be read. */
function members(text: string): Readonly<Record<string, unknown>> | undefined {
  const plain = text.replace(/^\uFEFF/, "").replaceAll(/^[ \t]*\/\/.*$/gm, "");
  if (plain.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(plain);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? value as Readonly<Record<string, unknown>>
      : undefined;
  } catch {
    return undefined;
  }
}

/** Settings of an editor that switch an agent's approvals off. */
export function switchesApprovalsOff(text: string): boolean {
  return /auto_?approve|auto_?accept|auto_?run|yolo|allow_?all|bypass_?permission|skip_?permission|dangerously|alwaysAllow|terminal\.(?:auto|enableAuto)|initialPermissionMode|chat\.(?:use)?hook/i
    .test(text);
}
