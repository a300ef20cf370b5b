/** Rules about infrastructure as code: Terraform and its kin, Pulumi, CDK, Ansible, and HashiCorp's services. */

import type { Rule } from "../src/types.ts";
import type { OptionSpec } from "./options.ts";
import { type Clients, type Form, type FormCommand, formRule } from "./shared/forms.ts";

const terraform: OptionSpec = {
  values: ["-var", "-var-file", "-target", "-replace", "-chdir"],
  style: "words",
};

const terragrunt: OptionSpec = {
  values: [
    "-var",
    "-var-file",
    "-target",
    "--terragrunt-working-dir",
    "--working-dir",
    "--terragrunt-config",
    "--config",
    "--terragrunt-log-level",
    "--queue-include-dir",
    "--queue-exclude-dir",
  ],
  style: "words",
};

const clients: Clients = {
  terraform,
  tofu: terraform,
  opentofu: terraform,
  terragrunt,
  pulumi: {
    values: [
      "-s",
      "--stack",
      "-C",
      "--cwd",
      "-t",
      "--target",
      "--color",
      "-m",
      "--message",
      "-p",
      "--parallel",
      "-c",
      "--config",
    ],
  },
  cdk: {
    values: [
      "-a",
      "--app",
      "-c",
      "--context",
      "--profile",
      "-o",
      "--output",
      "-r",
      "--role-arn",
      "--toolkit-stack-name",
      "--require-approval",
    ],
  },
  cdktf: { values: ["-a", "--app", "-o", "--output"] },
  sam: {
    values: [
      "--stack-name",
      "--profile",
      "--region",
      "--config-env",
      "--config-file",
      "--s3-bucket",
      "--s3-prefix",
    ],
  },
  serverless: { values: ["-s", "--stage", "-r", "--region", "-c", "--config", "--aws-profile"] },
  sls: { values: ["-s", "--stage", "-r", "--region", "-c", "--config", "--aws-profile"] },
  sst: { values: ["--stage", "--profile"] },
  ansible: {
    values: [
      "-m",
      "--module-name",
      "-a",
      "--args",
      "-i",
      "--inventory",
      "-u",
      "--user",
      "-l",
      "--limit",
      "-e",
      "--extra-vars",
      "-f",
      "--forks",
      "--become-user",
      "--private-key",
    ],
  },
  nomad: { style: "words", values: ["-address", "-namespace", "-region", "-token"] },
  consul: { style: "words", values: ["-http-addr", "-token", "-datacenter", "-namespace"] },
  vault: { style: "words", values: ["-address", "-namespace", "-mount", "-versions", "-format", "-field"] },
  waypoint: { style: "words" },
  copilot: { values: ["-n", "--name", "-a", "--app", "-e", "--env"] },
  eb: { values: ["--profile", "-r", "--region"] },
  amplify: { values: ["--appId", "--envName"] },
};

const terraforms = "terraform tofu opentofu terragrunt";
const confirmed = [
  "-auto-approve",
  "--auto-approve",
  "-force",
  "--non-interactive",
  "--terragrunt-non-interactive",
];

/** Options that Terraform adds from the environment. */
function byEnvironment(verb: string, option: string): (command: FormCommand) => boolean {
  return ({ environment }) =>
    environment.some(({ name, value }) =>
      (name === "TF_CLI_ARGS" || name === `TF_CLI_ARGS_${verb}`) && value.text.includes(option)
    );
}

/** The words of `terragrunt run --all destroy` as those of `terragrunt destroy`. */
function says(verb: string): (command: FormCommand) => boolean {
  return ({ operands }) => {
    const words = operands.map((word) => word.text);
    return words[0] === "run" ? words.slice(1, 3).includes(verb) : words[0] === verb;
  };
}

/** A command of a host's module that deletes. */
function deletesOnHosts({ options }: FormCommand): boolean {
  const module = options.find(({ name }) => name === "-m" || name === "--module-name")?.value?.text ??
    "command";
  const args = options.find(({ name }) => name === "-a" || name === "--args")?.value?.text ?? "";
  if (/(?:^|\.)(?:command|shell|raw|script|win_shell|win_command)$/.test(module)) {
    return /(?:^|[\s;|&/])(?:rm|dd|mkfs\S*|shutdown|reboot|poweroff|halt|userdel|wipefs|truncate|shred)(?:\s|$)/
      .test(args);
  }
  return /(?:^|[\s,])state=["']?absent/.test(args) || /(?:^|\.)(?:reboot|win_reboot)$/.test(module);
}

const destroyForms: readonly Form[] = [
  {
    on: terraforms,
    when: says("destroy"),
    unasked: confirmed,
    says: "Everything that the state lists would be destroyed",
  },
  {
    on: terraforms,
    words: "destroy",
    decision: "deny",
    when: byEnvironment("destroy", "auto-approve"),
    says: "Everything that the state lists would be destroyed",
  },
  {
    on: terraforms,
    when: says("apply"),
    options: ["-destroy", "--destroy"],
    unasked: confirmed,
    says: "Everything that the state lists would be destroyed",
  },
  {
    on: terraforms,
    words: "apply",
    when: (command) => byEnvironment("apply", "-destroy")(command),
    decision: "deny",
    says: "Everything that the state lists would be destroyed",
  },
  {
    on: "terragrunt",
    words: "destroy-all|run-all destroy",
    unasked: confirmed,
    says: "Every module's resources would be destroyed",
  },
  {
    on: "terragrunt",
    words: "run-all destroy",
    decision: "deny",
    when: ({ has }) => has(...confirmed),
    says: "Every module's resources would be destroyed",
  },
  { on: "terragrunt", words: "destroy-all", says: "Every module's resources would be destroyed" },
  {
    on: "pulumi",
    words: "destroy|down|dn",
    unasked: ["-y", "--yes", "-f", "--skip-preview"],
    says: "Every resource of the stack would be destroyed",
  },
  {
    on: "pulumi",
    words: "stack rm",
    unasked: ["-y", "--yes", "-f", "--force"],
    says: "The stack and its history would be removed",
  },
  { on: "cdk", words: "destroy", unasked: ["-f", "--force"], says: "The stacks would be destroyed" },
  { on: "cdktf", words: "destroy", unasked: ["--auto-approve"], says: "The stacks would be destroyed" },
  { on: "sam", words: "delete", unasked: ["--no-prompts"], says: "The stack would be deleted" },
  { on: "serverless sls", words: "remove", says: "The service and its resources would be removed" },
  { on: "sst", words: "remove", says: "The resources of the stage would be removed" },
  {
    on: "copilot",
    words: "app|env|svc|job|pipeline delete",
    unasked: ["--yes"],
    says: "The application or environment would be deleted",
  },
  { on: "eb", words: "terminate", unasked: ["--force"], says: "The environment would be terminated" },
  {
    on: "amplify",
    words: "delete",
    unasked: ["--force", "-y", "--yes"],
    says: "The project would be deleted in the cloud",
  },
  { on: "amplify", words: "env remove", says: "An environment would be deleted in the cloud" },
  {
    on: "nomad",
    words: "job|system stop|gc",
    options: ["-purge"],
    says: "The job would be stopped and forgotten",
  },
  { on: "nomad", words: "stop", options: ["-purge"], says: "The job would be stopped and forgotten" },
  {
    on: "nomad",
    words: "namespace|volume|node delete|purge|deregister",
    says: "A volume, node or namespace would be removed",
  },
  {
    on: "consul",
    words: "kv delete",
    options: ["-recurse"],
    says: "Every key below the prefix would be deleted",
  },
  { on: "vault", words: "kv metadata delete", says: "A secret would be lost with all of its versions" },
  { on: "vault", words: "kv destroy", says: "Versions of a secret would be lost for good" },
  { on: "vault", words: "delete", says: "A secret, policy or role would be deleted" },
  {
    on: "vault",
    words: "secrets|auth|audit|namespace|policy disable|delete",
    says: "A whole engine, method or namespace would be lost with its secrets",
  },
  {
    on: "vault",
    words: "lease revoke",
    options: ["-prefix", "-force"],
    says: "Every credential below the prefix would be revoked",
  },
  { on: "vault", words: "operator seal|rekey|rotate", says: "The vault would be sealed or get new keys" },
];

const stateForms: readonly Form[] = [
  {
    on: terraforms,
    words: "state rm|mv|push|replace-provider",
    anywhere: true,
    says: "The state would no longer match what exists",
  },
  {
    on: terraforms,
    words: "init",
    options: ["-migrate-state", "-force-copy"],
    anywhere: true,
    says: "The state would be moved to another place",
  },
  { on: terraforms, words: "workspace delete", says: "A workspace and its state would be deleted" },
  { on: terraforms, words: "force-unlock", says: "The lock of somebody's run would be taken away" },
  {
    on: terraforms,
    words: "taint",
    anywhere: true,
    says: "A resource would be destroyed and made again by the next apply",
  },
  {
    on: "pulumi",
    words: "state delete|rename|unprotect|move",
    anywhere: true,
    says: "The state would no longer match what exists",
  },
  { on: "pulumi", words: "stack import", anywhere: true, says: "The state of the stack would be replaced" },
  { on: "pulumi", words: "cancel", anywhere: true, says: "Somebody's update would be stopped half-way" },
];

const applyForms: readonly Form[] = [
  {
    on: terraforms,
    when: says("apply"),
    options: ["-auto-approve"],
    without: ["-destroy"],
    anywhere: true,
    says: "Changes that nobody has looked at would be made, deletions among them",
  },
  {
    on: terraforms,
    words: "apply",
    when: byEnvironment("apply", "auto-approve"),
    anywhere: true,
    says: "Changes that nobody has looked at would be made, deletions among them",
  },
  {
    on: "terragrunt",
    words: "run-all|apply-all apply",
    anywhere: true,
    says: "Changes to every module would be made",
  },
  {
    on: "pulumi",
    words: "up|update",
    options: ["-y", "--yes", "-f", "--skip-preview"],
    anywhere: true,
    says: "Changes that nobody has looked at would be made",
  },
  {
    on: "pulumi",
    words: "refresh|import",
    options: ["-y", "--yes", "-f", "--skip-preview"],
    anywhere: true,
    says: "The state would be changed without a look at it",
  },
  {
    on: "cdk",
    words: "deploy",
    anywhere: true,
    when: ({ options, has }) =>
      has("--force", "-f") ||
      options.some(({ name, value }) => name === "--require-approval" && value?.text === "never"),
    says: "Changes to rights and networks would be made without a question",
  },
  {
    on: "cdktf",
    words: "deploy|apply",
    options: ["--auto-approve"],
    anywhere: true,
    says: "Changes that nobody has looked at would be made",
  },
  {
    on: "ansible",
    when: deletesOnHosts,
    says: "Something would be deleted or stopped on every host of the pattern",
  },
];

export const rules: readonly Rule[] = [
  formRule(
    {
      id: "infrastructure/destroy",
      title: "Destroying infrastructure",
      severity: "critical",
      decision: "ask",
      rationale:
        "Machines, databases and their snapshots go together, and no state file brings the data back.",
      advice:
        "See what would go with `terraform plan -destroy`, remove one resource from the code, and let the person apply it.",
      examples: {
        match: [
          { action: "terraform destroy" },
          { action: "terraform destroy -auto-approve", decision: "deny" },
          { action: "tofu -chdir=infra apply -destroy --auto-approve", decision: "deny" },
          { action: "yes | terraform destroy", decision: "deny" },
          { action: "TF_CLI_ARGS_destroy=-auto-approve terraform destroy", decision: "deny" },
          { action: "terraform workspace select prod && terraform destroy", decision: "deny" },
          { action: "terragrunt run-all destroy --terragrunt-non-interactive", decision: "deny" },
          { action: "pulumi destroy --yes --stack dev", decision: "deny" },
          { action: "pulumi stack rm dev" },
          { action: "npx cdk destroy ApiStack --force", decision: "deny" },
          { action: "serverless remove --stage dev" },
          { action: "vault kv metadata delete secret/app" },
          { action: "consul kv delete -recurse app/" },
        ],
        pass: [
          { action: "terraform plan -destroy" },
          { action: "terraform apply" },
          { action: "terraform fmt -recursive" },
          { action: "terraform destroy -help" },
          { action: "pulumi preview" },
          { action: "cdk diff" },
          { action: "vault kv get -field=a secret/app" },
          { action: "consul kv get app/a" },
        ],
      },
    },
    clients,
    destroyForms,
    "by-runners",
  ),
  formRule(
    {
      id: "infrastructure/change-state",
      title: "Changing the state that infrastructure is compared with",
      severity: "high",
      decision: "ask",
      rationale: "A state that is wrong makes the next apply destroy or make again what was fine.",
      advice:
        "Look with `terraform state list`; write moves and removals into the code as `moved` and `removed` blocks, which are planned first.",
      examples: {
        match: [
          { action: "terraform state rm aws_instance.web" },
          { action: "tofu state push old.tfstate" },
          { action: "terraform workspace delete dev" },
          { action: "terraform force-unlock 1f2e" },
          { action: "pulumi state delete urn:x" },
        ],
        pass: [
          { action: "terraform state list" },
          { action: "terraform state show aws_instance.web" },
          { action: "terraform import aws_instance.web i-1" },
          { action: "terraform workspace select dev" },
        ],
      },
    },
    clients,
    stateForms,
  ),
  formRule(
    {
      id: "infrastructure/apply-unseen",
      title: "Changing infrastructure without anybody looking at the plan",
      severity: "high",
      decision: "ask",
      rationale: "An apply deletes too, and the plan is where that can be seen.",
      advice:
        "Make a plan with `terraform plan -out p.tfplan` and apply that with `terraform apply p.tfplan`.",
      examples: {
        match: [
          { action: "terraform apply -auto-approve" },
          { action: "terraform apply --auto-approve -var-file=dev.tfvars" },
          { action: "terragrunt run --all apply --non-interactive -auto-approve" },
          { action: "pulumi up -y" },
          { action: "cdk deploy --require-approval never" },
          { action: "ansible all -b -m shell -a 'rm -r /srv/cache'" },
        ],
        pass: [
          { action: "terraform apply" },
          { action: "terraform apply p.tfplan" },
          { action: "terraform apply -auto-approve=false" },
          { action: "pulumi up" },
          { action: "cdk deploy" },
          { action: "ansible all -m ping" },
        ],
      },
    },
    clients,
    applyForms,
  ),
];
