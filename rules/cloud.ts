/** Rules about clouds and object stores: deleting there, changing who may do what, printing secrets, opening to the world. */

import type { Rule } from "../src/types.ts";
import { clients } from "./cloud/clients.ts";
import { deleteForms } from "./cloud/delete.ts";
import { openForms, rightsForms, secretForms } from "./cloud/access.ts";
import { formRule } from "./shared/forms.ts";

export const rules: readonly Rule[] = [
  formRule(
    {
      id: "cloud/delete",
      title: "Deleting or stopping something in a cloud",
      severity: "high",
      decision: "ask",
      rationale:
        "Most deletions in a cloud are final at once, for everybody, and take backups and snapshots along.",
      advice:
        "List first, as in `aws s3 ls s3://bucket/old/`, and try it with `aws s3 rm s3://bucket/old/ --recursive --dryrun`.",
      examples: {
        match: [
          { action: "aws s3 rm s3://bucket/old/ --recursive" },
          { action: "aws s3 rb s3://bucket --force", decision: "deny" },
          { action: "aws --profile prod ec2 terminate-instances --instance-ids i-1", decision: "deny" },
          { action: "aws s3 sync . s3://bucket --delete" },
          {
            action: "aws rds delete-db-instance --db-instance-identifier shop --skip-final-snapshot",
            decision: "deny",
          },
          { action: "aws kms schedule-key-deletion --key-id k" },
          { action: "gcloud compute instances delete web" },
          { action: "gcloud logging logs delete audit" },
          { action: "gcloud sql instances delete shop --quiet", decision: "deny" },
          { action: "gsutil -m rm -r gs://bucket/old" },
          { action: "az group delete --name dev" },
          { action: "az group delete -n dev --yes --no-wait", decision: "deny" },
          { action: "doctl compute droplet delete web -f", decision: "deny" },
          { action: "rclone purge remote:old" },
          { action: "mc rm --recursive --force store/bucket" },
        ],
        pass: [
          { action: "aws s3 ls s3://bucket" },
          { action: "aws s3 cp a.txt s3://bucket/" },
          { action: "aws s3 rm s3://bucket/old --recursive --dryrun" },
          { action: "aws ec2 describe-instances" },
          { action: "aws s3api list-objects --bucket delete-me" },
          { action: "gcloud compute instances list" },
          { action: "gcloud app logs tail delete" },
          { action: "az vm list" },
          { action: "rclone copy a remote:b" },
          { action: "rclone sync a remote:b --dry-run" },
        ],
      },
    },
    clients,
    deleteForms,
  ),
  formRule(
    {
      id: "cloud/change-rights",
      title: "Changing who may do what in a cloud",
      severity: "high",
      decision: "ask",
      rationale:
        "Keys, accounts and policies outlive the task, and one line too wide opens the whole account.",
      advice:
        "Show the person the policy that is wanted. What holds now is shown by `aws iam list-attached-role-policies --role-name web`.",
      examples: {
        match: [
          { action: "aws iam create-access-key --user-name bot" },
          {
            action:
              "aws iam attach-user-policy --user-name bot --policy-arn arn:aws:iam::aws:policy/AdministratorAccess",
          },
          {
            action: "gcloud projects add-iam-policy-binding p --member=user:a@example.com --role=roles/owner",
          },
          {
            action:
              "gcloud iam service-accounts keys create k.json --iam-account=a@p.iam.gserviceaccount.com",
          },
          { action: "az role assignment create --assignee a --role Owner" },
          { action: "az ad sp create-for-rbac" },
        ],
        pass: [
          { action: "aws iam list-users" },
          { action: "aws iam get-role --role-name web" },
          { action: "gcloud projects get-iam-policy p" },
          { action: "az role assignment list" },
        ],
      },
    },
    clients,
    rightsForms,
  ),
  formRule(
    {
      id: "cloud/open-to-world",
      title: "Opening something in a cloud to the whole world",
      severity: "high",
      decision: "ask",
      rationale:
        "Buckets and ports that are open are found within minutes, and what was read cannot be taken back.",
      advice:
        "Share one object for a while, as in `aws s3 presign s3://bucket/a.pdf`, or open a port for one address.",
      examples: {
        match: [
          { action: "aws s3api put-bucket-acl --bucket b --acl public-read" },
          { action: "aws s3 sync site s3://b --acl public-read" },
          { action: "aws s3api delete-public-access-block --bucket b" },
          {
            action:
              "aws ec2 authorize-security-group-ingress --group-id g --protocol tcp --port 22 --cidr 0.0.0.0/0",
          },
          { action: "gsutil iam ch allUsers:objectViewer gs://b" },
          {
            action:
              "gcloud storage buckets add-iam-policy-binding gs://b --member=allUsers --role=roles/storage.objectViewer",
          },
          { action: "az storage container set-permission -n c --public-access blob" },
        ],
        pass: [
          { action: "aws s3api get-bucket-acl --bucket b" },
          { action: "aws s3 cp a s3://b/ --acl private" },
          { action: "aws ec2 describe-security-groups" },
          { action: "gsutil iam get gs://b" },
        ],
      },
    },
    clients,
    openForms,
  ),
  formRule(
    {
      id: "cloud/print-secret",
      title: "Printing a secret that a cloud keeps",
      severity: "medium",
      decision: "ask",
      rationale: "What is printed stays in the conversation and its logs.",
      advice: "Let the program fetch it itself. Names are shown by `aws secretsmanager list-secrets`.",
      examples: {
        match: [
          { action: "aws secretsmanager get-secret-value --secret-id db" },
          { action: "aws ssm get-parameter --name /db --with-decryption" },
          { action: "gcloud secrets versions access latest --secret=db" },
          { action: "az keyvault secret show --vault-name v --name db" },
        ],
        pass: [
          { action: "aws secretsmanager list-secrets" },
          { action: "aws ssm get-parameter --name /region" },
          { action: "gcloud secrets list" },
          { action: "az keyvault secret list --vault-name v" },
        ],
      },
    },
    clients,
    secretForms,
  ),
];
