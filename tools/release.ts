/**
 * Makes everything that a release holds, in dist/release: an executable per platform, SHA256SUMS, and the install scripts and package
 * manifests with the release's address, version and checksums filled in.
 *
 *   deno task release --tag vX.Y.Z --repository https://…
 */
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { compileGuard, targets } from "./compile.ts";
import { checkVersion, projectVersion, root } from "./deno.ts";

/** The files of installers/ that go into a release. */
export const templates = ["install.sh", "install.ps1", "guard.rb", "guard.json"] as const;

export interface ReleaseFacts {
  readonly repository: string;
  readonly tag: string;
  readonly version: string;
  /** SHA-256 in hex by asset name. */
  readonly checksums: Readonly<Record<string, string>>;
}

/** Replaces the names between @ signs. @throws Error when a checksum is missing. */
export function fill(template: string, facts: ReleaseFacts): string {
  const simple: Readonly<Record<string, string>> = {
    REPOSITORY: facts.repository,
    VERSION: facts.version,
    BASE_URL: `${facts.repository}/releases/download/${facts.tag}`,
  };
  return template.replace(/@(REPOSITORY|VERSION|BASE_URL)@|@SHA256:([\w.-]+)@/g, (_, name, asset) => {
    const value = name === undefined ? facts.checksums[asset] : simple[name];
    if (value === undefined) throw new Error(`the release has no checksum of ${asset}`);
    return value;
  });
}

async function sha256(path: string): Promise<string> {
  return createHash("sha256").update(await Deno.readFile(path)).digest("hex");
}

if (import.meta.main) {
  checkVersion(true);
  const { values } = parseArgs({
    args: Deno.args,
    options: { tag: { type: "string" }, repository: { type: "string" } },
  });
  const version = projectVersion();
  const { tag, repository } = values;
  if (tag !== `v${version}` || repository === undefined || !/^https:\/\/[^@]+$/.test(repository)) {
    console.error(`expected --tag v${version} (as in deno.json), got ${tag}`);
    console.error(`expected --repository https://…, got ${repository}`);
    Deno.exit(64);
  }
  const folder = `${root}/dist/release`;
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  await Deno.mkdir(folder, { recursive: true });
  const checksums: Record<string, string> = {};
  for (const [target, asset] of Object.entries(targets)) {
    checksums[asset] = await sha256(await compileGuard(`${folder}/${asset}`, target));
    console.log(`${checksums[asset]}  ${asset}`);
  }
  for (const name of templates) {
    const template = await Deno.readTextFile(`${root}/installers/${name}`);
    await Deno.writeTextFile(`${folder}/${name}`, fill(template, { repository, tag, version, checksums }));
  }
  const sums = Object.entries(checksums).map(([asset, sum]) => `${sum}  ${asset}\n`).join("");
  await Deno.writeTextFile(`${folder}/SHA256SUMS`, sums);
}
