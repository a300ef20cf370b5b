/** Commands in containers that see directories of this machine, judged for what they do here. */

import { table } from "./judge_table.ts";

table("what a container does to a directory of this machine", "deny", [
  "docker run -v /home/eva:/cont img rm -rf /cont",
  "docker run -v /home:/h img rm -rf /h/eva",
  "docker run --rm -v ~:/data alpine sh -c 'rm -rf /data/*'",
  "docker run --rm -v ~:/data alpine sh -c 'cd /data && rm -rf *'",
  "docker run --rm -v ~/:/data -w /data alpine rm -rf .",
  "docker run --mount type=bind,source=/home/eva,target=/x img rm -rf /x",
  "docker run --mount type=bind,src=/etc,dst=/x img sh -c 'echo a >> /x/sudoers'",
  "podman run --volume=/home/eva:/x:Z img find /x -delete",
  "nerdctl run -v $HOME:/x img rm -rf /x",
  'docker run -v "$PWD":/app img rm -rf /app/.git',
  "docker run -v .:/app -w /app img rm -rf .git",
  'docker run -v "$(pwd)/..":/up img rm -rf /up/..',
  "docker run -v ~/.ssh:/keys:ro img cat /keys/id_ed25519",
  "docker run -v /home/eva:/deep/in/side img rm -rf /deep",
  "docker run -v /:/host img rm -rf /host/home/eva",
]);
table("what a container does to work that has no copy", "ask", [
  "docker run -v $PWD:/app img rm -rf /app/src",
  "docker run -v $PWD:/app -w /app img rm -rf src",
  "docker run -v /srv/data:/d img rm -rf /d/old",
]);
table("what a container does to its own files, or to build output of the project", "none", [
  "docker run --rm -v $PWD:/app -w /app node npm test",
  "docker run --rm -v $PWD:/app -w /app node rm -rf node_modules dist",
  "docker run --rm -v $PWD:/app node sh -c 'cd /app && rm -rf build && make'",
  "docker run --rm -v ./conf:/etc/nginx/conf.d:ro -p 80:80 nginx",
  "docker run -v data:/var/lib/postgresql/data postgres:16",
  "docker run --rm -v $PWD:/src:ro img ls /src",
]);
