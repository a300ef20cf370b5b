/** Packages from addresses and indexes of somebody else. */

import { hostPlace } from "../shared/production.ts";
import type { Form, FormCommand } from "../shared/forms.ts";
import { nodes, pips, pythons } from "./clients.ts";

/** Address of code that is fetched without a check of who it comes from. */
const insecure = /^(?:git\+)?http:\/\//i;
const addresses = /^(?:git\+)?https?:\/\//i;

/** A package that is named by an address. Repositories of well-known forges over TLS are ordinary. */
function fromAddress({ operands, options }: FormCommand): boolean {
  const named = [
    ...operands.slice(1).map(({ text }) => text),
    ...options.filter(({ name }) => /^(?:-e|--editable|--git)$/.test(name)).flatMap(({ value }) =>
      value?.text ?? []
    ),
  ];
  return named.map((text) => text.replace(/^[\w.[\],-]+\s*@\s*(?=[a-z+]+:\/\/)/i, "")).some((text) =>
    (insecure.test(text) && !/^(?:git\+)?http:\/\/(?:localhost|127\.0\.0\.1)/i.test(text)) ||
    (addresses.test(text) &&
      !/^(?:git\+)?https:\/\/(?:[\w-]+\.)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|files\.pythonhosted\.org|download\.pytorch\.org|registry\.npmjs\.org|codeload\.github\.com|pkg\.pr\.new)\//i
        .test(text))
  );
}

/** Where packages are looked for, other than the usual places. */
function fromIndex({ options, environment }: FormCommand): boolean {
  const named = [
    ...options.filter(({ name }) =>
      /^(?:-i|--index-url|--extra-index-url|--default-index|--index|-f|--find-links|--registry|--source|--trusted-host)$/
        .test(name)
    )
      .flatMap(({ name, value }) => value === undefined ? [] : [[name, value.text] as const]),
    ...environment.filter(({ name }) =>
      /^(?:PIP_(?:INDEX_URL|EXTRA_INDEX_URL|TRUSTED_HOST)|UV_(?:INDEX|DEFAULT_INDEX|INDEX_URL|EXTRA_INDEX_URL)|npm_config_registry|NPM_CONFIG_REGISTRY)$/
        .test(name)
    )
      .map(({ name, value }) =>
        [/TRUSTED/.test(name) ? "--trusted-host" : "--index-url", value.text] as const
      ),
  ];
  return named.some(([name, text]) => {
    const host = text.replace(/^[\w-]+=(?=https?:)/, "").replace(/^\w+:\/\/(?:[^/@]*@)?/, "").replace(
      /[:/].*$/,
      "",
    );
    if (hostPlace(host) === "local") return false;
    if (name === "--trusted-host") {
      return !/^(?:pypi\.org|files\.pythonhosted\.org|pypi\.python\.org)$/.test(host);
    }
    if (!/^https?:/i.test(text.replace(/^[\w-]+=/, ""))) return false;
    return /^http:/i.test(text.replace(/^[\w-]+=/, "")) ||
      !/^(?:(?:[\w-]+\.)*(?:pypi\.org|pythonhosted\.org|pytorch\.org|npmjs\.org|npmjs\.com|yarnpkg\.com|nvidia\.com|npm\.pkg\.github\.com|rubygems\.org|jsr\.io|npmmirror\.com|tuna\.tsinghua\.edu\.cn|pkg\.dev|codeartifact\.[\w-]+\.amazonaws\.com|jfrog\.io|gitlab\.com|pkgs\.dev\.azure\.com))$/
        .test(host);
  });
}

const installsByModule: Form["when"] = ({ options, operands }) =>
  options.some(({ name, value }) => name === "-m" && /^pip$/.test(value?.text ?? "")) &&
  operands[0]?.text === "install";

export const foreignForms: readonly Form[] = ([
  {
    on: pips,
    words: "install|download|wheel|run",
    when: (command) => fromAddress(command) || fromIndex(command),
    says: "Code from a place that nobody vouches for would be installed",
  },
  {
    on: pythons,
    when: (command) => installsByModule(command) && (fromAddress(command) || fromIndex(command)),
    says: "Code from a place that nobody vouches for would be installed",
  },
  {
    on: "uv",
    words: "add|pip|tool|sync|run",
    when: (command) => fromAddress(command) || fromIndex(command),
    says: "Code from a place that nobody vouches for would be installed",
  },
  {
    on: "poetry pdm",
    words: "add",
    when: fromAddress,
    says: "Code from a place that nobody vouches for would be installed",
  },
  {
    on: nodes,
    words: "install|i|add|in|ins|isntall|ci|exec|x|dlx|create|init|update|up",
    when: (command) => fromAddress(command) || fromIndex(command),
    says: "Code from a place that nobody vouches for would be installed",
  },
  {
    on: "npx pnpx bunx",
    when: (command) =>
      fromIndex(command) || command.operands.slice(0, 1).some(({ text }) => insecure.test(text)),
    says: "Code from a place that nobody vouches for would be run",
  },
  {
    on: "cargo",
    words: "install",
    when: fromAddress,
    says: "Code from a place that nobody vouches for would be installed",
  },
  {
    on: "gem",
    words: "install|i",
    when: ({ options }) =>
      options.some(({ name, value }) =>
        /^(?:-s|--source|--clear-sources)$/.test(name) &&
        !/^https:\/\/(?:index\.)?rubygems\.org/.test(value?.text ?? "https://rubygems.org")
      ),
    says: "Code from a place that nobody vouches for would be installed",
  },
  {
    on: "easy_install",
    when: ({ operands }) => operands.some(({ text }) => addresses.test(text)),
    says: "Code from a place that nobody vouches for would be installed",
  },
  {
    on: "go",
    words: "get|install",
    when: ({ environment }) =>
      environment.some(({ name, value }) =>
        (name === "GONOSUMDB" || name === "GONOSUMCHECK" || name === "GOINSECURE") && value.text !== "" ||
        (/^(?:GOSUMDB|GOFLAGS)$/.test(name) && /^off$|-insecure/.test(value.text))
      ),
    says: "Code would be installed without a check of its sum",
  },
  {
    on: "dpkg rpm",
    options: ["-i", "--install", "-U"],
    when: ({ operands }) => operands.some(({ text }) => addresses.test(text)),
    says: "A package from an address would be installed",
  },
  {
    on: "apt apt-get",
    words: "install|upgrade|update|full-upgrade",
    options: ["--allow-unauthenticated", "--allow-insecure-repositories", "--force-yes"],
    says: "Packages would be installed though nobody vouches for them",
  },
  // Settings that hold for all later installations.
  {
    on: "npm pnpm",
    words: "config|c set",
    when: changesRegistry,
    says: "All packages would come from another place from now on",
  },
  {
    on: "npm pnpm",
    words: "set",
    when: changesRegistry,
    says: "All packages would come from another place from now on",
  },
  {
    on: "yarn",
    words: "config set",
    when: changesRegistry,
    says: "All packages would come from another place from now on",
  },
  {
    on: `${pips} uv`,
    words: "config set",
    when: ({ operands }) =>
      /index|trusted|find-links/.test(operands[2]?.text ?? "") ||
      /index|trusted/.test(operands[3]?.text ?? ""),
    says: "All packages would come from another place from now on",
  },
  {
    on: "gem",
    words: "sources|source",
    options: ["-a", "--add"],
    says: "Packages would come from another place from now on",
  },
  {
    on: "go",
    words: "env",
    options: ["-w"],
    when: ({ operands }) =>
      operands.some(({ text }) => /^(?:GOPROXY|GOSUMDB|GONOSUMDB|GOINSECURE|GOFLAGS|GOPRIVATE)=/.test(text)),
    says: "Modules would come from another place from now on",
  },
  {
    on: "poetry",
    words: "source|config add|repositories.*",
    says: "Packages would come from another place from now on",
  },
  {
    on: "conda mamba",
    words: "config",
    options: ["--add", "--set", "--prepend"],
    when: ({ operands, invocation }) =>
      operands.some(({ text }) => addresses.test(text)) ||
      invocation.args.some(({ text }) => text === "ssl_verify"),
    says: "Packages would come from another place from now on",
  },
  {
    on: "add-apt-repository apt-key",
    words: "*",
    says: "Packages would come from another place from now on",
  },
  {
    on: "brew",
    words: "tap",
    when: ({ operands }) =>
      operands.some(({ text }) => addresses.test(text) && !/^https:\/\/github\.com\//.test(text)),
    says: "Packages would come from another place from now on",
  },
  {
    on: "helm",
    words: "repo add",
    when: ({ operands }) => insecure.test(operands[3]?.text ?? ""),
    says: "Charts would come from an address that anybody on the way can change",
  },
] as readonly Form[]).map((form: Form): Form => ({ ...form, anywhere: true }));

/** A registry for all packages, or checks switched off. */
function changesRegistry({ operands, invocation }: FormCommand): boolean {
  const words = operands.map(({ text }) => text);
  if (invocation.args.some(({ text }) => text === "--location=project" || text === "--location")) {
    return words.some((text) => /^(?:registry|strict-ssl)(?:=|$)/.test(text)) &&
      words.some((text) => insecure.test(text.replace(/^[^=]*=/, "")));
  }
  return words.some((text, index) => {
    const [name = "", inline] = text.split("=", 2);
    const value = inline ?? words[index + 1] ?? "";
    if (/^(?:registry|npmRegistryServer|https?-proxy|proxy)$/.test(name)) {
      return !/^https:\/\/registry\.(?:npmjs\.org|yarnpkg\.com)\/?$/.test(value);
    }
    if (/^(?:strict-ssl|enableStrictSsl)$/.test(name)) return value === "false";
    return /^(?:script-shell|node-options|git|init-module|shell|globalconfig|cafile)$/.test(name) &&
      value !== "";
  });
}
