/** The files that hosts hand to their models as instructions. */

/** Files in a project's root and in directories above and below it, by any host. */
export const projectFiles: readonly string[] = [
  "CLAUDE.md",
  "CLAUDE.local.md",
  ".claude/CLAUDE.md",
  "AGENTS.md",
  "AGENTS.override.md",
  "AGENT.md",
  "GEMINI.md",
  "QWEN.md",
  "WARP.md",
  "CRUSH.md",
  ".cursorrules",
  ".windsurfrules",
  ".clinerules",
  ".roorules",
  ".goosehints",
  ".rules",
  ".augment-guidelines",
  ".junie/guidelines.md",
  ".github/copilot-instructions.md",
];

/** Directories of such files in a project, and how deep they go. */
export const projectFolders: readonly (readonly [path: string, depth: number])[] = [
  [".cursor/rules", 3],
  [".windsurf/rules", 2],
  [".clinerules", 2],
  [".roo/rules", 2],
  [".kilocode/rules", 2],
  [".amazonq/rules", 2],
  [".augment/rules", 2],
  [".continue/rules", 2],
  [".trae/rules", 2],
  [".kiro/steering", 2],
  [".github/instructions", 2],
  [".github/prompts", 2],
  [".github/agents", 2],
  [".github/skills", 2],
  [".claude/rules", 3],
  [".claude/commands", 3],
  [".claude/agents", 3],
  [".claude/skills", 2],
  [".agents/skills", 2],
  [".codex/skills", 2],
  [".gemini/skills", 2],
  [".cursor/skills", 2],
  [".cursor/commands", 2],
  [".opencode/agent", 2],
  [".opencode/command", 2],
  [".opencode/skill", 2],
];

/** Files in the home directory. */
export const homeFiles: readonly string[] = [
  ".claude/CLAUDE.md",
  ".codex/AGENTS.md",
  ".codex/AGENTS.override.md",
  ".gemini/GEMINI.md",
  ".qwen/QWEN.md",
  ".config/opencode/AGENTS.md",
  ".config/amp/AGENTS.md",
  ".config/crush/CRUSH.md",
  ".pi/agent/AGENTS.md",
  ".factory/AGENTS.md",
  ".copilot/copilot-instructions.md",
  ".codeium/windsurf/memories/global_rules.md",
  ".cursorrules",
];

/** Directories of such files in the home directory. */
export const homeFolders: readonly (readonly [path: string, depth: number])[] = [
  [".claude/rules", 3],
  [".claude/commands", 3],
  [".claude/agents", 3],
  [".claude/skills", 2],
  [".codex/prompts", 1],
  [".codex/skills", 2],
  [".agents/skills", 2],
  [".gemini/skills", 2],
  [".copilot/skills", 2],
  [".cursor/rules", 3],
  [".kiro/steering", 2],
  [".config/opencode/agent", 2],
  [".config/opencode/command", 2],
  [".config/opencode/skill", 2],
  ["Documents/Cline/Rules", 2],
];

/** Endings of files in such directories that are read as instructions. */
const endings = /\.(?:md|mdc|mdx|txt|prompt)$/i;

/** Whether a file in such a directory is read: of a skill only the file that describes it. */
export function isRead(folder: string, name: string): boolean {
  return /(?:^|\/)skills?$/.test(folder) ? /^SKILL\.md$/i.test(name) : endings.test(name);
}

const suffixes: readonly string[] = [...projectFiles, ...homeFiles].map((path) => `/${path.toLowerCase()}`);
const folders: readonly string[] = [
  ...new Set([...projectFolders, ...homeFolders].map(([path]) => path)),
];

/** True for a path, as a host gives it, of a file that some host reads as instructions. */
export function isInstructionFile(path: string): boolean {
  const written = `/${path.replaceAll("\\", "/")}`;
  const lower = written.toLowerCase();
  if (suffixes.some((suffix) => lower.endsWith(suffix))) return true;
  const name = written.slice(written.lastIndexOf("/") + 1);
  return folders.some((folder) => lower.includes(`/${folder.toLowerCase()}/`) && isRead(folder, name));
}
