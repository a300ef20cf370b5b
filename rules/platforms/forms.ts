/** What the clients of services can do that is not undone. */

import type { Clients, Form, FormCommand } from "../shared/forms.ts";

const yes = ["-y", "--yes", "--force", "-f"];

export const clients: Clients = {
  gh: {
    values: [
      "-R",
      "--repo",
      "-X",
      "--method",
      "-H",
      "--header",
      "-f",
      "--raw-field",
      "-F",
      "--field",
      "--input",
      "-q",
      "--jq",
      "-t",
      "--template",
      "--hostname",
      "--visibility",
      "-d",
      "--desc",
      "--description",
      "-b",
      "--body",
      "--title",
      "-e",
      "--env",
      "-o",
      "--org",
      "-u",
      "--user",
      "--json",
      "-s",
      "--source",
      "-r",
      "--remote",
      "-n",
      "--notes",
      "--cache",
      "-p",
      "--preview",
      "-a",
      "--app",
      "-L",
      "--limit",
    ],
  },
  glab: {
    values: [
      "-R",
      "--repo",
      "-g",
      "--group",
      "-X",
      "--method",
      "-f",
      "-F",
      "--raw-field",
      "--field",
      "-H",
      "--header",
      "--input",
    ],
  },
  vercel: {
    values: [
      "-t",
      "--token",
      "-S",
      "--scope",
      "-A",
      "--local-config",
      "-Q",
      "--global-config",
      "--cwd",
      "-e",
      "--env",
      "--target",
      "-m",
      "-b",
    ],
  },
  now: { values: ["-t", "--token", "-S", "--scope"] },
  netlify: {
    values: [
      "-d",
      "--dir",
      "-s",
      "--site",
      "-m",
      "--message",
      "--auth",
      "--alias",
      "-f",
      "--functions",
      "--filter",
      "--context",
    ],
  },
  fly: { values: ["-a", "--app", "-c", "--config", "-t", "--access-token", "-r", "--region", "-o", "--org"] },
  flyctl: {
    values: ["-a", "--app", "-c", "--config", "-t", "--access-token", "-r", "--region", "-o", "--org"],
  },
  heroku: {
    values: ["-a", "--app", "-r", "--remote", "-c", "--confirm", "-t", "--team", "-p", "--pipeline"],
  },
  supabase: { values: ["--project-ref", "--workdir", "--profile", "--db-url", "-p", "--password"] },
  firebase: {
    values: [
      "-P",
      "--project",
      "--only",
      "--except",
      "--config",
      "--token",
      "-m",
      "--message",
      "--database",
      "--instance",
    ],
  },
  wrangler: {
    values: [
      "-c",
      "--config",
      "-e",
      "--env",
      "--name",
      "--namespace-id",
      "--binding",
      "--cwd",
      "--command",
      "--file",
      "--branch",
      "--project-name",
    ],
  },
  railway: { values: ["-s", "--service", "-e", "--environment", "-p", "--project"] },
  pscale: { values: ["--org", "--format", "--service-token", "--service-token-id"] },
  neonctl: { values: ["--project-id", "--org-id", "--api-key", "-o", "--output", "--config-dir"] },
  neon: { values: ["--project-id", "--org-id", "--api-key", "-o", "--output", "--config-dir"] },
  stripe: {
    values: [
      "--api-key",
      "-d",
      "--data",
      "--stripe-account",
      "--project-name",
      "-e",
      "--expand",
      "-i",
      "--idempotency",
    ],
  },
  ssh: {
    values: [
      "-B",
      "-b",
      "-c",
      "-D",
      "-E",
      "-e",
      "-F",
      "-I",
      "-i",
      "-J",
      "-L",
      "-l",
      "-m",
      "-O",
      "-o",
      "-p",
      "-Q",
      "-R",
      "-S",
      "-W",
      "-w",
    ],
    stopAtOperand: true,
  },
};

/** A request to a forge that deletes. */
function deletes({ options }: FormCommand): boolean {
  return options.some(({ name, value }) =>
    (name === "-X" || name === "--method") && value?.text.toUpperCase() === "DELETE"
  );
}

function requests(method: RegExp): (command: FormCommand) => boolean {
  return ({ options }) =>
    options.some(({ name, value }) =>
      (name === "-X" || name === "--method") && method.test(value?.text ?? "")
    );
}

/** Address of the request without slashes around it. */
function requested({ operands }: FormCommand): string {
  return (operands[1]?.text ?? "").replace(/^https?:\/\/[^/]+\/(?:api\/v\d\/)?/, "").replace(/^\/|\/$/g, "")
    .replace(/\?.*$/, "");
}

/** A whole repository, organisation or project. */
const wholeThing = /^(?:repos\/[^/]+\/[^/]+|orgs\/[^/]+|projects\/[^/]+|groups\/[^/]+|users\/[^/]+)$/;

/** A request in GraphQL that deletes. */
function mutates({ operands, invocation }: FormCommand): boolean {
  return operands[1]?.text === "graphql" &&
    invocation.args.some(({ text }) =>
      /\bmutation\b/.test(text) && /\b(?:delete|remove)[A-Z]\w*\s*\(/.test(text)
    );
}

export const deleteForms: readonly Form[] = [
  {
    on: "gh hub glab",
    words: "repo|project delete",
    decision: "deny",
    says: "A whole repository would be deleted, with its issues and releases",
  },
  {
    on: "hub",
    words: "delete",
    decision: "deny",
    says: "A whole repository would be deleted, with its issues and releases",
  },
  {
    on: "gh glab",
    words: "api",
    decision: "deny",
    when: (command) => deletes(command) && wholeThing.test(requested(command)),
    says: "A whole repository or organisation would be deleted",
  },
  {
    on: "gh glab",
    words: "api",
    anywhere: true,
    when: (command) => deletes(command) || mutates(command),
    says: "Something at the forge would be deleted",
  },
  {
    on: "gh",
    words: "release delete|delete-asset",
    unasked: [],
    anywhere: true,
    says: "A release or its files would be deleted",
  },
  {
    on: "gh",
    words: "secret|variable|ssh-key|gpg-key|project|label|issue|codespace|cs delete",
    anywhere: true,
    says: "Something at the forge would be deleted",
  },
  { on: "gh", words: "secret|variable remove", anywhere: true, says: "A secret or setting would be deleted" },
  {
    on: "gh",
    words: "cache delete",
    options: ["-a", "--all"],
    anywhere: true,
    says: "Every cache of the repository would be deleted",
  },
  {
    on: "gh",
    words: "gist|run|alias delete",
    when: ({ operands }) => operands[0]?.text === "gist",
    anywhere: true,
    says: "A gist would be deleted",
  },
  {
    on: "gh",
    words: "repo archive|rename",
    anywhere: true,
    says: "A repository would be closed or get another name",
  },
  {
    on: "glab",
    words: "release|variable|issue|mr|schedule|ssh-key|label|milestone|snippet|token delete|revoke",
    anywhere: true,
    says: "Something at the forge would be deleted",
  },
  {
    on: "vercel now",
    words: "remove|rm",
    unasked: ["-y", "--yes"],
    says: "A project or its deployments would be deleted",
  },
  {
    on: "vercel now",
    words: "project|projects|env|domains|dns|certs|secrets|alias|blob|teams rm|remove|del",
    unasked: ["-y", "--yes"],
    says: "Something of the project would be deleted",
  },
  { on: "netlify ntl", words: "sites:delete", unasked: ["-f", "--force"], says: "A site would be deleted" },
  { on: "netlify ntl", words: "env:unset|blobs:delete", says: "Something of the site would be deleted" },
  {
    on: "fly flyctl",
    words:
      "apps|app|volumes|volume|vol|machine|machines|m|postgres|pg|redis|mysql|storage|wireguard|certs|ips|orgs|org|tokens|extensions destroy|delete|remove|rm|revoke|release",
    unasked: ["-y", "--yes", "-f", "--force"],
    says: "Something would be destroyed at the service",
  },
  { on: "fly flyctl", words: "destroy", unasked: ["-y", "--yes"], says: "An application would be destroyed" },
  { on: "fly flyctl", words: "secrets unset|remove", says: "A secret of the application would be removed" },
  {
    on: "heroku",
    when: ({ operands }) =>
      /^(?:apps:destroy|destroy|pg:reset|pg:killall|addons:destroy|addons:detach|pipelines:destroy|domains:remove|domains:clear|keys:clear|keys:remove|access:remove|config:unset|teams:destroy|redis:reset|pg:backups:delete|spaces:destroy|certs:remove|ps:stop|drains:remove)$/
        .test(operands[0]?.text ?? ""),
    unasked: ["-c", "--confirm", "-f", "--force"],
    says: "An application, its database or its settings would be deleted",
  },
  {
    on: "render",
    words: "services|disks|postgres|env delete|remove",
    unasked: ["--confirm", "-y", "--yes"],
    says: "A service would be deleted",
  },
  {
    on: "railway",
    words: "delete|down",
    unasked: ["-y", "--yes"],
    says: "A project or its deployment would be removed",
  },
  {
    on: "railway",
    words: "volume|environment|service|project delete|rm|remove",
    unasked: ["-y", "--yes"],
    says: "A volume, service or environment would be deleted",
  },
  {
    on: "supabase",
    words: "projects|functions|branches|secrets|domains|orgs|storage|snippets delete|unset|rm|disable",
    says: "Something of the project would be deleted",
  },
  { on: "supabase", words: "stop", options: ["--no-backup"], says: "The local database would be deleted" },
  {
    on: "firebase",
    when: ({ operands }) =>
      /^(?:firestore:delete|firestore:databases:delete|database:remove|hosting:disable|hosting:sites:delete|hosting:channel:delete|functions:delete|projects:delete|auth:delete|apps:delete|remoteconfig:rollback|functions:secrets:destroy|functions:secrets:prune|ext:uninstall|dataconnect:sql:migrate)$/
        .test(operands[0]?.text ?? ""),
    unasked: ["-f", "--force", "-y", "--yes"],
    says: "Data, functions or sites of the project would be deleted",
  },
  {
    on: "firebase",
    words: "deploy",
    options: ["--force"],
    unasked: [],
    says: "Functions and indexes that the code does not have would be deleted",
  },
  { on: "wrangler", words: "delete", unasked: ["--force"], says: "A worker would be deleted" },
  {
    on: "wrangler",
    words:
      "d1|queues|hyperdrive|vectorize|secret|workflows|dispatch-namespace|mtls-certificate|pipelines delete|purge",
    unasked: ["-y", "--skip-confirmation"],
    says: "A database, queue or secret would be deleted",
  },
  {
    on: "wrangler",
    words: "kv|r2 namespace|key|bulk|bucket|object delete",
    unasked: ["--force"],
    says: "Stored values or objects would be deleted",
  },
  {
    on: "wrangler",
    words: "kv:namespace|kv:key|kv:bulk delete",
    unasked: ["--force"],
    says: "Stored values would be deleted",
  },
  {
    on: "wrangler",
    words: "pages project|deployment delete",
    unasked: ["-y", "--yes", "--force"],
    says: "A site would be deleted",
  },
  {
    on: "pscale",
    words: "database|branch|backup|password|service-token|deploy-request delete",
    unasked: ["--force"],
    says: "A database, a branch or its backups would be deleted",
  },
  {
    on: "neonctl neon",
    words: "projects|project|branches|branch|databases|database|roles|role delete|reset|restore",
    says: "A project, branch or database would be deleted or put back",
  },
  {
    on: "turso",
    words: "db|group|org destroy|delete",
    unasked: ["-y", "--yes"],
    says: "A database would be destroyed",
  },
  {
    on: "turso",
    words: "db tokens invalidate",
    unasked: ["-y", "--yes"],
    says: "Every key of the database would stop working",
  },
  {
    on: "atlas",
    words: "clusters|projects|backups|dbusers|organizations|serverless delete",
    unasked: ["--force"],
    says: "A cluster or its backups would be deleted",
  },
  {
    on: "stripe",
    when: ({ operands, has }) =>
      operands.some(({ text }) => /^(?:delete|cancel|refunds)$/.test(text)) && has("--live"),
    decision: "deny",
    says: "Something of real customers would be deleted or paid back",
  },
  {
    on: "stripe",
    words: "* delete|cancel",
    anywhere: true,
    says: "An object of the account would be deleted",
  },
  { on: "stripe", words: "delete", anywhere: true, says: "An object of the account would be deleted" },
  {
    on: "sentry-cli",
    words: "releases|projects|sourcemaps|monitors|issues delete|resolve|mute",
    when: ({ operands }) => operands[1]?.text === "delete",
    says: "Releases or monitors would be deleted",
  },
  {
    on: "sentry-cli",
    words: "releases files",
    when: ({ operands }) => operands.some(({ text }) => text === "delete"),
    says: "Files of a release would be deleted",
  },
  {
    on: "auth0",
    when: ({ operands }) => operands.slice(1, 4).some(({ text }) => /^(?:delete|rm|remove)$/.test(text)),
    unasked: yes,
    says: "Something of the tenant would be deleted",
  },
  {
    on: "shopify",
    words: "theme delete",
    unasked: ["-f", "--force"],
    says: "A theme of the shop would be deleted",
  },
  {
    on: "doppler",
    words: "secrets|projects|environments|configs delete",
    unasked: ["-y", "--yes"],
    says: "Secrets or settings would be deleted",
  },
  { on: "op", words: "item|vault|document|user delete", says: "A secret or vault would be deleted" },
  {
    on: "convex",
    words: "import",
    options: ["--replace", "--replace-all"],
    unasked: ["-y", "--yes"],
    says: "Tables would be replaced",
  },
  {
    on: "algolia",
    words: "indices|index|objects delete|clear",
    unasked: ["-y", "--confirm"],
    says: "An index would be deleted or emptied",
  },
  { on: "surge", words: "teardown", says: "A site would be taken down" },
  {
    on: "eas",
    words: "project|channel|branch|update|webhook delete|rollback",
    says: "Something of the project would be deleted",
  },
  {
    on: "huggingface-cli hf",
    words: "repo|repos|repo-files delete",
    says: "A repository or its files would be deleted",
  },
];

const sshKeys =
  /^(?:user\/keys|user\/gpg_keys|repos\/[^/]+\/[^/]+\/(?:keys|collaborators\/[^/]+|hooks|actions\/runners\/\S+)|orgs\/[^/]+\/(?:memberships|teams)\/\S+)$/;

export const publicForms: readonly Form[] = [
  {
    on: "gh",
    words: "repo edit",
    anywhere: true,
    when: ({ options }) =>
      options.some(({ name, value }) => name === "--visibility" && value?.text === "public"),
    says: "A private repository would be public",
  },
  {
    on: "gh",
    words: "repo edit",
    anywhere: true,
    when: ({ options, has }) =>
      has("--accept-visibility-change-consequences") && options.some(({ name }) => name === "--visibility"),
    says: "Who may see the repository would change",
  },
  {
    on: "gh",
    words: "repo create|new",
    options: ["--public"],
    anywhere: true,
    says: "A public repository would be made",
  },
  {
    on: "gh",
    words: "gist create|new",
    options: ["-p", "--public"],
    anywhere: true,
    says: "Files would be shown to everybody",
  },
  { on: "gh", words: "ssh-key|gpg-key add", anywhere: true, says: "A key would get access to the account" },
  {
    on: "gh",
    words: "repo deploy-key add",
    anywhere: true,
    says: "A key would get access to the repository",
  },
  {
    on: "gh",
    words: "api",
    anywhere: true,
    when: (command) => requests(/^(?:PUT|POST)$/i)(command) && sshKeys.test(requested(command)),
    says: "A person, key or hook would get access",
  },
  {
    on: "gh",
    words: "api",
    anywhere: true,
    when: (command) =>
      requests(/^PATCH$/i)(command) &&
      command.invocation.args.some(({ text }) => /^(?:visibility=public|private=false)$/.test(text)),
    says: "A private repository would be public",
  },
  {
    on: "glab",
    words: "repo create",
    options: ["--public", "-P"],
    anywhere: true,
    says: "A public repository would be made",
  },
  { on: "glab", words: "ssh-key|deploy-key add", anywhere: true, says: "A key would get access" },
  {
    on: "glab",
    words: "snippet create",
    when: ({ options }) =>
      options.some(({ name, value }) => /^(?:-v|--visibility)$/.test(name) && value?.text === "public"),
    anywhere: true,
    says: "Files would be shown to everybody",
  },
  { on: "heroku", words: "access:add|keys:add", anywhere: true, says: "A person or key would get access" },
];

/** Commands of Vercel that read or build for production and put nothing there. */
const vercelWords =
  /^(?:build|pull|env|dev|link|ls|list|inspect|logs?|domains|git|login|bisect|init|projects?|curl)$/;

const prods = ["--prod", "--production", "-p"];

export const releaseForms: readonly Form[] = [
  {
    on: "vercel now",
    when: ({ has, operands, options }) =>
      !vercelWords.test(operands[0]?.text ?? "") &&
      (has("--prod") ||
        options.some(({ name, value }) => name === "--target" && value?.text === "production")),
    anywhere: true,
    without: ["--help"],
    says: "It would be served to users",
  },
  {
    on: "vercel now",
    words: "promote|rollback|alias",
    anywhere: true,
    when: ({ operands }) =>
      operands.length > 1 && operands[1]?.text !== "ls" && operands[1]?.text !== "list" &&
      operands[1]?.text !== "status",
    says: "Users would get another deployment",
  },
  { on: "netlify ntl", words: "deploy", options: prods, anywhere: true, says: "It would be served to users" },
  { on: "firebase", words: "deploy", anywhere: true, says: "It would be served to users" },
  { on: "firebase", words: "hosting:clone", anywhere: true, says: "It would be served to users" },
  {
    on: "wrangler",
    words: "deploy|publish",
    when: ({ production }) => production,
    anywhere: true,
    says: "It would be served to users",
  },
  { on: "eas", words: "submit", anywhere: true, says: "An application would be sent to a store" },
  {
    on: "eas",
    words: "update",
    when: ({ production }) => production,
    anywhere: true,
    says: "It would be sent to users",
  },
  {
    on: "shopify",
    words: "theme publish|push",
    anywhere: true,
    options: ["--live", "-l", "--publish", "-p", "--allow-live"],
    says: "The theme would be shown to customers",
  },
  {
    on: "fastlane",
    words: "deliver|supply|upload_to_app_store|upload_to_play_store|release",
    anywhere: true,
    says: "An application would be sent to a store",
  },
];

export const exposeForms: readonly Form[] = [
  {
    on: "ngrok",
    words: "http|tcp|tls|start|tunnel",
    anywhere: true,
    says: "A port of this machine would be open to the world",
  },
  {
    on: "cloudflared",
    words: "tunnel",
    options: ["--url", "--hello-world"],
    anywhere: true,
    says: "A port of this machine would be open to the world",
  },
  {
    on: "cloudflared",
    words: "tunnel run|route",
    anywhere: true,
    says: "A port of this machine would be open to the world",
  },
  {
    on: "cloudflared",
    words: "access|service install|tcp",
    when: ({ operands }) => operands[0]?.text === "service",
    anywhere: true,
    says: "A tunnel would start with the machine",
  },
  {
    on: "localtunnel lt",
    when: ({ has }) => has("-p", "--port"),
    anywhere: true,
    says: "A port of this machine would be open to the world",
  },
  { on: "bore", words: "local", anywhere: true, says: "A port of this machine would be open to the world" },
  {
    on: "tailscale",
    words: "funnel",
    when: ({ operands }) => operands.length > 1 && !/^(?:status|reset|off)$/.test(operands[1]!.text),
    anywhere: true,
    says: "A port of this machine would be open to the world",
  },
  {
    on: "code code-insiders",
    words: "tunnel",
    when: ({ operands }) =>
      operands[1] === undefined || !/^(?:status|kill|unregister|prune|help)$/.test(operands[1].text),
    anywhere: true,
    says: "Whoever has the account could work on this machine",
  },
  {
    on: "devtunnel",
    words: "host|create",
    anywhere: true,
    says: "A port of this machine would be open to the world",
  },
  {
    on: "frpc chisel zrok playit pinggy inlets",
    when: ({ operands, options }) =>
      operands.length + options.length > 0 && !/^(?:version|status|server)$/.test(operands[0]?.text ?? ""),
    anywhere: true,
    says: "A port of this machine would be open to the world",
  },
  {
    on: "ssh autossh",
    anywhere: true,
    when: ({ has, operands }) =>
      has("-R") &&
      /(?:^|@)(?:serveo\.net|localhost\.run|nokey@localhost\.run|\S*pinggy\.io|ssh\.localhost\.run|tunnel\.\S+|srv\.us)$/
        .test(operands[0]?.text ?? ""),
    says: "A port of this machine would be open to the world",
  },
];
