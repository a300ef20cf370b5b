/** Which service a credential belongs to, told from its name. */

import type { Leak } from "./secret_sources.ts";

/** Names of variables and programs, and the hosts that they are for. */
const services: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^(?:GITHUB|GH|COPILOT)_|^gh$/,
    /(?:^|\.)(?:github\.com|githubusercontent\.com|ghcr\.io|githubcopilot\.com|ghe\.com)$|(?:^|\.)github\./,
  ],
  [/^(?:GITLAB|GL|CI_JOB|CI_REGISTRY)_|^glab$/, /(?:^|\.)gitlab\./],
  [/^OPENAI_/, /(?:^|\.)(?:openai\.com|openai\.azure\.com)$/],
  [/^(?:ANTHROPIC|CLAUDE)_/, /(?:^|\.)anthropic\.com$/],
  [/^AWS_|^aws$/, /(?:^|\.)(?:amazonaws\.com|aws\.amazon\.com|amazonaws\.com\.cn)$/],
  [
    /^(?:GOOGLE|GEMINI|GCP|GCLOUD|FIREBASE)_|^gcloud$/,
    /(?:^|\.)(?:googleapis\.com|google\.com|run\.app|cloudfunctions\.net|firebaseio\.com)$/,
  ],
  [
    /^(?:AZURE|ARM)_|^az$/,
    /(?:^|\.)(?:azure\.com|azure\.net|windows\.net|microsoft\.com|microsoftonline\.com|azurewebsites\.net)$/,
  ],
  [/^(?:SLACK)_/, /(?:^|\.)slack\.com$/],
  [/^STRIPE_/, /(?:^|\.)stripe\.com$/],
  [/^(?:NPM|NODE_AUTH)_/, /(?:^|\.)(?:npmjs\.org|npmjs\.com|npm\.pkg\.github\.com)$/],
  [/^(?:HF|HUGGING_?FACE)_/, /(?:^|\.)huggingface\.co$/],
  [/^(?:CLOUDFLARE|CF)_/, /(?:^|\.)cloudflare\.com$/],
  [/^(?:DIGITALOCEAN|DO)_/, /(?:^|\.)digitalocean\.com$/],
  [/^(?:TELEGRAM|TG)_/, /(?:^|\.)telegram\.org$/],
  [/^DISCORD_/, /(?:^|\.)(?:discord\.com|discordapp\.com)$/],
  [/^(?:DATADOG|DD)_/, /(?:^|\.)(?:datadoghq\.com|datadoghq\.eu)$/],
  [/^(?:JIRA|ATLASSIAN|CONFLUENCE|BITBUCKET)_/, /(?:^|\.)(?:atlassian\.net|atlassian\.com|bitbucket\.org)$/],
  [/^heroku$|^HEROKU_/, /(?:^|\.)(?:heroku\.com|herokuapp\.com)$/],
  [/^FLY_/, /(?:^|\.)(?:fly\.io|machines\.dev)$/],
];

/** Parts of variable names that tell nothing about their owner. */
const generic = new Set(
  "api app auth access secret secrets token tokens key keys pat pass password passwd passphrase credentials credential private user client bearer my the prod production dev test staging service account admin bot web http https url id base64 json db database personal live"
    .split(" "),
);

/** `own`: goes to its owner; `foreign`: belongs elsewhere; `unknown`: cannot be told. */
export function belongs(leak: Leak, host: string): "own" | "foreign" | "unknown" {
  for (const [name, hosts] of services) {
    if (name.test(leak.name)) return hosts.test(host) ? "own" : "foreign";
  }
  const labels = host.split(/[.-]/).filter((label) => label.length > 2);
  const parts = leak.name.toLowerCase().split("_").filter((part) => part.length > 2 && !generic.has(part));
  return parts.some((part) => labels.some((label) => label === part || label.startsWith(part)))
    ? "own"
    : "unknown";
}
