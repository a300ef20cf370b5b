/** Rights, openness and secrets in clouds. */

import type { Form, FormCommand } from "../shared/forms.ts";
import { verbIn } from "./clients.ts";

const awss = "aws awslocal";

function someArgument(pattern: RegExp): (command: FormCommand) => boolean {
  return ({ invocation }) => invocation.args.some(({ text }) => pattern.test(text));
}

export const rightsForms: readonly Form[] = [
  {
    on: awss,
    words:
      "iam create-access-key|create-user|create-role|create-policy*|create-login-profile|attach-*|put-*|add-*|detach-*|update-access-key|update-assume-role-policy|update-login-profile|set-default-policy-version|create-saml-provider|create-open-id-connect-provider",
    says: "Accounts, keys or policies would change",
  },
  {
    on: awss,
    words: "organizations|sso-admin|identitystore create-*|attach-*|put-*|move-account|invite-*|enable-*",
    says: "Accounts or policies of the organisation would change",
  },
  { on: awss, words: "lambda|sns|sqs add-permission", says: "Others could use it" },
  {
    on: awss,
    words:
      "s3api|ecr|kms|secretsmanager|glacier put-bucket-policy|set-repository-policy|put-key-policy|create-grant|put-resource-policy",
    says: "A policy would be replaced",
  },
  {
    on: awss,
    words: "cognito-idp admin-set-user-password|admin-create-user|admin-add-user-to-group",
    says: "Accounts would change",
  },
  {
    on: "gcloud",
    when: verbIn(
      /^(?:add-iam-policy-binding|set-iam-policy|remove-iam-policy-binding|add-iam-policy-bindings)$/,
    ),
    says: "Rights would change",
  },
  {
    on: "gcloud",
    words: "iam service-accounts keys create|upload",
    says: "A key that does not expire would be made",
  },
  {
    on: "gcloud",
    words: "iam service-accounts|roles|workload-identity-pools create|create-oidc|update|enable|undelete",
    says: "Accounts or roles would change",
  },
  {
    on: "gsutil",
    words: "iam ch|set",
    without: [],
    when: (command) => !someArgument(/allUsers|allAuthenticatedUsers/)(command),
    says: "Rights would change",
  },
  { on: "gsutil", words: "hmac create", says: "A key would be made" },
  { on: "az", words: "role assignment|definition create|update", says: "Rights would change" },
  {
    on: "az",
    words: "ad sp|app|user|group create-for-rbac|create|update|credential|permission|member|owner",
    when: ({ operands }) => !operands.some(({ text }) => text === "list"),
    says: "Accounts, keys or rights would change",
  },
  { on: "az", words: "keyvault set-policy", says: "Others could read or change keys and secrets" },
  {
    on: "oci",
    words: "iam *",
    when: verbIn(/^(?:create|add-user|upload)$/),
    says: "Accounts, keys or rights would change",
  },
  {
    on: "mc",
    words: "admin user|policy|group add|attach|set|create",
    says: "Accounts or rights would change",
  },
];

export const openForms: readonly Form[] = [
  {
    on: awss,
    words: "s3|s3api *",
    when: ({ options }) =>
      options.some(({ name, value }) =>
        name === "--acl" && /^(?:public-read|public-read-write|authenticated-read)$/.test(value?.text ?? "")
      ),
    says: "Everybody could read it",
  },
  {
    on: awss,
    words: "s3api|s3control delete-public-access-block",
    says: "What keeps the bucket closed would be taken away",
  },
  {
    on: awss,
    words: "s3api put-public-access-block",
    when: someArgument(/=false|:\s*false/i),
    says: "What keeps the bucket closed would be taken away",
  },
  {
    on: awss,
    words: "s3api put-bucket-acl|put-object-acl|put-bucket-policy",
    when: someArgument(/AllUsers|AuthenticatedUsers|"Principal"\s*:\s*(?:"\*"|\{\s*"AWS"\s*:\s*"\*")/),
    says: "Everybody could read it",
  },
  {
    on: awss,
    words: "ec2 authorize-security-group-ingress",
    when: someArgument(/0\.0\.0\.0\/0|::\/0/),
    says: "A port would be open to the whole world",
  },
  {
    on: awss,
    words: "rds|redshift modify-*|create-*",
    options: ["--publicly-accessible"],
    says: "The database would be open to the whole world",
  },
  {
    on: awss,
    words: "ec2|rds|ecr-public modify-image-attribute|modify-snapshot-attribute|modify-db-snapshot-attribute",
    when: someArgument(/(?:^|[=\s])all$/),
    says: "An image or snapshot would be public",
  },
  {
    on: "gsutil",
    words: "iam ch|set",
    when: someArgument(/allUsers|allAuthenticatedUsers/),
    says: "Everybody could read it",
  },
  {
    on: "gsutil",
    words: "acl|defacl ch|set",
    when: someArgument(/AllUsers|public-read/i),
    says: "Everybody could read it",
  },
  {
    on: "gsutil",
    words: "cp|rsync",
    when: ({ options, operands }) =>
      options.some(({ name }) => name === "-a") &&
      operands.some(({ text }) => text.startsWith("public-read")),
    says: "Everybody could read it",
  },
  {
    on: "gcloud",
    when: (command) =>
      verbIn(/^add-iam-policy-binding$/)(command) && someArgument(/allUsers|allAuthenticatedUsers/)(command),
    says: "Everybody could use it",
  },
  {
    on: "gcloud",
    words: "run|functions deploy",
    options: ["--allow-unauthenticated"],
    says: "Everybody could call it",
  },
  {
    on: "gcloud",
    words: "compute firewall-rules create|update",
    when: (command) =>
      someArgument(/0\.0\.0\.0\/0/)(command) ||
      !someArgument(/--source-/)(command) && command.operands[2]?.text === "create",
    says: "Ports would be open to the whole world",
  },
  {
    on: "gcloud",
    words: "sql instances patch|create",
    when: someArgument(/0\.0\.0\.0\/0/),
    says: "The database would be open to the whole world",
  },
  {
    on: "az",
    words: "storage container|account *",
    when: ({ options }) =>
      options.some(({ name, value }) =>
        (/^--(?:public-access|allow-blob-public-access)$/.test(name)) &&
        /^(?:blob|container|true)$/i.test(value?.text ?? "")
      ),
    says: "Everybody could read it",
  },
  {
    on: "az",
    words: "network nsg rule create|update",
    when: someArgument(/^(?:\*|Internet|0\.0\.0\.0\/0)$/),
    says: "Ports would be open to the whole world",
  },
  {
    on: "az",
    words: "sql|postgres|mysql server|flexible-server firewall-rule create",
    when: someArgument(/^0\.0\.0\.0$/),
    says: "The database would be open to the whole world",
  },
  {
    on: "mc",
    words: "anonymous|policy set",
    when: someArgument(/^(?:public|download|upload)$/),
    says: "Everybody could read or write it",
  },
  { on: "s3cmd", options: ["--acl-public", "-P"], says: "Everybody could read it" },
];

export const secretForms: readonly Form[] = [
  {
    on: awss,
    words: "secretsmanager get-secret-value|batch-get-secret-value",
    anywhere: true,
    says: "A secret would be printed",
  },
  {
    on: awss,
    words: "ssm get-parameter*",
    options: ["--with-decryption"],
    anywhere: true,
    says: "A secret would be printed",
  },
  {
    on: awss,
    words: "configure get",
    when: ({ operands }) => /secret|session_token/.test(operands[2]?.text ?? ""),
    anywhere: true,
    says: "A key would be printed",
  },
  { on: awss, words: "configure export-credentials", anywhere: true, says: "Keys would be printed" },
  { on: "gcloud", words: "secrets versions access", anywhere: true, says: "A secret would be printed" },
  { on: "az", words: "keyvault secret show|download", anywhere: true, says: "A secret would be printed" },
  {
    on: "doctl",
    words: "databases connection|get",
    options: ["--format"],
    when: ({ operands }) => operands[1]?.text === "connection",
    anywhere: true,
    says: "A password would be printed",
  },
];
