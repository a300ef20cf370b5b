/** Rules about packages: sending them out, taking them back, and where they come from. */

import type { Rule } from "../src/types.ts";
import { hostPlace } from "./shared/production.ts";
import { type Clients, type Form, type FormCommand, formRule } from "./shared/forms.ts";

const pips = "pip pip2 pip3 pip3.9 pip3.10 pip3.11 pip3.12 pip3.13 pip3.14 pipx";
const pythons = "python python3 py python3.10 python3.11 python3.12 python3.13 python3.14";
const nodes = "npm pnpm yarn bun";

const npm = {
  values: [
    "--registry", "--tag", "--access", "--otp", "--prefix", "-w", "--workspace", "-C", "--dir", "--filter", "--cwd", "--userconfig", "--cache",
    "--loglevel", "--provenance-file", "--new-version", "--scope",
  ],
};

const pip = {
  values: [
    "-i", "--index-url", "--extra-index-url", "--trusted-host", "-f", "--find-links", "-r", "--requirement", "-c", "--constraint", "-e",
    "--editable", "-t", "--target", "--proxy", "--python", "--cache-dir", "--default-index", "--index", "--with", "--prefix", "--root", "--spec",
    "-m",
  ],
};

const clients: Clients = {
  npm,
  pnpm: npm,
  yarn: npm,
  bun: npm,
  uv: pip,
  ...Object.fromEntries([...pips.split(" "), ...pythons.split(" ")].map((name) => [name, pip])),
  cargo: { values: ["--registry", "--index", "--token", "-p", "--package", "--manifest-path", "--git", "--version", "--vers", "--target-dir", "-j"] },
  gem: { values: ["-k", "--key", "--host", "-s", "--source", "-v", "--version", "--otp"] },
  docker: { values: ["-H", "--host", "-c", "--context", "--config", "-l", "--log-level", "--platform", "-t", "--tag", "-f", "--file"] },
  podman: { values: ["--creds", "--authfile", "--cert-dir", "--url", "--connection", "-t", "--tag", "-f", "--file"] },
  dotnet: { values: ["-s", "--source", "-k", "--api-key"] },
  nuget: { values: ["-Source", "-ApiKey"], style: "words" },
  mvn: { values: ["-f", "--file", "-s", "--settings", "-pl", "--projects", "-P"], style: "words" },
  twine: { values: ["-r", "--repository", "--repository-url", "-u", "-p", "--config-file"] },
  poetry: { values: ["-r", "--repository", "-u", "-p", "-C", "--directory", "--project"] },
  helm: { values: ["-n", "--namespace", "--kube-context", "--registry-config"] },
  brew: {},
  go: { style: "words" },
};

const dry = ["-n", "--dryrun"];

/** A registry of this machine. */
function isLocal({ operands, options, environment }: FormCommand): boolean {
  const places = [
    ...options.filter(({ name }) => /^--?(?:registry|repository-url|source|index-url|host|s|publish-url)$/i.test(name)).flatMap(({ value }) => value?.text ?? []),
    ...environment.filter(({ name }) => /registry/i.test(name)).map(({ value }) => value.text),
    ...operands.filter(({ text }) => /^(?:localhost|127\.0\.0\.1)[:/]/.test(text)).map(({ text }) => text),
  ];
  return places.some((text) => hostPlace(text.replace(/^\w+:\/\//, "").replace(/[:/].*$/, "")) === "local" && text !== "");
}

/** A task of a build tool, by its last name. */
function task(pattern: RegExp): (command: FormCommand) => boolean {
  return ({ operands }) => operands.some(({ text }) => pattern.test(text.slice(text.lastIndexOf(":") + 1)));
}

const publishForms: readonly Form[] = ([
  { on: "npm pnpm bun", words: "publish|pub", says: "A package would be published" },
  { on: "npm pnpm", words: "stage|exec publish", says: "A package would be published" },
  { on: "yarn", words: "publish", says: "A package would be published" },
  { on: "yarn", words: "npm publish", says: "A package would be published" },
  { on: "lerna", words: "publish", says: "Packages would be published" },
  { on: "changeset changesets", words: "publish", says: "Packages would be published" },
  { on: "nx", words: "release publish", says: "Packages would be published" },
  { on: "np semantic-release release-it", says: "A package would be published" },
  { on: "jsr", words: "publish", says: "A package would be published" },
  { on: "deno", words: "publish", says: "A package would be published" },
  { on: "cargo", words: "publish", without: dry, says: "A crate would be published" },
  { on: "cargo", words: "release", options: ["-x", "--execute"], says: "A crate would be published" },
  { on: "twine", words: "upload", says: "A package would be published" },
  { on: pythons, when: ({ operands, options }) => options.some(({ name, value }) => name === "-m" && value?.text === "twine") && operands[0]?.text === "upload", says: "A package would be published" },
  { on: pythons, words: "setup.py", when: ({ operands }) => operands.some(({ text }) => text === "upload"), says: "A package would be published" },
  { on: "poetry uv hatch flit pdm maturin rye", words: "publish|upload", says: "A package would be published" },
  { on: "gem", words: "push", says: "A gem would be published" },
  { on: "rake", when: task(/^release$/), says: "A gem would be published" },
  { on: "mvn mvnw", when: ({ operands }) => operands.some(({ text }) => /^(?:deploy|[\w.-]*deploy:deploy(?:-file)?|release:perform)$/.test(text)), says: "A package would be published" },
  { on: "gradle gradlew", when: task(/^(?:publish(?:(?!ToMavenLocal)\w)*|uploadArchives|closeAndRelease\w*|publishPlugins|bintrayUpload)$/), says: "A package would be published" },
  { on: "sbt", when: ({ operands }) => operands.some(({ text }) => /(?:^|[/ ])(?:publish|publishSigned|sonatypeRelease|ci-release)$/.test(text)), says: "A package would be published" },
  { on: "dotnet", words: "nuget push", says: "A package would be published" },
  { on: "nuget", words: "push", says: "A package would be published" },
  { on: "mix", words: "hex.publish", says: "A package would be published" },
  { on: "dart flutter", words: "pub publish", without: ["-n"], says: "A package would be published" },
  { on: "pub", words: "publish", without: ["-n"], says: "A package would be published" },
  { on: "vsce ovsx", words: "publish", says: "An extension would be published" },
  { on: "web-ext", words: "sign", says: "An extension would be sent in" },
  { on: "pod", words: "trunk push", says: "A pod would be published" },
  { on: "luarocks", words: "upload", says: "A package would be published" },
  { on: "cabal stack", words: "upload", says: "A package would be published" },
  { on: "opam", words: "publish", says: "A package would be published" },
  { on: "docker podman nerdctl buildah", words: "push", says: "An image would leave this machine" },
  { on: "docker podman", words: "image|manifest|compose|trust|plugin|model push", says: "An image would leave this machine" },
  { on: "docker podman", words: "build", options: ["--push"], says: "An image would leave this machine" },
  { on: "docker", words: "buildx|image|builder build|bake", options: ["--push"], says: "An image would leave this machine" },
  { on: "docker-compose podman-compose", words: "push", says: "Images would leave this machine" },
  { on: "skopeo", words: "copy|sync", when: ({ operands }) => operands.at(-1)?.text.startsWith("docker://") === true, says: "An image would leave this machine" },
  { on: "crane", words: "push|copy|cp|append|mutate", says: "An image would leave this machine" },
  { on: "oras", words: "push|copy|cp|attach", says: "Files would leave this machine" },
  { on: "helm", words: "push", says: "A chart would be published" },
  { on: "conda anaconda", words: "upload", says: "A package would be published" },
  { on: "huggingface-cli hf", words: "upload|upload-large-folder", says: "Files would be published" },
  { on: "snapcraft", words: "upload|push|release", says: "A package would be published" },
  { on: "goreleaser", words: "release", without: ["--snapshot", "--skip-publish"], says: "A release would be published" },
  { on: "gh", words: "release create|upload", without: ["-d", "--draft"], when: ({ operands }) => operands[1]?.text === "create", says: "A release would be published" },
] as const satisfies readonly Form[]).map((form: Form): Form => ({
  ...form,
  anywhere: true,
  when: (command) => (form.when === undefined || form.when(command)) && !isLocal(command),
}));

const withdrawForms: readonly Form[] = ([
  { on: nodes, words: "unpublish", options: ["--force", "-f"], decision: "deny", says: "A package would be taken away from everybody who uses it" },
  { on: nodes, words: "unpublish", says: "A version would be taken away from everybody who uses it" },
  { on: nodes, words: "deprecate|undeprecate", says: "Everybody who installs it would be told so" },
  { on: nodes, words: "owner|author|access|team|org|hook|trust add|rm|remove|grant|revoke|set|destroy|create|edit|public|restricted", says: "Who may publish would change" },
  { on: nodes, words: "token create|revoke|delete|rm|remove", says: "Keys of the account would change" },
  { on: nodes, words: "profile set|enable-2fa|disable-2fa", says: "The account would change" },
  { on: nodes, words: "dist-tag|dist-tags|tag add|rm|set|remove", says: "Everybody who installs it would get another version" },
  { on: "yarn", words: "npm tag add|remove", says: "Everybody who installs it would get another version" },
  { on: "cargo", words: "yank|unyank", says: "A version would be taken away or brought back" },
  { on: "cargo", words: "owner", options: ["-a", "--add", "-r", "--remove"], says: "Who may publish would change" },
  { on: "gem", words: "yank", decision: "deny", says: "A version would be taken away for good" },
  { on: "gem", words: "owner", options: ["-a", "--add", "-r", "--remove"], says: "Who may publish would change" },
  { on: "mix", words: "hex.retire|hex.owner|hex.organization", says: "A version or who may publish would change" },
  { on: "mix", words: "hex.publish", options: ["--revert"], decision: "deny", says: "A version would be taken away for good" },
  { on: "dotnet", words: "nuget delete", says: "A version would be taken away" },
  { on: "nuget", words: "delete", says: "A version would be taken away" },
  { on: "vsce ovsx", words: "unpublish", decision: "deny", says: "An extension would be taken away from everybody who uses it" },
  { on: "pod", words: "trunk delete|deprecate|add-owner|remove-owner", says: "A version or who may publish would change" },
  { on: "conda anaconda", words: "remove", when: ({ invocation }) => invocation.program === "anaconda", says: "A version would be taken away" },
] as const satisfies readonly Form[]).map((form: Form): Form => ({ ...form, anywhere: true }));

/** Address of code that is fetched without a check of who it comes from. */
const insecure = /^(?:git\+)?http:\/\//i;
const addresses = /^(?:git\+)?https?:\/\//i;

/** A package that is named by an address. Repositories of well-known forges over TLS are ordinary. */
function fromAddress({ operands, options }: FormCommand): boolean {
  const named = [...operands.slice(1).map(({ text }) => text), ...options.filter(({ name }) => /^(?:-e|--editable|--git)$/.test(name)).flatMap(({ value }) => value?.text ?? [])];
  return named.map((text) => text.replace(/^[\w.[\],-]+\s*@\s*(?=[a-z+]+:\/\/)/i, "")).some((text) =>
    (insecure.test(text) && !/^(?:git\+)?http:\/\/(?:localhost|127\.0\.0\.1)/i.test(text)) ||
    (addresses.test(text) && !/^(?:git\+)?https:\/\/(?:[\w-]+\.)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|files\.pythonhosted\.org|download\.pytorch\.org|registry\.npmjs\.org|codeload\.github\.com|pkg\.pr\.new)\//i.test(text))
  );
}

/** Where packages are looked for, other than the usual places. */
function fromIndex({ options, environment }: FormCommand): boolean {
  const named = [
    ...options.filter(({ name }) => /^(?:-i|--index-url|--extra-index-url|--default-index|--index|-f|--find-links|--registry|--source|--trusted-host)$/.test(name))
      .flatMap(({ name, value }) => value === undefined ? [] : [[name, value.text] as const]),
    ...environment.filter(({ name }) => /^(?:PIP_(?:INDEX_URL|EXTRA_INDEX_URL|TRUSTED_HOST)|UV_(?:INDEX|DEFAULT_INDEX|INDEX_URL|EXTRA_INDEX_URL)|npm_config_registry|NPM_CONFIG_REGISTRY)$/.test(name))
      .map(({ name, value }) => [/TRUSTED/.test(name) ? "--trusted-host" : "--index-url", value.text] as const),
  ];
  return named.some(([name, text]) => {
    const host = text.replace(/^[\w-]+=(?=https?:)/, "").replace(/^\w+:\/\/(?:[^/@]*@)?/, "").replace(/[:/].*$/, "");
    if (hostPlace(host) === "local") return false;
    if (name === "--trusted-host") return !/^(?:pypi\.org|files\.pythonhosted\.org|pypi\.python\.org)$/.test(host);
    if (!/^https?:/i.test(text.replace(/^[\w-]+=/, ""))) return false;
    return /^http:/i.test(text.replace(/^[\w-]+=/, "")) ||
      !/^(?:(?:[\w-]+\.)*(?:pypi\.org|pythonhosted\.org|pytorch\.org|npmjs\.org|npmjs\.com|yarnpkg\.com|nvidia\.com|npm\.pkg\.github\.com|rubygems\.org|jsr\.io|npmmirror\.com|tuna\.tsinghua\.edu\.cn|pkg\.dev|codeartifact\.[\w-]+\.amazonaws\.com|jfrog\.io|gitlab\.com|pkgs\.dev\.azure\.com))$/.test(host);
  });
}

const pip_install: Form["when"] = ({ options, operands }) =>
  options.some(({ name, value }) => name === "-m" && /^pip$/.test(value?.text ?? "")) && operands[0]?.text === "install";

const foreignForms: readonly Form[] = ([
  { on: pips, words: "install|download|wheel|run", when: (command) => fromAddress(command) || fromIndex(command), says: "Code from a place that nobody vouches for would be installed" },
  { on: pythons, when: (command) => pip_install(command) && (fromAddress(command) || fromIndex(command)), says: "Code from a place that nobody vouches for would be installed" },
  { on: "uv", words: "add|pip|tool|sync|run", when: (command) => fromAddress(command) || fromIndex(command), says: "Code from a place that nobody vouches for would be installed" },
  { on: "poetry pdm", words: "add", when: fromAddress, says: "Code from a place that nobody vouches for would be installed" },
  { on: nodes, words: "install|i|add|in|ins|isntall|ci|exec|x|dlx|create|init|update|up", when: (command) => fromAddress(command) || fromIndex(command), says: "Code from a place that nobody vouches for would be installed" },
  { on: "npx pnpx bunx", when: (command) => fromIndex(command) || command.operands.slice(0, 1).some(({ text }) => insecure.test(text)) , says: "Code from a place that nobody vouches for would be run" },
  { on: "cargo", words: "install", when: fromAddress, says: "Code from a place that nobody vouches for would be installed" },
  { on: "gem", words: "install|i", when: ({ options }) => options.some(({ name, value }) => /^(?:-s|--source|--clear-sources)$/.test(name) && !/^https:\/\/(?:index\.)?rubygems\.org/.test(value?.text ?? "https://rubygems.org")), says: "Code from a place that nobody vouches for would be installed" },
  { on: "easy_install", when: ({ operands }) => operands.some(({ text }) => addresses.test(text)), says: "Code from a place that nobody vouches for would be installed" },
  { on: "go", words: "get|install", when: ({ environment }) => environment.some(({ name, value }) => (name === "GONOSUMDB" || name === "GONOSUMCHECK" || name === "GOINSECURE") && value.text !== "" || (/^(?:GOSUMDB|GOFLAGS)$/.test(name) && /^off$|-insecure/.test(value.text))), says: "Code would be installed without a check of its sum" },
  { on: "dpkg rpm", options: ["-i", "--install", "-U"], when: ({ operands }) => operands.some(({ text }) => addresses.test(text)), says: "A package from an address would be installed" },
  { on: "apt apt-get", words: "install|upgrade|update|full-upgrade", options: ["--allow-unauthenticated", "--allow-insecure-repositories", "--force-yes"], says: "Packages would be installed though nobody vouches for them" },
  // Settings that hold for all later installations.
  { on: "npm pnpm", words: "config|c set", when: changesRegistry, says: "All packages would come from another place from now on" },
  { on: "npm pnpm", words: "set", when: changesRegistry, says: "All packages would come from another place from now on" },
  { on: "yarn", words: "config set", when: changesRegistry, says: "All packages would come from another place from now on" },
  { on: `${pips} uv`, words: "config set", when: ({ operands }) => /index|trusted|find-links/.test(operands[2]?.text ?? "") || /index|trusted/.test(operands[3]?.text ?? ""), says: "All packages would come from another place from now on" },
  { on: "gem", words: "sources|source", options: ["-a", "--add"], says: "Packages would come from another place from now on" },
  { on: "go", words: "env", options: ["-w"], when: ({ operands }) => operands.some(({ text }) => /^(?:GOPROXY|GOSUMDB|GONOSUMDB|GOINSECURE|GOFLAGS|GOPRIVATE)=/.test(text)), says: "Modules would come from another place from now on" },
  { on: "poetry", words: "source|config add|repositories.*", says: "Packages would come from another place from now on" },
  { on: "conda mamba", words: "config", options: ["--add", "--set", "--prepend"], when: ({ operands, invocation }) => operands.some(({ text }) => addresses.test(text)) || invocation.args.some(({ text }) => text === "ssl_verify"), says: "Packages would come from another place from now on" },
  { on: "add-apt-repository apt-key", words: "*", says: "Packages would come from another place from now on" },
  { on: "brew", words: "tap", when: ({ operands }) => operands.some(({ text }) => addresses.test(text) && !/^https:\/\/github\.com\//.test(text)), says: "Packages would come from another place from now on" },
  { on: "helm", words: "repo add", when: ({ operands }) => insecure.test(operands[3]?.text ?? ""), says: "Charts would come from an address that anybody on the way can change" },
] as readonly Form[]).map((form: Form): Form => ({ ...form, anywhere: true }));

/** A registry for all packages, or checks switched off. */
function changesRegistry({ operands, invocation }: FormCommand): boolean {
  const words = operands.map(({ text }) => text);
  if (invocation.args.some(({ text }) => text === "--location=project" || text === "--location")) {
    return words.some((text) => /^(?:registry|strict-ssl)(?:=|$)/.test(text)) && words.some((text) => insecure.test(text.replace(/^[^=]*=/, "")));
  }
  return words.some((text, index) => {
    const [name = "", inline] = text.split("=", 2);
    const value = inline ?? words[index + 1] ?? "";
    if (/^(?:registry|npmRegistryServer|https?-proxy|proxy)$/.test(name)) return !/^https:\/\/registry\.(?:npmjs\.org|yarnpkg\.com)\/?$/.test(value);
    if (/^(?:strict-ssl|enableStrictSsl)$/.test(name)) return value === "false";
    return /^(?:script-shell|node-options|git|init-module|shell|globalconfig|cafile)$/.test(name) && value !== "";
  });
}

export const rules: readonly Rule[] = [
  formRule(
    {
      id: "publishing/publish",
      title: "Publishing a package, an image or a release",
      severity: "medium",
      decision: "ask",
      rationale: "What is published is copied at once and can only be followed by another version, whatever secrets it holds.",
      advice: "See what would go out with `npm pack --dry-run` or `cargo publish --dry-run`, and let the person publish.",
      examples: {
        match: [
          { action: "npm publish --tag next" },
          { action: "pnpm -r publish --no-git-checks" },
          { action: "cargo publish -p core" },
          { action: "python3 -m twine upload dist/*" },
          { action: "uv publish" },
          { action: "gem push app-1.0.gem" },
          { action: "./gradlew :lib:publishToSonatype" },
          { action: "mvn -B clean deploy" },
          { action: "docker push acme/app:1.0" },
          { action: "docker buildx build --push -t acme/app ." },
          { action: "npx vsce publish" },
        ],
        pass: [
          { action: "npm publish --dry-run" },
          { action: "npm pack" },
          { action: "cargo publish -n" },
          { action: "npm publish --registry http://localhost:4873" },
          { action: "./gradlew publishToMavenLocal" },
          { action: "docker build -t app ." },
          { action: "docker push localhost:5000/app" },
          { action: "npm run publish-docs" },
          { action: "git push origin topic" },
        ],
      },
    },
    clients,
    publishForms,
  ),
  formRule(
    {
      id: "publishing/withdraw",
      title: "Taking a published version away, or changing who may publish",
      severity: "high",
      decision: "ask",
      rationale: "Builds of others break at once, and a new owner can publish whatever they like.",
      advice: "Publish a corrected version instead. Who may publish is shown by `npm owner ls app`.",
      examples: {
        match: [
          { action: "npm unpublish app@1.0.0" },
          { action: "npm unpublish app --force", decision: "deny" },
          { action: "npm owner add mallory app" },
          { action: "cargo yank --version 1.0.0" },
          { action: "gem yank app -v 1.0.0", decision: "deny" },
          { action: "npm token create" },
          { action: "npm dist-tag add app@2.0.0 latest" },
        ],
        pass: [
          { action: "npm owner ls app" },
          { action: "npm token list" },
          { action: "npm dist-tag ls app" },
          { action: "cargo owner --list app" },
          { action: "npm uninstall app" },
        ],
      },
    },
    clients,
    withdrawForms,
  ),
  formRule(
    {
      id: "publishing/foreign-source",
      title: "Installing code from an unusual place",
      severity: "high",
      decision: "ask",
      rationale: "Installing runs code, and an address or index of somebody else decides which.",
      advice: "Install by name and version from the usual registry, as in `npm install left-pad@1.3.0`.",
      examples: {
        match: [
          { action: "pip install http://files.example.com/app.tar.gz" },
          { action: "pip install app --index-url http://pypi.example.com/simple" },
          { action: "python3 -m pip install --extra-index-url https://pkgs.example.com/simple app" },
          { action: "PIP_INDEX_URL=http://10.0.0.7/simple pip install app" },
          { action: "npm i http://files.example.com/app.tgz" },
          { action: "npm install app --registry=http://npm.example.com" },
          { action: "npm config set registry http://npm.example.com" },
          { action: "pip config set global.index-url https://pypi.example.com/simple" },
          { action: "cargo install --git http://git.example.com/app" },
          { action: "uv add 'app @ git+http://git.example.com/app'" },
        ],
        pass: [
          { action: "npm install" },
          { action: "npm install left-pad@1.3.0 --ignore-scripts" },
          { action: "npx -y create-vite@latest app" },
          { action: "pip install -r requirements.txt" },
          { action: "pip install torch --index-url https://download.pytorch.org/whl/cpu" },
          { action: "pip install git+https://github.com/acme/app" },
          { action: "npm config get registry" },
          { action: "npm audit fix --force" },
          { action: "cargo install ripgrep" },
        ],
      },
    },
    clients,
    foreignForms,
  ),
];
