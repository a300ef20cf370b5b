/** Starting another agent without its approvals or without hooks. */

import type { Invocation } from "../../src/shell/model.ts";
import { parseArguments } from "../options.ts";

/** What switches the approvals of one agent off: options, options with a value, and more. */
interface Switches {
  readonly options: readonly string[];
  readonly values?: Readonly<Record<string, RegExp>>;
  /** Operands, joined, that change hooks or approvals for good. */
  readonly commands?: RegExp;
  /** Subcommands that approve everything by themselves. */
  readonly verbs?: readonly string[];
  /** Variables in front of the command, with the values that count. */
  readonly variables?: Readonly<Record<string, RegExp>>;
}

const isOn = /^(?!0$|false$|no$|off$|$)/i;

/** How agents are started with their approvals off, by program. */
const switches: Readonly<Record<string, Switches>> = {
  claude: {
    options: [
      "--dangerously-skip-permissions",
      "--allow-dangerously-skip-permissions",
      "--bare",
      "--settings",
      "--setting-sources",
      "--safe-mode",
      "--disable-hooks",
    ],
    values: {
      "--permission-mode": /^(?:bypassPermissions|dontAsk|auto|acceptEdits)$/,
      "--allowedTools": /^(?:\*|Bash(?:\(\*\))?)$/,
      "--allowed-tools": /^(?:\*|Bash(?:\(\*\))?)$/,
    },
    commands: /^config (?:set|add|remove|rm) .*(?:hook|permission|allow|env|trust|bypass)/i,
  },
  codex: {
    options: [
      "--dangerously-bypass-approvals-and-sandbox",
      "--dangerously-bypass-hook-trust",
      "--full-auto",
      "--yolo",
      "--ignore-user-config",
      "--ignore-rules",
    ],
    values: {
      "--ask-for-approval": /^never$/,
      "-a": /^never$/,
      "--sandbox": /^danger-full-access$/,
      "-s": /^danger-full-access$/,
      "--disable": /hooks/,
      "--config": /hook|approval_policy|sandbox_mode|features/,
      "-c": /hook|approval_policy|sandbox_mode|features/,
    },
    commands: /^features (?:enable|disable) /,
  },
  gemini: {
    options: ["-y", "--yolo"],
    values: { "--approval-mode": /^(?:yolo|auto_edit)$/ },
    commands: /^hooks (?:disable|remove|uninstall)\b/,
  },
  "cursor-agent": {
    options: ["-f", "--force", "--yolo", "--approve-mcps", "--trust"],
    values: { "--sandbox": /^disabled$/ },
  },
  copilot: {
    options: ["--allow-all-tools", "--allow-all", "--yolo", "--allow-all-paths"],
    values: { "--allow-tool": /^shell/ },
    variables: { COPILOT_ALLOW_ALL: isOn },
  },
  droid: { options: ["--skip-permissions-unsafe"], values: { "--auto": /^high$/ } },
  amp: { options: ["--dangerously-allow-all"] },
  aider: {
    options: ["--yes-always", "--yes", "--no-git-commit-verify"],
    variables: { AIDER_YES_ALWAYS: isOn, AIDER_YES: isOn, AIDER_GIT_COMMIT_VERIFY: /^(?:0|false|no|off)$/i },
  },
  crush: { options: ["-y", "--yolo"], verbs: ["run"] },
  "kiro-cli": { options: ["--trust-all-tools", "-a"], values: { "--trust-tools": /bash|shell|\*/ } },
  goose: { options: [], variables: { GOOSE_MODE: /^auto$/ } },
  opencode: {
    options: ["--dangerously-skip-permissions", "--pure"],
    variables: { OPENCODE_PERMISSION: /allow/ },
  },
  auggie: { options: ["--dangerously-skip-permissions"], values: { "--permission": /allow/ } },
  cline: { options: ["-y", "--yolo", "--auto-approve-all", "--config"] },
  agy: { options: ["--dangerously-skip-permissions"] },
  grok: { options: ["--yolo", "--always-approve"] },
  junie: { options: ["--config-location"] },
  kilocode: { options: ["--auto", "--yolo"] },
  // Its print mode approves everything by itself.
  kimi: { options: ["-y", "--yolo", "--yes", "--auto-approve", "--print"] },
  codebuddy: {
    options: ["-y", "--dangerously-skip-permissions"],
    values: { "--permission-mode": /^bypassPermissions$/ },
  },
  qodercli: { options: ["--yolo", "--dangerously-skip-permissions"] },
  cn: { options: ["--auto"], values: { "--allow": /^(?:\*|bash)/i } },
  vibe: { options: ["--auto-approve"], values: { "--agent": /^auto-approve$/ } },
  interpreter: { options: ["-y", "--auto_run"] },
  gptme: { options: ["-y", "--no-confirm", "-n", "--non-interactive"] },
  openhands: { options: ["--always-approve", "--yolo", "--headless"] },
  acli: { options: ["--yolo"] },
};

const aliases: Readonly<Record<string, string>> = {
  "claude-code": "claude",
  "gemini-cli": "gemini",
  qwen: "gemini",
  iflow: "gemini",
  kilo: "kilocode",
  "kimi-cli": "kimi",
  "qwen-code": "gemini",
  agent: "cursor-agent",
  q: "kiro-cli",
  kiro: "kiro-cli",
  antigravity: "agy",
  "copilot-cli": "copilot",
};

/** Interpreters that run the script of an agent. */
const interpreters = "node nodejs bun deno";

/** Program names that start an agent. */
export const agentPrograms: readonly string[] = [
  ...Object.keys(switches),
  ...Object.keys(aliases),
  ...interpreters.split(" "),
];

/** Variables that give an agent another home, and with it other settings. */
const relocating =
  /^(?:HOME|USERPROFILE|XDG_CONFIG_HOME|APPDATA|CLAUDE_CONFIG_DIR|CODEX_HOME|GEMINI_CLI_HOME|GEMINI_DIR|GEMINI_CLI_SYSTEM_SETTINGS_PATH|QWEN_HOME|QWEN_CODE_SYSTEM_SETTINGS_PATH|COPILOT_HOME|CURSOR_CONFIG_DIR|CLINE_DIR|GROK_HOME|KIRO_HOME|JUNIE_HOME|JUNIE_CONFIG_LOCATION|CRUSH_GLOBAL_CONFIG|CRUSH_GLOBAL_DATA|OPENCODE_CONFIG(?:_DIR|_CONTENT)?|FACTORY_HOME(?:_OVERRIDE)?|CLAUDE_CODE_SIMPLE|CLAUDE_CODE_DISABLE_HOOKS)$/;

/** Packages of agents in the path of a script, by the agent's program. */
const packages: readonly (readonly [RegExp, string])[] = [
  [/@anthropic-ai\/claude-code\//, "claude"],
  [/@openai\/codex\//, "codex"],
  [/@google\/gemini-cli\//, "gemini"],
  [/@qwen-code\/qwen-code\//, "qwen"],
  [/@github\/copilot\//, "copilot"],
];

/** The agent whose script an interpreter runs, and which argument the script is. */
function scriptOf({ program, args }: Invocation): { readonly name: string; readonly at: number } | undefined {
  if (!interpreters.split(" ").includes(program)) return undefined;
  const at = args.findIndex((word) => /[\\/]/.test(word.text) && !word.text.startsWith("-"));
  const path = args[at]?.text.replaceAll("\\", "/") ?? "";
  const name = packages.find(([pattern]) => pattern.test(path))?.[1];
  return name === undefined ? undefined : { name: aliases[name] ?? name, at };
}

/** What of a command line takes the checks from an agent that it starts; undefined when nothing does. */
export function approvalsOff(invocation: Invocation): string | undefined {
  const script = scriptOf(invocation);
  const name = script?.name ?? aliases[invocation.program] ?? invocation.program;
  const known = Object.hasOwn(switches, name) ? switches[name] : undefined;
  if (known === undefined) return undefined;
  // `agent` and `q` are ordinary words for other programs.
  const args = script === undefined ? invocation.args : invocation.args.slice(script.at + 1);
  const parsed = parseArguments(args, { values: Object.keys(known.values ?? {}) });
  if (parsed.has("--version", "--help")) return undefined;
  const moved = invocation.assignments.find((one) => relocating.test(one.name));
  if (moved !== undefined) return moved.name;
  for (const option of parsed.options) {
    if (known.options.includes(option.name)) return option.name;
    const wanted = known.values?.[option.name];
    if (wanted !== undefined && option.value !== undefined && wanted.test(option.value.text)) {
      return `${option.name} ${option.value.text}`;
    }
  }
  const words = parsed.operands.slice(0, 8).map((word) => word.text).join(" ");
  if (known.commands?.test(words)) return words;
  const verb = parsed.operands[0]?.text;
  if (verb !== undefined && known.verbs?.includes(verb)) return verb;
  for (const { name: variable, value } of invocation.assignments) {
    const counts = known.variables !== undefined && Object.hasOwn(known.variables, variable)
      ? known.variables[variable]
      : undefined;
    if (counts?.test(value.text)) return `${variable}=${value.text}`;
  }
  return undefined;
}
