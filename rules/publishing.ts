/** Rules about packages: sending them out, taking them back, and where they come from. */

import type { Rule } from "../src/types.ts";
import { clients } from "./publishing/clients.ts";
import { foreignForms } from "./publishing/foreign.ts";
import { publishForms, withdrawForms } from "./publishing/publish.ts";
import { formRule } from "./shared/forms.ts";

export const rules: readonly Rule[] = [
  formRule(
    {
      id: "publishing/publish",
      title: "Publishing a package, an image or a release",
      severity: "medium",
      decision: "ask",
      rationale:
        "What is published is copied at once and can only be followed by another version, whatever secrets it holds.",
      advice:
        "See what would go out with `npm pack --dry-run` or `cargo publish --dry-run`, and let the person publish.",
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
    "by-runners",
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
