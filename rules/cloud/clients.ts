/** How the clients of clouds read their command lines. */

import type { Word } from "../../src/shell/model.ts";
import type { OptionSpec } from "../options.ts";
import type { Clients, FormCommand } from "../shared/forms.ts";

const aws: OptionSpec = {
  values: [
    "--profile",
    "--region",
    "--output",
    "--endpoint-url",
    "--query",
    "--color",
    "--ca-bundle",
    "--cli-read-timeout",
    "--cli-connect-timeout",
    "--cli-binary-format",
    "--include",
    "--exclude",
    "--acl",
    "--grants",
    "--sse",
    "--sse-kms-key-id",
    "--storage-class",
    "--cidr",
    "--group-id",
    "--group-name",
    "--protocol",
    "--port",
    "--instance-ids",
    "--bucket",
    "--key",
    "--policy",
    "--name",
    "--names",
    "--filters",
    "--content-type",
    "--source-region",
    "--metadata",
  ],
};

const gcloud: OptionSpec = {
  values: [
    "--project",
    "--account",
    "--format",
    "--filter",
    "--region",
    "--zone",
    "--configuration",
    "--impersonate-service-account",
    "--verbosity",
    "--billing-project",
    "--location",
    "--member",
    "--role",
    "--instance",
    "--cluster",
    "--secret",
    "--iam-account",
    "--keyring",
    "--key",
    "--limit",
    "--flags-file",
    "--zones",
    "--regions",
    "--type",
    "--database",
    "--trace-token",
    "--sort-by",
  ],
};

export const clients: Clients = {
  aws,
  awslocal: aws,
  gcloud,
  gsutil: { values: ["-o", "-h", "-u", "-i"] },
  bq: { values: ["--project_id", "--location", "--format", "--dataset_id"] },
  az: (args) => ({ values: azureOptions(args) }),
  doctl: {
    values: [
      "-t",
      "--access-token",
      "--context",
      "-o",
      "--output",
      "-c",
      "--config",
      "-u",
      "--api-url",
      "--format",
    ],
  },
  hcloud: { values: ["--context", "--config", "-o", "--output"] },
  rclone: {
    values: [
      "--config",
      "--transfers",
      "--checkers",
      "--include",
      "--exclude",
      "--filter",
      "--filter-from",
      "--max-age",
      "--min-age",
      "--bwlimit",
      "--log-level",
      "--log-file",
      "--backup-dir",
    ],
    attached: [],
  },
  mc: { values: ["--older-than", "--newer-than", "--rewind", "-C", "--config-dir", "--version-id"] },
  s3cmd: {
    values: [
      "-c",
      "--config",
      "--access_key",
      "--secret_key",
      "--host",
      "--host-bucket",
      "--region",
      "--include",
      "--exclude",
    ],
  },
  s5cmd: { values: ["--endpoint-url", "--profile", "--credentials-file", "--log", "--numworkers"] },
  azcopy: { values: [] },
  oci: { values: ["--profile", "--config-file", "--region", "--output", "--query"] },
  b2: { values: ["--profile"] },
  ibmcloud: { values: ["-g", "-r", "--output"] },
  "linode-cli": { values: ["--as-user", "--format"] },
  scw: { values: ["-p", "--profile", "-c", "--config", "-o", "--output"] },
  vultr: {},
  "vultr-cli": { values: ["--config", "-o", "--output"] },
};

/** Options of `az` that take no value; of all others the next word is the value. */
const azureFlags = new Set([
  "--yes",
  "-y",
  "--no-wait",
  "--debug",
  "--verbose",
  "--only-show-errors",
  "--help",
  "-h",
  "--force",
  "--purge",
  "--auth-mode-login",
]);

/** Options of `az` that stand in front of the command, and those given with a value of their own. */
function azureOptions(args: readonly Word[]): readonly string[] {
  return args.slice(0, 500).map(({ text }) => text)
    .filter((text) => text.startsWith("-") && !text.includes("=") && !azureFlags.has(text));
}

/** Words of a command of which the verb stands at the end or in front of a name (`sql instances delete shop`). */
export function verbIn(verbs: RegExp): (command: FormCommand) => boolean {
  return ({ operands }) => {
    const at = operands.findIndex(({ text }, index) => index > 0 && verbs.test(text));
    if (at <= 0) return false;
    // Logs are a group of their own, too: `gcloud logging logs delete NAME`.
    const last = operands[at]!.text === "delete" && /^logs?$/.test(operands[at - 1]!.text) ? at - 1 : at;
    return !operands.slice(0, last).some(({ text }) => reading.test(text));
  };
}

/** Verbs behind which comes a name, whatever it is called. */
const reading = /^(?:list|describe|show|get|get-[a-z-]+|ssh|view|search|log|logs|read|ls|cat|stat)$/;
