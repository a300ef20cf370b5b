/**
 * Parts of understanding actions that few of them need: each is loaded when an action first asks for it.
 *
 * Understanding does no I/O and waits for nothing. So a part that is not there yet ends it with `MissingPart`; whoever
 * prepares an action loads that part and begins anew (src/reading.ts), which gives what it would have given at once.
 */

interface Parts {
  /** The shell parser, which is the largest. */
  readonly parser: typeof import("./shell/understand.ts");
  readonly cmd: typeof import("./shell/cmd.ts");
  readonly powershell: typeof import("./shell/powershell.ts");
  /** Code of Python, JavaScript and their like. */
  readonly scripts: typeof import("./shell/code/reader.ts");
  readonly sed: typeof import("./shell/sed.ts");
  readonly editors: typeof import("./shell/editors.ts");
  readonly hiddenCode: typeof import("./shell/hidden_code.ts");
  /** What `npm run x` and its like run. */
  readonly projectScripts: typeof import("./shell/project_scripts.ts");
  readonly recipes: typeof import("./shell/recipes.ts");
  readonly parallel: typeof import("./shell/parallel.ts");
  readonly mounts: typeof import("./paths/mounts.ts");
  readonly secretPaths: typeof import("./paths/secret.ts");
  /** For tools of MCP servers and others that no adapter knows. */
  readonly toolArguments: typeof import("./tool_arguments.ts");
  /** For policies that speak of tools. */
  readonly toolPermissions: typeof import("./policy/tool_permissions.ts");
  /** For policies that speak of addresses. */
  readonly addressPermissions: typeof import("./policy/address_permissions.ts");
  /** For policies that speak of paths, and where a marker file lies. */
  readonly pathPermissions: typeof import("./policy/path_permissions.ts");
  /** For the paths of Windows. */
  readonly nodePath: typeof import("node:path");
}

type PartName = keyof Parts;

const loaders: { readonly [N in PartName]: () => Promise<Parts[N]> } = {
  parser: () => import("./shell/understand.ts"),
  cmd: () => import("./shell/cmd.ts"),
  powershell: () => import("./shell/powershell.ts"),
  scripts: () => import("./shell/code/reader.ts"),
  sed: () => import("./shell/sed.ts"),
  editors: () => import("./shell/editors.ts"),
  hiddenCode: () => import("./shell/hidden_code.ts"),
  projectScripts: () => import("./shell/project_scripts.ts"),
  recipes: () => import("./shell/recipes.ts"),
  parallel: () => import("./shell/parallel.ts"),
  mounts: () => import("./paths/mounts.ts"),
  secretPaths: () => import("./paths/secret.ts"),
  toolArguments: () => import("./tool_arguments.ts"),
  toolPermissions: () => import("./policy/tool_permissions.ts"),
  addressPermissions: () => import("./policy/address_permissions.ts"),
  pathPermissions: () => import("./policy/path_permissions.ts"),
  nodePath: () => import("node:path"),
};

const loaded: { -readonly [N in PartName]?: Parts[N] } = {};

/** Thrown by {@link part}; nobody but who loads parts may catch it. */
export class MissingPart extends Error {
  readonly part: PartName;

  constructor(part: PartName) {
    super(`the part "${part}" was not loaded before judging`);
    this.part = part;
  }
}

/** A part that has been loaded. Throws MissingPart when it has not. */
export function part<N extends PartName>(name: N): Parts[N] {
  const found: Parts[N] | undefined = loaded[name];
  if (found === undefined) throw new MissingPart(name);
  return found;
}

/** Loads a part, once. */
export async function loadPart<N extends PartName>(name: N): Promise<void> {
  loaded[name] ??= await loaders[name]();
}

/** Loads all parts, after which no action lacks one. */
export async function loadAllParts(): Promise<void> {
  for (const name of Object.keys(loaders) as PartName[]) await loadPart(name);
}
