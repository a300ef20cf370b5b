/** How the clients of package registries read their command lines. */

import type { Clients } from "../shared/forms.ts";

export const pips = "pip pip2 pip3 pip3.9 pip3.10 pip3.11 pip3.12 pip3.13 pip3.14 pipx";
export const pythons = "python python3 py python3.10 python3.11 python3.12 python3.13 python3.14";
export const nodes = "npm pnpm yarn bun";

const npm = {
  values: [
    "--registry",
    "--tag",
    "--access",
    "--otp",
    "--prefix",
    "-w",
    "--workspace",
    "-C",
    "--dir",
    "--filter",
    "--cwd",
    "--userconfig",
    "--cache",
    "--loglevel",
    "--provenance-file",
    "--new-version",
    "--scope",
  ],
};

const pip = {
  values: [
    "-i",
    "--index-url",
    "--extra-index-url",
    "--trusted-host",
    "-f",
    "--find-links",
    "-r",
    "--requirement",
    "-c",
    "--constraint",
    "-e",
    "--editable",
    "-t",
    "--target",
    "--proxy",
    "--python",
    "--cache-dir",
    "--default-index",
    "--index",
    "--with",
    "--prefix",
    "--root",
    "--spec",
    "-m",
  ],
};

export const clients: Clients = {
  npm,
  pnpm: npm,
  yarn: npm,
  bun: npm,
  uv: pip,
  ...Object.fromEntries([...pips.split(" "), ...pythons.split(" ")].map((name) => [name, pip])),
  cargo: {
    values: [
      "--registry",
      "--index",
      "--token",
      "-p",
      "--package",
      "--manifest-path",
      "--git",
      "--version",
      "--vers",
      "--target-dir",
      "-j",
    ],
  },
  gem: { values: ["-k", "--key", "--host", "-s", "--source", "-v", "--version", "--otp"] },
  docker: {
    values: [
      "-H",
      "--host",
      "-c",
      "--context",
      "--config",
      "-l",
      "--log-level",
      "--platform",
      "-t",
      "--tag",
      "-f",
      "--file",
    ],
  },
  podman: {
    values: ["--creds", "--authfile", "--cert-dir", "--url", "--connection", "-t", "--tag", "-f", "--file"],
  },
  dotnet: { values: ["-s", "--source", "-k", "--api-key"] },
  nuget: { values: ["-Source", "-ApiKey"], style: "words" },
  mvn: { values: ["-f", "--file", "-s", "--settings", "-pl", "--projects", "-P"], style: "words" },
  twine: { values: ["-r", "--repository", "--repository-url", "-u", "-p", "--config-file"] },
  poetry: { values: ["-r", "--repository", "-u", "-p", "-C", "--directory", "--project"] },
  helm: { values: ["-n", "--namespace", "--kube-context", "--registry-config"] },
  brew: {},
  go: { style: "words" },
};
