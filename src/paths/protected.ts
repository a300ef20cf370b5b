/** Files whose change runs code later, grants access, or changes what guard and the agents' hosts do. */

import { hostFiles, hostFolders, placedFiles } from "../host_data.ts";
import { stampWord } from "../stamp.ts";
import type { Context } from "../types.ts";
import { below, isWithin, nameOf } from "./normal.ts";
import { contextPath, folded } from "./place.ts";

/** Lower-case part of a path below home, with the current home or another user's. */
function inHome(path: string, context: Context): string | undefined {
  const own = below(folded(path, context), folded(contextPath(context.home, context), context));
  if (own !== undefined) return own.toLowerCase();
  return /^(?:\/(?:home|[Uu]sers)\/[^/]+|\/root|[A-Z]:\/[Uu]sers\/[^/]+)\/(.+)$/.exec(path)?.[1]
    ?.toLowerCase();
}

const startupInHome = [
  /^\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|cshrc|tcshrc|inputrc|xprofile|xinitrc|xsession|xsessionrc|login|envrc|pam_environment|vimrc|gvimrc|emacs|tmux\.conf|screenrc|gitconfig|pythonrc|pythonstartup\.py|irbrc|pryrc|rprofile|condarc|nanorc|lldbinit|gdbinit)$/,
  /^\.config\/(?:fish\/(?:config\.fish|conf\.d\/.*|functions\/.*)|zsh\/.*|bash\/.*|autostart\/.*|systemd\/user(?:\/.*)?|environment\.d\/.*|git\/(?:config|hooks\/.*)|nvim\/init\.(?:lua|vim)|powershell\/.*|nushell\/.*|tmux\/tmux\.conf|plasma-workspace\/env\/.*)$/,
  /^\.local\/share\/systemd\/user(?:\/.*)?$/,
  /^\.zshrc\.d\/|^\.bashrc\.d\/|^\.oh-my-zsh\/custom\//,
  /^\.ssh\/(?:rc|config|environment)$/,
  /^library\/launchagents(?:\/.*)?$/,
  /^library\/launchdaemons(?:\/.*)?$/,
  /^documents\/(?:windowspowershell|powershell)\/.*profile.*\.ps1$/,
  /^appdata\/roaming\/microsoft\/windows\/start menu\/programs\/startup(?:\/.*)?$/,
  /^\.(?:vim|emacs\.d)\/(?:plugin|autoload|after|init\.el).*$/,
  /^\.crontab$/,
];

const startupAnywhere = [
  /^\/etc\/(?:profile|bash\.bashrc|bashrc|zshrc|zprofile|zshenv|environment|rc\.local|crontab|anacrontab|inittab|ld\.so\.preload|ld\.so\.conf)$/,
  /^\/etc\/(?:profile\.d|systemd|init\.d|rc\d?\.d|xdg\/autostart|ld\.so\.conf\.d|udev\/rules\.d|update-motd\.d|zsh|fish|NetworkManager\/dispatcher\.d|apt\/apt\.conf\.d)(?:\/|$)/,
  /^\/(?:usr\/)?lib\/systemd\/(?:system|user)(?:\/|$)/,
  /^\/Library\/(?:LaunchAgents|LaunchDaemons|StartupItems)(?:\/|$)/i,
  /^[A-Z]:\/ProgramData\/Microsoft\/Windows\/Start Menu\/Programs\/Startup(?:\/|$)/i,
];

/** Code or settings of a project that run without being asked for. */
const startupInProject = [
  /\/\.git\/(?:hooks\/(?!.*\.sample$).+|config(?:\.worktree)?|info\/attributes)$/i,
  /\/\.husky\/(?!_\/|\.gitignore$)[^/]+$/i,
  /\/\.envrc$/i,
  /\/\.mcp\.json$/i,
  /\/\.(?:cursor|vscode|gemini|roo|amazonq|kiro\/settings|codeium(?:\/windsurf)?|zed)\/mcp(?:_config|_settings)?\.json$/i,
  /\/claude_desktop_config\.json$/i,
  /\/\.vscode\/(?:tasks|launch)\.json$/i,
  /\/\.zed\/tasks\.json$/i,
  /\/\.idea\/(?:runConfigurations\/.+|workspace\.xml|externalDependencies\.xml)$/i,
  /\/\.(?:claude|cursor|gemini|codex|qwen|factory|augment|windsurf|grok|devin|copilot)\/hooks\/.+$/i,
  /\/\.devcontainer(?:\/.*)?\/devcontainer\.json$|\/\.devcontainer\.json$/i,
  /\/(?:sitecustomize|usercustomize)\.py$|\/site-packages\/[^/]+\.pth$/i,
];

/**
 * What every path of a list above or below has in it. A hook lives for one call, and for most paths compiling one
 * pattern spares it all of a list. src/paths/protected_test.ts holds that nothing is left out.
 */
export const shapes = {
  startupInHome: /^(?:\.|library\/|documents\/|appdata\/)/,
  startupAnywhere: /^(?:\/(?:etc|lib|usr|library)\/|[a-z]:\/)/i,
  startupInProject: /\/\.|\/claude_desktop_config|customize\.py$|\.pth$/i,
  hostSettings:
    /\.(?:jsonc?|toml)$|\/(?:hooks|plugins?|extensions|agents|rules|config|settings|policy\.d|managed-settings\.d)\//i,
};

function oneOf(list: keyof typeof protectedPatterns, path: string): boolean {
  return shapes[list].test(path) && protectedPatterns[list].some((pattern) => pattern.test(path));
}

/** True for files that start code by themselves: shell start-up, schedulers, services, hooks, editor tasks. */
export function isStartupFile(path: string, context: Context): boolean {
  const home = inHome(path, context);
  if (home !== undefined && oneOf("startupInHome", home)) return true;
  return oneOf("startupAnywhere", path) || oneOf("startupInProject", path);
}

/** True for files that say who may log in or become root, and for the system's job tables. */
export function isAccountFile(path: string, context: Context): boolean {
  if (/\/\.ssh\/authorized_keys2?$/i.test(path)) return true;
  if (inHome(path, context) === ".rhosts" || inHome(path, context) === ".k5login") return true;
  if (!/^(?:\/private)?\/(?:etc|var)\//.test(path)) return false;
  return /^(?:\/private)?\/etc\/(?:passwd|shadow|group|gshadow|master\.passwd|sudoers|doas\.conf|sudoers\.d(?:\/.*)?|pam\.d(?:\/.*)?|security\/.*|ssh\/(?:sshd_config(?:\.d\/.*)?|authorized_keys.*)|cron\.(?:d|daily|hourly|weekly|monthly)(?:\/.*)?|crontab|polkit-1\/.*|subuid|subgid|hosts\.equiv)-?$/
    .test(path) || /^(?:\/private)?\/var\/(?:spool\/cron|at\/tabs|cron\/tabs)(?:\/|$)/.test(path);
}

/** Directories of hosts beside those that adapters name. */
const hostDirectories = [
  ...hostFolders,
  ".openclaw",
  ".amp",
  ".config/amp",
  ".config/github-copilot",
  "claude-code",
  "ClaudeCode",
  "gemini-cli",
];

/** Settings files of hosts beside those that adapters name. */
const hostSettings = [
  /\/\.openclaw\/(?:openclaw\.json|plugins\/.+|hooks\/.+|extensions\/.+)$/,
  /\/\.?amp\/(?:settings\.jsonc?|plugins\/.+)$/,
  /\/\.agents\/(?:hooks(?:\.json|\/.+)|plugins\/.+|settings\.json)$/,
];

/** The lists of patterns by name. */
export const protectedPatterns = { startupInHome, startupAnywhere, startupInProject, hostSettings };

/** True for files in which a host of agents keeps its hooks, permissions or trust. */
export function isHostSettings(path: string, context: Context): boolean {
  return matchesSettings(path, context) || isOwnHook(path, context);
}

function matchesSettings(path: string, context: Context): boolean {
  const at = context.caseInsensitive ? path.toLowerCase() : path;
  if (isHostFile(at, context.caseInsensitive)) return true;
  return shapes.hostSettings.test(path) &&
    hostSettings.some((pattern) =>
      (context.caseInsensitive ? new RegExp(pattern.source, "i") : pattern).test(at)
    );
}

/** Files without a star, and globs with one; in lower case for file systems that ignore case. */
interface HostFiles {
  /** What was found for paths: several rules ask for each, and commands name the same ones. */
  readonly known: Map<string, boolean>;
  readonly plain: ReadonlySet<string>;
  readonly globs: readonly string[];
}

const hostFilesBy = new Map<boolean, HostFiles>();

function hostFilesFor(lower: boolean): HostFiles {
  let found = hostFilesBy.get(lower);
  if (found === undefined) {
    const files = lower ? hostFiles.map((file) => file.toLowerCase()) : hostFiles;
    found = {
      known: new Map(),
      plain: new Set(files.filter((file) => !file.includes("*"))),
      globs: files.filter((file) => file.includes("*")),
    };
    hostFilesBy.set(lower, found);
  }
  return found;
}

/** Most parts that a host's file has. */
const mostParts = 8;

const mostKnown = 1000;

function isHostFile(path: string, lower: boolean): boolean {
  const files = hostFilesFor(lower);
  const before = files.known.get(path);
  if (before !== undefined) return before;
  if (files.known.size >= mostKnown) files.known.clear();
  const found = isOneOf(path, files);
  files.known.set(path, found);
  return found;
}

function isOneOf(path: string, { plain, globs }: HostFiles): boolean {
  let from = path.length;
  for (let part = 0; part < mostParts && from > 0; part++) {
    from = path.lastIndexOf("/", from - 1);
    if (from < 0) break;
    if (plain.has(path.slice(from + 1))) return true;
  }
  return globs.some((glob) => endsWith(path, glob));
}

/** True for a hook that guard has written, wherever its host looks for hooks. */
function isOwnHook(path: string, context: Context): boolean {
  return /\/hooks\/[^/]+$/i.test(path) && context.facts.text(path, 64 * 1024)?.includes(stampWord) === true;
}

/** Whether the last parts of a path are those of a glob with at most one `*` or `**`; strings alone are searched. */
function endsWith(path: string, glob: string): boolean {
  const star = glob.indexOf("*");
  if (star < 0) return path.endsWith(`/${glob}`);
  const deep = glob.startsWith("**", star);
  const head = `/${glob.slice(0, star)}`;
  const tail = glob.slice(star + (deep ? 2 : 1));
  for (let from = path.indexOf(head); from >= 0; from = path.indexOf(head, from + 1)) {
    const rest = path.slice(from + head.length);
    if (rest.length > tail.length && rest.endsWith(tail) && (deep || !rest.includes("/"))) return true;
    // What a directory holds may be called like the end of the glob.
    if (deep && rest === tail && tail !== "") return true;
  }
  return false;
}

/** Where hosts keep their hooks, below home or a project. */
const usualSettings = [...placedFiles, ".claude.json", ".cursor/cli.json", ".windsurf/hooks.json"];

/**
 * A settings file of a host that exists below a directory, by home's and the workspace's usual ones; undefined when none
 * is meant.
 *
 * @param reached tells of a path below the directory whether it is meant
 */
export function hostSettingsBelow(
  path: string,
  context: Context,
  reached: (inner: string) => boolean,
): string | undefined {
  for (const base of new Set([path, context.workspace, context.home])) {
    for (const name of usualSettings) {
      const settings = `${contextPath(base, context)}/${name}`.replace("//", "/");
      const inner = below(folded(settings, context), folded(path, context));
      if (inner !== undefined && reached(inner) && context.facts.kind(settings) === "file") return settings;
    }
  }
  return undefined;
}

/** True for a directory that holds a host's settings, such as `~/.claude`, or of which every file is one. */
export function isHostDirectory(path: string, context: Context): boolean {
  const at = folded(path, context).toLowerCase();
  return hostDirectories.some((name) => at.endsWith(`/${name.toLowerCase()}`)) ||
    matchesSettings(`${path}/any`, context);
}

/** What of guard itself a path is. */
export type Own = "executable" | "policy" | "state";

/** What of guard's own a path is, or is in; undefined when it is nothing of guard's. */
export function ownOf(path: string, context: Context): Own | undefined {
  const at = folded(path, context);
  const same = (written: string) => folded(contextPath(written, context), context);
  const { executable, policies, state } = context.own;
  if (executable !== undefined && at === same(executable)) return "executable";
  if (policies.some((policy) => at === same(policy))) return "policy";
  if (state !== undefined && isWithin(at, same(state))) return "state";
  if (/\/\.guard(?:\/policy\.jsonc?)?$/i.test(path)) return "policy";
  if (/\/\.config\/guard(?:\/|$)|^\/etc\/guard(?:\/|$)|\/AppData\/Roaming\/guard(?:\/|$)/i.test(path)) {
    return "policy";
  }
  if (/\/Library\/Application Support\/guard(?:\/|$)|^[A-Z]:\/ProgramData\/guard(?:\/|$)/i.test(path)) {
    return "policy";
  }
  if (/\/\.local\/state\/guard(?:\/|$)|\/AppData\/Local\/guard(?:\/|$)/i.test(path)) return "state";
  return undefined;
}

/**
 * True when something of guard's own lies below this directory; `reached` tells of its path below the directory
 * whether it is meant. A project's policy counts only while it exists.
 */
export function holdsOwn(
  path: string,
  context: Context,
  reached: (inner: string) => boolean = () => true,
): boolean {
  const at = folded(path, context);
  const { executable, policies, state } = context.own;
  const log = state === undefined ? undefined : `${state}/audit.jsonl`;
  return [executable, state, log, ...policies].some((one) => {
    if (one === undefined) return false;
    const own = contextPath(one, context);
    const inner = below(folded(own, context), at);
    if (inner === undefined || !reached(inner)) return false;
    // A project without a policy of its own holds nothing of guard's.
    const ofProject = below(folded(own, context), folded(context.workspace, context)) !== undefined;
    return !ofProject || context.facts.kind(own) !== "missing";
  });
}

/** True for settings of editors that can switch an agent's approvals off. */
export function isEditorSettings(path: string): boolean {
  return /\/(?:\.vscode|Code(?: - Insiders)?\/User|Cursor\/User|\.zed|zed)\/settings\.json$|\.code-workspace$/i
    .test(path) &&
    nameOf(path) !== "";
}
