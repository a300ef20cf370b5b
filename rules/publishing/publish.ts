/** What sends packages out, takes them back, or changes who may. */

import { hostPlace } from "../shared/production.ts";
import type { Form, FormCommand } from "../shared/forms.ts";
import { nodes, pythons } from "./clients.ts";

const dry = ["-n", "--dryrun"];

/** A registry of this machine. */
function isLocal({ operands, options, environment }: FormCommand): boolean {
  const places = [
    ...options.filter(({ name }) =>
      /^--?(?:registry|repository-url|source|index-url|host|s|publish-url)$/i.test(name)
    ).flatMap(({ value }) => value?.text ?? []),
    ...environment.filter(({ name }) => /registry/i.test(name)).map(({ value }) => value.text),
    ...operands.filter(({ text }) => /^(?:localhost|127\.0\.0\.1)[:/]/.test(text)).map(({ text }) => text),
  ];
  return places.some((text) =>
    hostPlace(text.replace(/^\w+:\/\//, "").replace(/[:/].*$/, "")) === "local" && text !== ""
  );
}

/** A task of a build tool, by its last name. */
function task(pattern: RegExp): (command: FormCommand) => boolean {
  return ({ operands }) => operands.some(({ text }) => pattern.test(text.slice(text.lastIndexOf(":") + 1)));
}

export const publishForms: readonly Form[] = ([
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
  {
    on: pythons,
    when: ({ operands, options }) =>
      options.some(({ name, value }) => name === "-m" && value?.text === "twine") &&
      operands[0]?.text === "upload",
    says: "A package would be published",
  },
  {
    on: pythons,
    words: "setup.py",
    when: ({ operands }) => operands.some(({ text }) => text === "upload"),
    says: "A package would be published",
  },
  {
    on: "poetry uv hatch flit pdm maturin rye",
    words: "publish|upload",
    says: "A package would be published",
  },
  { on: "gem", words: "push", says: "A gem would be published" },
  { on: "rake", when: task(/^release$/), says: "A gem would be published" },
  {
    on: "mvn mvnw",
    when: ({ operands }) =>
      operands.some(({ text }) => /^(?:deploy|[\w.-]*deploy:deploy(?:-file)?|release:perform)$/.test(text)),
    says: "A package would be published",
  },
  {
    on: "gradle gradlew",
    when: task(
      /^(?:publish(?:(?!ToMavenLocal)\w)*|uploadArchives|closeAndRelease\w*|publishPlugins|bintrayUpload)$/,
    ),
    says: "A package would be published",
  },
  {
    on: "sbt",
    when: ({ operands }) =>
      operands.some(({ text }) =>
        /(?:^|[/ ])(?:publish|publishSigned|sonatypeRelease|ci-release)$/.test(text)
      ),
    says: "A package would be published",
  },
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
  {
    on: "docker podman",
    words: "image|manifest|compose|trust|plugin|model push",
    says: "An image would leave this machine",
  },
  { on: "docker podman", words: "build", options: ["--push"], says: "An image would leave this machine" },
  {
    on: "docker",
    words: "buildx|image|builder build|bake",
    options: ["--push"],
    says: "An image would leave this machine",
  },
  { on: "docker-compose podman-compose", words: "push", says: "Images would leave this machine" },
  {
    on: "skopeo",
    words: "copy|sync",
    when: ({ operands }) => operands.at(-1)?.text.startsWith("docker://") === true,
    says: "An image would leave this machine",
  },
  { on: "crane", words: "push|copy|cp|append|mutate", says: "An image would leave this machine" },
  { on: "oras", words: "push|copy|cp|attach", says: "Files would leave this machine" },
  { on: "helm", words: "push", says: "A chart would be published" },
  { on: "conda anaconda", words: "upload", says: "A package would be published" },
  { on: "huggingface-cli hf", words: "upload|upload-large-folder", says: "Files would be published" },
  { on: "snapcraft", words: "upload|push|release", says: "A package would be published" },
  {
    on: "goreleaser",
    words: "release",
    without: ["--snapshot", "--skip-publish"],
    says: "A release would be published",
  },
  {
    on: "gh",
    words: "release create|upload",
    without: ["-d", "--draft"],
    when: ({ operands }) => operands[1]?.text === "create",
    says: "A release would be published",
  },
] as const satisfies readonly Form[]).map((form: Form): Form => ({
  ...form,
  anywhere: true,
  when: (command) => (form.when === undefined || form.when(command)) && !isLocal(command),
}));

export const withdrawForms: readonly Form[] = ([
  {
    on: nodes,
    words: "unpublish",
    options: ["--force", "-f"],
    decision: "deny",
    says: "A package would be taken away from everybody who uses it",
  },
  { on: nodes, words: "unpublish", says: "A version would be taken away from everybody who uses it" },
  { on: nodes, words: "deprecate|undeprecate", says: "Everybody who installs it would be told so" },
  {
    on: nodes,
    words:
      "owner|author|access|team|org|hook|trust add|rm|remove|grant|revoke|set|destroy|create|edit|public|restricted",
    says: "Who may publish would change",
  },
  { on: nodes, words: "token create|revoke|delete|rm|remove", says: "Keys of the account would change" },
  { on: nodes, words: "profile set|enable-2fa|disable-2fa", says: "The account would change" },
  {
    on: nodes,
    words: "dist-tag|dist-tags|tag add|rm|set|remove",
    says: "Everybody who installs it would get another version",
  },
  { on: "yarn", words: "npm tag add|remove", says: "Everybody who installs it would get another version" },
  { on: "cargo", words: "yank|unyank", says: "A version would be taken away or brought back" },
  {
    on: "cargo",
    words: "owner",
    options: ["-a", "--add", "-r", "--remove"],
    says: "Who may publish would change",
  },
  { on: "gem", words: "yank", decision: "deny", says: "A version would be taken away for good" },
  {
    on: "gem",
    words: "owner",
    options: ["-a", "--add", "-r", "--remove"],
    says: "Who may publish would change",
  },
  {
    on: "mix",
    words: "hex.retire|hex.owner|hex.organization",
    says: "A version or who may publish would change",
  },
  {
    on: "mix",
    words: "hex.publish",
    options: ["--revert"],
    decision: "deny",
    says: "A version would be taken away for good",
  },
  { on: "dotnet", words: "nuget delete", says: "A version would be taken away" },
  { on: "nuget", words: "delete", says: "A version would be taken away" },
  {
    on: "vsce ovsx",
    words: "unpublish",
    decision: "deny",
    says: "An extension would be taken away from everybody who uses it",
  },
  {
    on: "pod",
    words: "trunk delete|deprecate|add-owner|remove-owner",
    says: "A version or who may publish would change",
  },
  {
    on: "conda anaconda",
    words: "remove",
    when: ({ invocation }) => invocation.program === "anaconda",
    says: "A version would be taken away",
  },
] as const satisfies readonly Form[]).map((form: Form): Form => ({ ...form, anywhere: true }));
