/** Telling production and remote services from names: one place for all rules that are stricter there. */

import type { Assignment, Invocation } from "../../src/shell/model.ts";

/** Longest text that is looked at, in UTF-16 code units. */
const longest = 4096;

const label = /(?:^|[^a-z0-9])(?:prod|prd|production|live)\d{0,3}(?![a-z0-9])/i;
/** Names that hold the word and say the opposite. */
const opposite = /(?:^|[^a-z0-9])(?:non|not|no|pre|fake|mock)[-_. ]?(?:prod|production|live)(?![a-z0-9])/gi;

/** True when a name (of a host, a database, a context, a file, …) has `prod`, `production` or `live` as a part of it. */
export function namesProduction(text: string): boolean {
  const parts = text.slice(0, longest).replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2");
  return label.test(parts.replaceAll(opposite, " "));
}

/** Variables that name the place on which a program works. */
const places =
  /^(?:.*_ENV|.*_ENVIRONMENT|ENV|ENVIRONMENT|STAGE|.*_STAGE|.*(?:DATABASE|DB|POSTGRES|POSTGRESQL|MYSQL|MONGO|MONGODB|REDIS|DIRECT)_?(?:URL|URI|HOST|NAME)|PGHOST|PGDATABASE|PGSERVICE|MYSQL_HOST|KUBECONFIG|AWS_PROFILE|AWS_DEFAULT_PROFILE|TF_WORKSPACE|DJANGO_SETTINGS_MODULE|DOCKER_HOST|DOCKER_CONTEXT|CLOUDSDK_CORE_PROJECT|CLOUDSDK_ACTIVE_CONFIG_NAME|.*_PROJECT|HEROKU_APP|VAULT_ADDR|VAULT_NAMESPACE|NOMAD_ADDR|CONSUL_HTTP_ADDR|ETCDCTL_ENDPOINTS|PULUMI_STACK|DSN)$/;

/** True for a variable that names the place on which a program works. */
export function namesPlace(name: string): boolean {
  return places.test(name);
}

const exporters = new Set(["export", "declare", "typeset", "set", "setx"]);
const choosers = new Set(
  "kubectl oc kubectx kubens terraform tofu terragrunt pulumi gcloud az docker firebase railway".split(" "),
);

/** Variables that earlier commands of the line exported, for what comes after them. */
function exported(invocation: Invocation): readonly Assignment[] {
  const found: Assignment[] = [];
  for (const word of invocation.args) {
    const equals = word.text.indexOf("=");
    if (equals > 0) {
      const text = word.text.slice(equals + 1);
      found.push({ name: word.text.slice(0, equals), value: { ...word, text } });
    }
  }
  return found;
}

/** The place that an earlier command of the line chose for what comes after it (`kubectl config use-context x`). */
function chosenPlace(invocation: Invocation): string | undefined {
  const words = invocation.args.map((word) => word.text).filter((text) => !text.startsWith("-"));
  const said = words.join(" ");
  switch (invocation.program) {
    case "kubectl":
    case "oc":
      return /^config (?:use-context|set-context)\b|^(?:project|login)\b/.test(said) ? said : undefined;
    case "kubectx":
    case "kubens":
      return said;
    case "terraform":
    case "tofu":
    case "terragrunt":
      return /^(?:workspace select|init)\b/.test(said)
        ? invocation.args.map((word) => word.text).join(" ")
        : undefined;
    case "pulumi":
      return said.startsWith("stack select") ? said : undefined;
    case "gcloud":
      return /^config (?:set|configurations activate)\b/.test(said) ? said : undefined;
    case "az":
      return said.startsWith("account set") ? invocation.args.map((word) => word.text).join(" ") : undefined;
    case "docker":
      return said.startsWith("context use") ? said : undefined;
    case "firebase":
      return said.startsWith("use") ? said : undefined;
    case "railway":
      return /^(?:environment|link)\b/.test(said) ? said : undefined;
  }
  return undefined;
}

/** What earlier commands of a line set up for later ones. Bounded, so that long lines take no longer in proportion. */
export class Surroundings {
  readonly #environment = new Map<string, Assignment>();
  #place = "";

  /** Takes note of what a command sets up. */
  note(invocation: Invocation): void {
    const { program } = invocation;
    if (choosers.has(program)) this.#place = chosenPlace(invocation) ?? this.#place;
    if (!exporters.has(program)) return;
    for (const assignment of exported(invocation)) {
      if (this.#environment.size < 100 || this.#environment.has(assignment.name)) {
        this.#environment.set(assignment.name, assignment);
      }
    }
  }

  /** Variables that were exported, the last value of each, and those of the command itself. */
  environmentOf(invocation: Invocation): readonly Assignment[] {
    return this.#environment.size === 0
      ? invocation.assignments
      : [...this.#environment.values(), ...invocation.assignments];
  }

  /** The place that was chosen last. */
  get place(): string {
    return this.#place;
  }
}

/** Whether a command names production: by its arguments, its environment, its directory or the machine it runs on. */
export function isProduction(invocation: Invocation, surroundings = new Surroundings()): boolean {
  const { args, remote, directory } = invocation;
  const folder = directory.path?.slice(directory.path.lastIndexOf("/") + 1) ?? "";
  return args.some((word) => namesProduction(word.text)) ||
    surroundings.environmentOf(invocation).some(({ name, value }) =>
      namesPlace(name) && namesProduction(value.text)
    ) ||
    namesProduction(surroundings.place) ||
    (remote !== undefined && namesProduction(remote)) ||
    /^prod(?:uction)?$/i.test(folder);
}

/** Where a host is: on this machine or in a container beside it, or visibly elsewhere. */
export function hostPlace(written: string): "local" | "remote" | "unknown" {
  const host = written.trim().toLowerCase().replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (host === "" || host.startsWith("/") || host.startsWith("@")) return "local";
  if (/[$`{]/.test(host)) return "unknown";
  if (
    /^(?:localhost|127(?:\.\d{1,3}){1,3}|::1|0\.0\.0\.0|host\.(?:docker|containers|minikube)\.internal)$/
      .test(host)
  ) {
    return "local";
  }
  if (/\.(?:localhost|local|test|localdomain)$/.test(host)) return "local";
  // A name without a dot is that of a container or of the local network.
  return host.includes(".") || host.includes(":") ? "remote" : "unknown";
}

/** Host and path of a URL with an authority; undefined for another text. Credentials are left out. */
export function urlParts(text: string): { readonly host: string; readonly path: string } | undefined {
  const found = /^[a-z][a-z0-9+.:-]*?:\/\/([^/?#\s]*)([^?#\s]*)/i.exec(text.slice(0, longest));
  if (found === null) return undefined;
  const authority = found[1]!.slice(found[1]!.lastIndexOf("@") + 1);
  const host = /^(\[[^\]]*\]|[^:,]*)/.exec(authority)?.[1] ?? "";
  return { host, path: found[2]!.replace(/^\//, "") };
}

/** True for a name of a database or file that exists only for tests. */
export function namesTest(text: string): boolean {
  const name = text.replace(/\.(?:db|sqlite3?|duckdb)$/i, "").slice(-200);
  return /(?:^|[_./-])(?:tests?|testing|tmp|temp|scratch)(?:[_-]?\d{0,4})$|^(?:test|tmp|temp)[_-]/i.test(
    name,
  );
}
