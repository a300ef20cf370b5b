import assert from "node:assert/strict";
import { loadAllParts } from "../../src/parts.ts";
import { understand } from "../../src/shell/understand.ts";
import { installs } from "./installs.ts";

await loadAllParts();

function of(command: string): "new" | "listed" | undefined {
  const { invocations } = understand(command, { dialect: "posix", cwd: "/home/dev/app", home: "/home/dev" });
  const found = invocations.map(installs).filter((one) => one !== undefined);
  return found.includes("new") ? "new" : found[0];
}

const table: Readonly<Record<string, "new" | "listed" | "none">> = {
  "npm install": "listed",
  "npm ci": "listed",
  "npm i left-pad": "new",
  "npm install --save-dev vitest": "new",
  "npm install ./packages/core": "listed",
  "npm install --prefix web": "listed",
  "npm run install": "none",
  "npx cowsay hi": "new",
  "pnpm add zod": "new",
  "pnpm install --frozen-lockfile": "listed",
  "yarn add react": "new",
  "yarn install": "listed",
  "yarn build": "none",
  "bun add hono": "new",
  "pip install requests": "new",
  "pip install -r requirements.txt": "listed",
  "pip install -e .": "listed",
  "pip install -i https://index.example.com/simple requests": "new",
  "pip list": "none",
  "uv add httpx": "new",
  "uv pip install httpx": "new",
  "uv sync": "listed",
  "uv run pytest": "none",
  "cargo add serde": "new",
  "cargo install --path .": "listed",
  "cargo build": "none",
  "go get example.com/mod@latest": "new",
  "go build ./...": "none",
  "gem install rails": "new",
  "bundle install": "listed",
  "brew install jq": "new",
  "sudo apt-get install -y jq": "new",
  "dotnet add package Serilog": "new",
  "xargs npm install < list.txt": "new",
};

for (const [command, wanted] of Object.entries(table)) {
  Deno.test(`installs: ${command}`, () => assert.equal(of(command) ?? "none", wanted));
}
