/** Deletions in clouds and object stores. */

import type { Form, FormCommand } from "../shared/forms.ts";
import { verbIn } from "./clients.ts";

const awss = "aws awslocal";

/** Deletions so small or so ordinary that a question would be noise. */
const smallAws =
  /^(?:delete-message(?:-batch)?|delete-item|delete-object-tagging|delete-tags|remove-tags\S*|delete-alarms|delete-dashboards|delete-metric-filter|delete-log-stream|delete-bucket-tagging|delete-change-set|delete-notebook-metadata|delete-endpoint-config)$/;

const harmfulAws =
  /^(?:delete-|batch-delete-|remove-|terminate-|deregister-|disable-|purge-|schedule-key-deletion|revoke-|release-address|cancel-capacity|destroy-|detach-(?:volume|disk)|reset-|abort-environment|close-account|leave-organization|stop-(?:db-|logging|configuration-recorder)|wipe-|archive-|admin-(?:delete|disable|remove)-)/;

function deletesAws({ operands }: FormCommand): boolean {
  const service = operands[0]?.text ?? "";
  const verb = operands[1]?.text ?? "";
  return service !== "s3" && harmfulAws.test(verb) && !smallAws.test(verb);
}

/** What would have been kept is given up as well. */
function skipsSnapshot({ has, options }: FormCommand): boolean {
  return has(
    "--skip-final-snapshot",
    "--skip-final-cluster-snapshot",
    "--force-delete-without-recovery",
    "--delete-automated-backups",
  ) ||
    options.some(({ name, value }) => name === "--recovery-window-in-days" && value?.text === "0");
}

/** A synchronisation to a local directory deletes there, which is judged as paths are. */
function toRemote({ operands }: FormCommand): boolean {
  const last = operands.at(-1)?.text ?? "";
  return /^(?:s3|gs|https?|oss|cos|b2|az):\/\//.test(last) || !/^[./~]/.test(last);
}

const quiet = ["--quiet", "-q"];

export const deleteForms: readonly Form[] = [
  {
    on: awss,
    words: "s3 rm",
    options: ["--recursive"],
    says: "Every object below the prefix would be deleted",
  },
  {
    on: awss,
    words: "s3 rm",
    when: ({ production }) => production,
    decision: "deny",
    says: "An object would be deleted",
  },
  { on: awss, words: "s3 rb", unasked: ["--force"], says: "A bucket would be deleted" },
  {
    on: awss,
    words: "s3 sync",
    options: ["--delete"],
    when: toRemote,
    says: "Objects that the source does not have would be deleted",
  },
  {
    on: awss,
    words: "s3 mv",
    options: ["--recursive"],
    says: "Every object below the prefix would be moved away",
  },
  {
    on: awss,
    when: (command) => deletesAws(command) && !skipsSnapshot(command),
    says: "Something of the account would be deleted or switched off",
  },
  {
    on: awss,
    when: (command) => deletesAws(command) && skipsSnapshot(command),
    decision: "deny",
    says: "Something of the account would be deleted without a snapshot or a time to recover it",
  },
  {
    on: awss,
    words: "s3api|ec2|rds|route53|dynamodb|kms|cloudtrail *",
    when: ({ operands, invocation }) =>
      operands[1]?.text === "change-resource-record-sets" &&
      invocation.args.some(({ text }) => /"Action"\s*:\s*"DELETE"/.test(text)),
    says: "Names would no longer be found",
  },
  {
    on: awss,
    words: "s3api put-bucket-lifecycle-configuration|put-bucket-versioning",
    says: "How long objects and their versions are kept would change",
  },
  {
    on: awss,
    words: "ec2 stop-instances",
    when: ({ production }) => production,
    says: "Machines would be stopped",
  },
  { on: "cdk", words: "gc", options: ["--action"], says: "Assets would be deleted" },
  {
    on: "gcloud",
    when: verbIn(
      /^(?:delete|rm|remove|destroy|purge|delete-\S+|remove-(?!iam-policy)\S+|stop-deleting|abandon-instances|reset-windows-password|truncate)$/,
    ),
    unasked: quiet,
    says: "Something of the project would be deleted",
  },
  {
    on: "gcloud",
    words: "storage rsync",
    options: ["--delete-unmatched-destination-objects"],
    says: "Objects that the source does not have would be deleted",
  },
  {
    on: "gcloud",
    words: "services disable",
    unasked: quiet,
    says: "A service would be switched off, with what uses it",
  },
  { on: "gsutil", words: "rm|rb", says: "Objects or buckets would be deleted" },
  {
    on: "gsutil",
    words: "rsync",
    options: ["-d"],
    without: ["-n"],
    says: "Objects that the source does not have would be deleted",
  },
  { on: "bq", words: "rm", unasked: ["-f", "--force"], says: "Tables or data sets would be deleted" },
  {
    on: "az",
    when: verbIn(
      /^(?:delete|purge|delete-\S+|remove|remove-\S+|destroy|renew|regenerate|rotate-\S+|regenerate-\S+|delete-batch)$/,
    ),
    unasked: ["--yes", "-y"],
    says: "Something of the subscription would be deleted or replaced",
  },
  {
    on: "az",
    words: "storage blob delete-batch|sync",
    options: ["--delete-destination"],
    says: "Objects would be deleted",
  },
  {
    on: "doctl",
    when: verbIn(/^(?:delete|d|rm|remove|destroy|delete-\S+|delete-dangerous)$/),
    unasked: ["-f", "--force"],
    says: "Something of the account would be deleted",
  },
  {
    on: "hcloud",
    words: "* delete|remove|rebuild|disable-protection",
    says: "Something of the project would be deleted",
  },
  {
    on: "linode-cli vultr-cli scw ibmcloud exo civo upctl openstack nova aliyun tccli yc",
    when: verbIn(
      /^(?:delete|rm|remove|destroy|terminate|delete-\S+|\S+-delete|\S+-rm|Delete\S+|Terminate\S+|Release\S+|delete_\S+|rebuild)$/,
    ),
    unasked: ["-f", "--force", "--yes", "-y"],
    says: "Something of the account would be deleted",
  },
  {
    on: "oci",
    when: verbIn(/^(?:delete|bulk-delete|terminate|schedule-\S*deletion|purge)$/),
    unasked: ["--force"],
    says: "Something of the tenancy would be deleted",
  },
  {
    on: "b2",
    words: "delete-bucket|delete-file-version|delete-key|hide-file|bucket|file|rm *",
    when: ({ operands }) =>
      /^(?:delete\S*|rm|hide)$/.test(operands[0]!.text) || /^(?:delete|hide)$/.test(operands[1]!.text),
    says: "Files or buckets would be deleted",
  },
  {
    on: "b2",
    words: "sync",
    options: ["--delete"],
    says: "Files that the source does not have would be deleted",
  },
  {
    on: "rclone",
    words: "delete|purge|deletefile|rmdirs|cleanup|rmdir",
    without: ["-n"],
    says: "Files of the remote would be deleted",
  },
  {
    on: "rclone",
    words: "sync|bisync|move",
    without: ["-n"],
    when: ({ operands }) => operands.slice(1).some(({ text }) => /^[\w.-]+:/.test(text)),
    says: "Files of the destination or source would be deleted",
  },
  { on: "mc", words: "rm", options: ["-r", "--recursive"], says: "Objects would be deleted" },
  { on: "mc", words: "rb", says: "Buckets would be deleted" },
  {
    on: "mc",
    words: "mirror",
    options: ["--remove"],
    says: "Objects that the source does not have would be deleted",
  },
  {
    on: "mc",
    words: "admin user|policy|bucket remove|rm|delete",
    says: "Accounts or policies would be deleted",
  },
  {
    on: "s3cmd",
    words: "del|rm",
    options: ["-r", "--recursive", "-f", "--force"],
    without: ["-n"],
    says: "Objects would be deleted",
  },
  { on: "s3cmd", words: "rb", says: "A bucket would be deleted" },
  {
    on: "s3cmd",
    words: "sync",
    options: ["--delete-removed"],
    without: ["-n"],
    says: "Objects that the source does not have would be deleted",
  },
  {
    on: "s5cmd",
    words: "rm",
    when: ({ operands }) => operands.slice(1).some(({ text }) => /[*?]|\/$/.test(text)),
    says: "Objects would be deleted",
  },
  { on: "s5cmd", words: "rb", says: "A bucket would be deleted" },
  {
    on: "s5cmd",
    words: "sync",
    options: ["--delete"],
    says: "Objects that the source does not have would be deleted",
  },
  { on: "azcopy", words: "remove|rm", says: "Objects would be deleted" },
  {
    on: "azcopy",
    words: "sync",
    when: ({ options }) =>
      options.some(({ name, value }) => name === "--delete-destination" && value?.text !== "false"),
    says: "Objects that the source does not have would be deleted",
  },
];
