/** The central types of guard. Adapters and rules know these, the shell model and a few small helpers. */

import type { System } from "./locations.ts";
import type { Dialect, Invocation, PathUse, Span, Understanding } from "./shell/model.ts";

/** Verdict of guard on a call. `none` is "no opinion": the host's own permission flow applies. */
export type Decision = "none" | "allow" | "ask" | "deny";

/** How strict guard is by default; see src/levels.ts. */
export type Level = "standard" | "strict" | "paranoid";

/** How bad it is when the rule is right. */
export type Severity = "low" | "medium" | "high" | "critical";

/** Canonical event names, one for what hosts call in many ways. */
export type EventId =
  | "pre_tool"
  | "post_tool"
  | "prompt"
  | "session_start"
  | "session_end"
  | "subagent_start"
  | "permission"
  | "compact"
  /** Known to the host, not used by guard; answered neutrally. */
  | "other";

/** Operations of file tools. */
export type FileOperation = "read" | "write" | "edit" | "delete";

/** What is judged. Knows nothing of hosts. */
export type Action =
  | {
    readonly kind: "shell";
    readonly command: string;
    readonly dialect: Dialect;
    /** Directory in which the command runs when it differs from the call's. */
    readonly cwd?: string;
    /** What is typed into it later fires no hook (Codex `exec_command` with `write_stdin`). */
    readonly unobservedInput?: boolean;
    /** Native name of the tool, where one call makes several and `HookCall.tool` names the one that does. */
    readonly tool?: string;
  }
  | {
    readonly kind: "file";
    /** As for a shell action. */
    readonly tool?: string;
    readonly operation: FileOperation;
    /** As the host gave it; may be relative to the call's directory. */
    readonly path: string;
    /** New content of a write, inserted text of an edit, content of a read where a hook carries it. */
    readonly content?: string;
    /** Text that an edit removes. */
    readonly previous?: string;
  }
  | { readonly kind: "fetch"; readonly url: string; readonly tool?: string }
  | { readonly kind: "mcp"; readonly server: string; readonly tool: string; readonly input: unknown }
  | { readonly kind: "prompt"; readonly text: string }
  | { readonly kind: "output"; readonly tool: string; readonly text: string }
  | { readonly kind: "session"; readonly phase: "start" | "end"; readonly detail?: string }
  /** A tool that no adapter knows; judged by the shape of its arguments. */
  | { readonly kind: "unknown"; readonly tool: string; readonly input: unknown };

/** The action of one kind. */
export type ActionOf<K extends Action["kind"]> = Extract<Action, { kind: K }>;

/** One hook call in canonical form. */
export interface HookCall {
  /** Host whose dialect the caller speaks. */
  readonly host: string;
  readonly event: EventId;
  /** The host's own event name; the answer often has to repeat it. */
  readonly nativeEvent: string;
  readonly session?: string;
  /** The host's identifier of this tool call, where it has one. */
  readonly callId?: string;
  /** Native tool name, for messages and the audit. */
  readonly tool?: string;
  /** Absolute directory of the call; undefined when the host did not say. */
  readonly cwd?: string;
  /** Workspace root as the host says. */
  readonly workspace?: string;
  /** Permission mode as the host names it (`bypassPermissions`, `yolo`, …). */
  readonly mode?: string;
  readonly actions: readonly Action[];
}

/** The piece of the action that a finding is about. */
export interface Evidence {
  readonly text: string;
  /** In the command text of the action; absent for other kinds of action. */
  readonly span?: Span;
  /** The file in which the command calls it: `the script clean of package.json`. */
  readonly within?: string;
}

/** What a rule objects to. */
export interface Finding {
  readonly rule: string;
  readonly decision: "ask" | "deny";
  readonly severity: Severity;
  /** One sentence: what would happen. */
  readonly message: string;
  /** What to do instead; passes guard itself. */
  readonly advice: string;
  readonly evidence: Evidence;
  /** Index into the call's actions. */
  readonly action: number;
  /** Only told, as a note: what the rule decides by itself for this match. */
  readonly advisory?: boolean;
  /** A comment that the policy lets count stands at it: written down, and counts no further. */
  readonly excepted?: boolean;
}

/** Something seen that does not decide, told to the user and where possible to the model. */
export interface Note {
  readonly rule?: string;
  readonly text: string;
  /** The model has to know it too, where the host can tell it. */
  readonly forModel?: boolean;
}

/** What guard says to a call. */
export interface Verdict {
  readonly decision: Decision;
  readonly findings: readonly Finding[];
  readonly notes: readonly Note[];
  /** Findings that an exception or a one-time permission of the user removed. */
  readonly excepted: readonly Finding[];
  /** Set when guard itself failed and `decision` is the failure mode. */
  readonly failure?: string;
  /** Code with which a person can allow this action (`guard allow CODE`). */
  readonly code?: string;
}

/** What rules may ask about the world. Answers are memoised and bounded; undefined means "not known". */
export interface Facts {
  /** Absolute path with links resolved as far as it exists; the input when nothing can be resolved. */
  realPath(path: string): string;
  kind(path: string): "file" | "directory" | "link" | "other" | "missing" | undefined;
  /** Size of a regular file in bytes. */
  size(path: string): number | undefined;
  /** Names in a directory, at most a few thousand. */
  list(path: string): readonly string[] | undefined;
  /** Text of a regular file of at most `limit` bytes; never blocks on a FIFO or device. */
  text(path: string, limit: number): string | undefined;
  /** State of the repository that holds `path`; undefined when there is none or it cannot be looked at. */
  git(path: string): GitFacts | undefined;
  /** Variables of guard's own environment, which a host and what it starts have as a rule in common with guard. */
  environment(): Readonly<Record<string, string>>;
}

/** Every answer may be undefined: git missing, too slow, or not understood. Callers then take the stricter verdict. */
export interface GitFacts {
  readonly root: string;
  branch(): string | undefined;
  defaultBranch(): string | undefined;
  /** Modified or staged tracked files, relative to the root. */
  modified(): readonly string[] | undefined;
  /** Untracked files, relative to the root; a directory that holds nothing else is one name that ends in `/`. */
  untracked(): readonly string[] | undefined;
  /** Files of `modified` with an unresolved merge conflict. */
  conflicted(): readonly string[] | undefined;
  /** Tracked files below a path (absolute), at most `limit` names. */
  tracked(path: string, limit: number): readonly string[] | undefined;
  /** Ignored files below a path (absolute), directories collapsed. */
  ignored(path: string): readonly string[] | undefined;
  /** Whether git leaves this path (absolute, existing or not) out of the repository. */
  ignores(path: string): boolean | undefined;
  /** The lines that a commit of what is staged would add. */
  staged(): string | undefined;
  /** Whether everything on `branch` is reachable from the default branch or its upstream. */
  merged(branch: string): boolean | undefined;
  /** Number of commits that `ref` does not contain but HEAD does. */
  ahead(ref: string): number | undefined;
}

/** Where guard's own things are; protected for every tool. Absolute paths. */
export interface OwnPaths {
  readonly executable?: string;
  readonly policies: readonly string[];
  readonly state?: string;
}

/** Everything a rule may look at besides the action. */
export interface Context {
  readonly host?: string;
  readonly event: EventId;
  /** Absolute. */
  readonly cwd: string;
  /** Absolute. */
  readonly workspace: string;
  /** Absolute home directory of the user. */
  readonly home: string;
  readonly windows: boolean;
  /** Paths compare without case (macOS and Windows volumes). */
  readonly caseInsensitive: boolean;
  readonly temporary: readonly string[];
  readonly own: OwnPaths;
  readonly facts: Facts;
  readonly policy: Policy;
  /** Servers of the call that are not what they were. */
  readonly serverChanges?: readonly ServerChange[];
  /** Instant on the clock of `performance.now()` at which judging ends with a question; absent means never. */
  readonly until?: number;
}

/** A rule's answer. */
export interface Match {
  /** Overrides the rule's own decision for this match (`none` is no match). */
  readonly decision?: "ask" | "deny";
  readonly message?: string;
  readonly advice?: string;
  readonly evidence: Evidence;
  /** Told as a note, and stops nothing, unless the policy says by the rule's id or category what it decides. */
  readonly advisory?: boolean;
  /** A comment that the policy lets count stands at it: written down, and counts no further. */
  readonly excepted?: boolean;
}

/** An input with the place it is judged in; the examples of a rule are these. */
export interface Example {
  readonly action: Action | string;
  readonly decision?: Decision;
  readonly cwd?: string;
  /** Host id, for rules that hold for one host only. */
  readonly host?: string;
  /** Faked repository: see src/facts/fake.ts. */
  readonly facts?: FakeFacts;
  /** What a policy has to say for it. */
  readonly policy?: Partial<Pick<Policy, "prompts" | "inlineAllow" | "canaries" | "personalData">>;
}

/** A made-up world for examples and tests: paths are absolute. */
export interface FakeFacts {
  readonly files?: Readonly<Record<string, string>>;
  readonly directories?: readonly string[];
  readonly links?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly git?: {
    readonly root?: string;
    readonly branch?: string;
    readonly default?: string;
    readonly modified?: readonly string[];
    readonly untracked?: readonly string[];
    readonly conflicted?: readonly string[];
    readonly ignored?: readonly string[];
    readonly tracked?: readonly string[];
    readonly merged?: readonly string[];
    /** The lines that are staged. */
    readonly staged?: string;
    readonly ahead?: number;
  };
}

interface RuleBase {
  /** `category/bad-pattern`; stable for ever. */
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  readonly decision: "ask" | "deny";
  /** Level from which the rule is asked; absent means always. Below it, a policy can switch it on by its id. */
  readonly level?: Exclude<Level, "standard">;
  /** Why this is dangerous. */
  readonly rationale: string;
  /** What to do instead, addressed to the agent. */
  readonly advice: string;
  readonly examples: { readonly match: readonly Example[]; readonly pass: readonly Example[] };
  readonly references?: readonly string[];
}

/** Looks at one program that would run. `programs` is the prefilter: the rule is asked only for these. */
export interface InvocationRule extends RuleBase {
  readonly on: "invocation";
  readonly programs: readonly string[];
  match(invocation: Invocation, context: Context): Match | undefined;
}

/** Looks at one use of a path, from a shell command or a file tool. */
export interface PathRule extends RuleBase {
  readonly on: "path";
  readonly operations: readonly PathUse["operation"][];
  match(use: PathUse, context: Context, action: Action): Match | undefined;
}

/** Looks at a whole command: flows across pipes, substitutions, files and variables. */
export interface CommandRule extends RuleBase {
  readonly on: "command";
  /** The rule is asked only when one of these programs occurs; empty means always. */
  readonly programs: readonly string[];
  match(
    understanding: Understanding,
    uses: readonly PathUse[],
    context: Context,
    action: ActionOf<"shell">,
  ): readonly Match[];
}

/** Looks at an action that is no shell command: fetch, mcp, prompt, unknown, … */
export interface ActionRule extends RuleBase {
  readonly on: "action";
  readonly kinds: readonly Action["kind"][];
  match(action: Action, context: Context): Match | undefined;
}

/** A rule of any form. */
export type Rule = InvocationRule | PathRule | CommandRule | ActionRule;

/** Data form of a rule: what a policy can write, and what most built-in rules are made of. */
export interface RuleMatcher {
  /** Program names, any of. */
  readonly program?: string | readonly string[];
  /** Leading non-option arguments, in order; alternatives with `|`. */
  readonly subcommand?: readonly string[];
  /** At least one of these options is present (`-f` also in clusters). */
  readonly anyOption?: readonly string[];
  readonly allOptions?: readonly string[];
  readonly noOption?: readonly string[];
  /** Glob that some operand matches. */
  readonly operand?: string;
  /** Globs on paths, with the operations they are about. */
  readonly path?: string | readonly string[];
  readonly operation?: readonly PathUse["operation"][];
  /** Glob on the tool name (native, or `server/tool` for MCP). */
  readonly tool?: string;
  /** Host name or `*.suffix` of a fetch or of a URL argument. */
  readonly url?: string;
  /** Linear-time regular expression (RE2) on the action's text. */
  readonly text?: string;
}

/** How a deciding event is answered when guard itself fails. */
export type FailureMode = "deny" | "ask" | "none";

/** What is about people, as a policy can speak of it. */
export type PersonalKind = "email" | "phone" | "card" | "iban" | "nationalId";

/** What becomes of personal data: a note, taken out where the host can, or a denial where it would leave. */
export type PersonalUse = "warn" | "redact" | "deny";

/** What becomes of a prompt that holds what it should not. */
export type PromptUse = "off" | "warn" | "deny";

/** Findings that the user does not want. */
export interface Exception {
  readonly rule: string;
  readonly reason: string;
  /** Glob on the command text or path; absent means every action of the workspace. */
  readonly match?: string;
  /** Absolute directory in and below which it holds. */
  readonly under?: string;
  /** ISO date or instant after which it no longer counts. */
  readonly expires?: string;
}

/** What a policy says about a rule; `deny-only` leaves its questions out and keeps its denials. */
export type RuleOverride = "off" | "deny-only" | "ask" | "deny";

/** A value that an argument of a tool is compared with; a text is a glob. */
export type ToolValue = string | number | boolean | null;

/** What an argument has to be: one of these values, or none of them. */
export type ToolCondition =
  | ToolValue
  | readonly ToolValue[]
  | { readonly not: ToolValue | readonly ToolValue[] };

/** What a policy says about tools. */
export interface ToolPermission {
  /** Glob on `server/tool` of an MCP server in any of the hosts' spellings, a native name, or `@shell` and its like. */
  readonly tool: string;
  /** Ids of hosts on which it counts; absent means all. */
  readonly hosts?: readonly string[];
  /** Conditions by the names of members that lead to the argument, joined by dots; all of them have to hold. */
  readonly arguments?: Readonly<Record<string, ToolCondition>>;
  readonly decision: "allow" | "ask" | "deny";
  readonly reason?: string;
  /** Where it is written. */
  readonly layer: "managed" | "user" | "project";
}

/** What happens to tools that nothing allows. */
export interface ToolDefaults {
  /** By the host's id, or `*` for those that are not named. */
  readonly hosts: Readonly<Record<string, "none" | "ask" | "deny">>;
  readonly layer: ToolPermission["layer"];
}

/** What one layer says about addresses. */
export interface AddressRules {
  /** Host names, `*.suffix`, IP addresses and ranges of them (CIDR). */
  readonly allow: readonly string[];
  /** The same, and `*` for every host that is not allowed. */
  readonly deny: readonly string[];
  /** What happens to addresses of private networks that are not allowed. */
  readonly private: "none" | "ask" | "deny";
  readonly layer: ToolPermission["layer"];
}

/** What is done to a path, in the words of a policy. */
export type PathPermissionOperation = "read" | "write" | "delete" | "list" | "execute";

/** What a policy says about paths. */
export interface PathPermission {
  /** Globs; `~/` is home, relative ones are below the workspace. */
  readonly paths: readonly string[];
  /** Absent means all. */
  readonly operations?: readonly PathPermissionOperation[];
  readonly decision: "ask" | "deny";
  readonly reason?: string;
  readonly layer: ToolPermission["layer"];
}

/** The effective policy after layering. */
export interface Policy {
  readonly mode: "enforce" | "observe";
  readonly level: Level;
  readonly onError: FailureMode;
  readonly whenAskUnsupported: "deny" | "none";
  /** Rule id or `category/*` to decision. */
  readonly rules: Readonly<Record<string, RuleOverride>>;
  readonly exceptions: readonly Exception[];
  /** Globs of paths that agents must not change. */
  readonly protectedPaths: readonly string[];
  /** Commands (program and leading words, or globs) that yield `allow`. */
  readonly allowedCommands: readonly string[];
  readonly ownRules: readonly Rule[];
  /** What becomes of a prompt with a secret or a hidden text: nothing, a note, or a block where the host can. */
  readonly prompts: PromptUse;
  /** Whether `guard:allow` comments except the secrets that they stand at; an agent can write such comments, too. */
  readonly inlineAllow: boolean;
  /** Texts that must never leave; never shown. */
  readonly canaries: readonly string[];
  /** What becomes of personal data, by kind; a kind that is left out is not looked for. */
  readonly personalData: Readonly<Partial<Record<PersonalKind, PersonalUse>>>;
  readonly tools: readonly ToolPermission[];
  /** Of every layer that has some; each holds by itself. */
  readonly toolDefaults: readonly ToolDefaults[];
  /** Of every layer that has some; each holds by itself. */
  readonly addresses: readonly AddressRules[];
  readonly paths: readonly PathPermission[];
  /** Minimum set by the managed layer, which nothing below loosens. */
  readonly floor?: Pick<
    Policy,
    "mode" | "level" | "onError" | "whenAskUnsupported" | "rules" | "prompts" | "personalData"
  >;
}

/** A parsed hook payload with what the command line says about it. */
export interface HookInput {
  /** The JSON document; an object, since anything else is refused before. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** `--event`, when given. */
  readonly event?: string;
}

/** What the hook process gives back to the host. */
export interface HookReply {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** What is known about the call when an answer has to be rendered, even if the payload could not be read. */
export interface ReplyFrame {
  readonly event: EventId;
  readonly nativeEvent: string;
  /** The parsed call, when there is one. */
  readonly call?: HookCall;
}

/** A verdict as this host can express it, with its texts made. */
export interface Answer {
  readonly decision: Decision;
  /** For the model: what was stopped, by which rule, why, what to do instead. Not empty unless `none`. */
  readonly reason: string;
  /** For the person; may name `guard allow CODE`. */
  readonly userMessage: string;
  readonly notes: readonly Note[];
}

/** One of the events that a host offers. */
export interface HostEvent {
  /** The host's own name. */
  readonly native: string;
  /** Other names that it has in payloads. */
  readonly aliases?: readonly string[];
  readonly id: EventId;
  /** The host can be stopped here. */
  readonly gates: boolean;
  /** `guard install` registers it. */
  readonly install: boolean;
}

/** What a host can express. */
export interface HostCapabilities {
  /** `always`: really asks; `interactive`: only with a person at the terminal; `never`. */
  readonly ask: "always" | "interactive" | "never";
  /** Permission modes, as the host names them, in which a question is not known to reach a person. */
  readonly modesWithoutAsk?: readonly string[];
  readonly allow: boolean;
  readonly promptBlock: boolean;
  readonly replaceOutput: boolean;
  readonly rewriteInput: boolean;
  readonly addContext: boolean;
  /** Plain sentences about what this host does not show or cannot enforce. */
  readonly limits: readonly string[];
}

/** A place on disk, resolved by the installer: a base and path segments. */
export interface Location {
  /** `git-hooks`: where the project's repository keeps its hooks. */
  readonly base: "home" | "project" | "config" | "system" | "git-hooks";
  readonly segments: readonly string[];
  /** Environment variables that relocate it, first set one wins; `segments` are then below its value. */
  readonly relocatedBy?: readonly { readonly variable: string; readonly segments: readonly string[] }[];
}

/** One entry that install appends to an array inside a configuration file. */
export interface InstallEntry {
  readonly event: string;
  /** Keys that lead to the array, from the root of the document. */
  readonly at: readonly string[];
  /** Value to append; `command` is the ready hook command line, quoted for `shell` (absent: a POSIX shell). */
  value(command: string, shell?: HookShell): unknown;
}

/** One member that install sets inside a configuration file. */
export interface InstallSetting {
  /** The event of which it makes sure that the host tells. */
  readonly event: string;
  /** Keys that lead to the member, from the root of the document. */
  readonly at: readonly string[];
  readonly value: string | number | boolean;
}

/** The shell through which a host starts a hook; `none`: the host splits the words itself. */
export type HookShell = "sh" | "cmd" | "powershell" | "none";

/** What stops a call when guard itself did not end well. */
export type Wrapper =
  /** Nothing, or exit code 2 with a reason on stderr. */
  | boolean
  /** An answer on a line of its own at the end of stdout, on hosts that look at no exit code. */
  | { readonly line: (reason: string) => string };

/** A file in which a host keeps definitions of MCP servers. */
export interface ServerSource {
  readonly location: Location;
  readonly format: "json" | "jsonc" | "toml";
  /** Keys that lead to the servers by their names; `{project}` is the absolute path of the project. */
  readonly at: readonly string[];
}

/** An MCP server that is not the one that was first seen. */
export interface ServerChange {
  /** Index into the call's actions. */
  readonly action: number;
  readonly server: string;
  /** Sentences for the person; hold no secret. */
  readonly text: string;
}

/** Where this host cannot be stopped by a hook. Without `scope` and `system` it cannot be stopped at all. */
export interface Unenforced {
  readonly scope?: "user" | "project";
  readonly system?: System;
  /** Sentences for the person: what is known, and what can be done instead. */
  readonly why: string;
}

interface TargetBase {
  readonly scope: "user" | "project";
  readonly location: Location;
  /** Systems on which the host looks there; absent means all. */
  readonly system?: "posix" | "windows";
}

/** A configuration file of the host that an installation merges entries into. */
export interface MergeTarget extends TargetBase {
  readonly format: "json" | "jsonc";
  /** The location is a directory, and every file in it with this ending is edited; none is made. */
  readonly each?: string;
  /** Members that a fresh file needs beside the entries (`{"version": 1}`). */
  readonly skeleton?: Readonly<Record<string, unknown>>;
  readonly entries: readonly InstallEntry[];
  readonly settings?: readonly InstallSetting[];
  /** Id of the host under whose name the commands are registered, where the file is another host's as well. */
  readonly host?: string;
}

/** A file that guard writes whole and owns: a hook script, a plugin. One that is there already is never replaced. */
export interface WholeTarget extends TargetBase {
  readonly format: "whole";
  /** Native names of the events that the file registers. */
  readonly events: readonly string[];
  /** The file gets the permission to be executed. */
  readonly executable: boolean;
  /** The file blocks by itself when the command fails in any way, or is missing. */
  readonly failClosed?: boolean;
  /** The text of the file. */
  content(parts: WholeParts): string;
}

/** What the text of a whole file is made of. */
export interface WholeParts {
  /** One word by which guard knows its file again; must stand in the text exactly once, in a comment or a text. */
  readonly stamp: string;
  /** The quoted command line of an event, in the shell through which the host starts hooks. */
  line(event: string): string;
  /** The same command as a program and its arguments, without any closing wrapper. */
  argv(event: string): readonly string[];
}

/** A file that an installation edits or makes. */
export type InstallTarget = MergeTarget | WholeTarget;

/** A setting of the host that switches hooks off; `guard doctor` looks for it. */
export interface HookSwitch {
  readonly location: Location;
  /** Where it is looked for when the first place does not say anything. */
  readonly otherwise?: readonly Location[];
  readonly format: "json" | "jsonc" | "toml" | "yaml";
  /** Keys that lead to the setting, from the root of the document. */
  readonly at: readonly string[];
  /** Value with which hooks are off. */
  readonly off?: unknown;
  /** Value without which hooks are off. */
  readonly on?: unknown;
}

/** What a made-up payload of `guard doctor` is about. */
export interface ProbeFrame {
  /** The call must be denied (deleting the home directory and the like), else it must pass. */
  readonly harmful: boolean;
  readonly session: string;
  /** Absolute. */
  readonly cwd: string;
  /** Absolute home directory of the user. */
  readonly home: string;
}

/** How a host is started with its approvals or hooks switched off. */
export interface Unchecked {
  /** Names of the programs that start it. */
  readonly programs: readonly string[];
  readonly options: readonly string[];
  /** Options that take a value, with a regular expression for the values that count. */
  readonly values?: Readonly<Record<string, string>>;
  /** Subcommands that approve everything by themselves. */
  readonly verbs?: readonly string[];
  /** A regular expression for words after the options, joined, that change hooks or approvals for good. */
  readonly commands?: string;
  /** Packages whose scripts are the agent, as they stand in a path. */
  readonly packages?: readonly string[];
  /** Variables, with a regular expression for the values that count. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** How a host is told about the result of a tool. */
export interface OutputForm {
  /** Top-level field of the payload that has the result. */
  readonly field: string;
  /** The host shows the model what it is told in the place of the result; on some hosts only that of some tools. */
  readonly replaces: boolean | ((payload: HookInput["payload"]) => boolean);
  /** The result, where the field has it in another form than the host takes back. */
  readonly read?: (payload: HookInput["payload"]) => unknown;
  /**
   * @param said `note` is for the model. With `result`, the value of the field in its own shape with secrets taken out,
   * and `text`, all of its texts, the result is to be replaced.
   */
  render(
    said: { readonly note: string; readonly result?: unknown; readonly text?: string },
    nativeEvent: string,
  ): HookReply;
}

/** Everything that guard knows about one host. */
export interface HostAdapter {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly title: string;
  /** Where the wire format is specified. */
  readonly documentation: string;
  readonly events: readonly HostEvent[];
  readonly capabilities: HostCapabilities;
  /** Shell through which the host starts a hook command, by system. */
  readonly hookShell: { readonly posix: "sh" | "none"; readonly windows: HookShell };
  /** What the shell around the hook command says when guard failed, so that the host blocks. */
  readonly wrapper: Wrapper;
  /** What on PATH and on disk means that the host is installed. */
  readonly detect: {
    /** Programs that are agents. */
    readonly executables: readonly string[];
    /** Programs that contain an agent beside a person's own terminal. */
    readonly editors?: readonly string[];
    readonly locations: readonly Location[];
  };
  readonly install: readonly InstallTarget[];
  /** Sentences for the person after an installation (trust steps and the like). */
  readonly afterInstall: readonly string[];
  /** Scopes and systems in which hooks do not stop it; installing there says so. */
  readonly unenforced?: readonly Unenforced[];
  /**
   * Globs, below any directory, of further files in which it keeps hooks, permissions or trust, beside those of
   * `install` and `disabledBy`: agents must not change them.
   */
  readonly settings?: readonly string[];
  /** Where it keeps the definitions of MCP servers. */
  readonly servers?: readonly ServerSource[];
  /** How an agent would start it without its checks. */
  readonly unchecked?: Unchecked;
  /** Settings with which this host runs no hooks. */
  readonly disabledBy?: readonly HookSwitch[];
  /** A payload as this host sends it at a gating event, or undefined where no harmful one exists. */
  probe?(nativeEvent: string, frame: ProbeFrame): Readonly<Record<string, unknown>> | undefined;
  /** Top-level fields that a payload has besides when a subagent calls. */
  readonly subagent?: Readonly<Record<string, unknown>>;
  /** Top-level fields of payloads, of which every payload that `recognises` accepts has at least one. */
  readonly marks: readonly string[];
  /** Form of what comes on stdin: one JSON object, or any text, which is then the payload's `text`. */
  readonly payload?: "json" | "text";
  /** True when the top-level fields of this payload plainly come from this host. */
  recognises(payload: Readonly<Record<string, unknown>>): boolean;
  /** Throws PayloadError when the payload lacks what this event needs. */
  parse(input: HookInput): HookCall;
  /** What can be said about results of tools, by the native name of the event. */
  readonly output?: Readonly<Record<string, OutputForm>>;
  /** Total: never throws, and never yields an empty success for a denial. */
  render(answer: Answer, frame: ReplyFrame): HookReply;
}

/** One line of the audit log. Holds no secret. */
export interface AuditRecord {
  /** ISO instant. */
  readonly time: string;
  readonly version: string;
  readonly host: string;
  readonly event: EventId;
  readonly nativeEvent: string;
  readonly session?: string;
  readonly callId?: string;
  readonly cwd?: string;
  readonly tool?: string;
  /** Redacted and shortened text of what was judged. */
  readonly subject: string;
  readonly decision: Decision;
  /** What the host was told; differs from `decision` when it cannot ask or in observe mode. */
  readonly answered: Decision;
  readonly enforced: boolean;
  readonly rules: readonly string[];
  /** What was seen and does not decide. */
  readonly notes?: readonly string[];
  readonly failure?: string;
  readonly code?: string;
  /** Duration of reading, judging and rendering, in milliseconds. */
  readonly milliseconds: number;
}
