/** Rules about the services on which code lives and runs: forges, hosting, backends. */

import type { Rule } from "../src/types.ts";
import { formRule } from "./shared/forms.ts";
import { clients, deleteForms, exposeForms, publicForms, releaseForms } from "./platforms/forms.ts";

export const rules: readonly Rule[] = [
  formRule(
    {
      id: "platforms/delete",
      title: "Deleting something at a service",
      severity: "high",
      decision: "ask",
      rationale:
        "Repositories, applications and their data are gone for everybody at once, with issues, logs and backups.",
      advice:
        "Look with `gh repo view` or `fly apps list`; archive instead of deleting, and let the person delete.",
      examples: {
        match: [
          { action: "gh repo delete acme/shop", decision: "deny" },
          { action: "gh api -X DELETE repos/acme/shop", decision: "deny" },
          { action: "gh api --method DELETE repos/acme/shop/releases/1" },
          { action: "gh release delete v1.0.0" },
          { action: "gh secret delete TOKEN" },
          { action: "glab repo delete acme/shop", decision: "deny" },
          { action: "vercel rm shop --yes", decision: "deny" },
          { action: "netlify sites:delete 1234" },
          { action: "fly apps destroy shop" },
          { action: "flyctl volumes destroy vol_1 -y", decision: "deny" },
          { action: "heroku pg:reset DATABASE_URL" },
          { action: "heroku apps:destroy -a shop --confirm shop", decision: "deny" },
          { action: "supabase projects delete abc" },
          { action: "firebase firestore:delete --all-collections" },
          { action: "npx wrangler delete" },
          { action: "pscale database delete shop org --force", decision: "deny" },
          { action: "stripe customers delete cus_1 --live", decision: "deny" },
        ],
        pass: [
          { action: "gh pr create --fill" },
          { action: "gh pr merge 7 --delete-branch" },
          { action: "gh repo view acme/shop" },
          { action: "gh api repos/acme/shop" },
          { action: "gh run list" },
          { action: "gh issue close 3" },
          { action: "vercel ls" },
          { action: "fly status" },
          { action: "heroku logs --tail -a shop" },
          { action: "supabase start" },
          { action: "firebase emulators:start" },
          { action: "wrangler dev" },
        ],
      },
    },
    clients,
    deleteForms,
    "by-runners",
  ),
  formRule(
    {
      id: "platforms/make-public",
      title: "Showing to everybody what was private, or letting others in",
      severity: "high",
      decision: "ask",
      rationale: "What was public for a minute has been copied, and keys and members stay.",
      advice: "Ask the person first. `gh repo view --json visibility` and `gh ssh-key list` show how it is.",
      examples: {
        match: [
          { action: "gh repo edit acme/shop --visibility public" },
          { action: "gh repo create shop --public --source . --push" },
          { action: "gh gist create --public notes.md" },
          { action: "gh ssh-key add key.pub" },
          { action: "gh api -X PUT repos/acme/shop/collaborators/mallory" },
        ],
        pass: [
          { action: "gh repo create shop --private" },
          { action: "gh repo edit acme/shop --description x" },
          { action: "gh gist create notes.md" },
          { action: "gh ssh-key list" },
        ],
      },
    },
    clients,
    publicForms,
  ),
  formRule(
    {
      id: "platforms/release-to-users",
      title: "Putting something in front of users",
      severity: "medium",
      decision: "ask",
      rationale: "What is deployed to production is used at once, whatever state it is in.",
      advice: "Deploy a preview, as in `vercel deploy`, and let the person promote it.",
      examples: {
        match: [
          { action: "vercel --prod" },
          { action: "npx vercel deploy --prod --yes" },
          { action: "netlify deploy --prod --dir dist" },
          { action: "firebase deploy --only hosting" },
        ],
        pass: [
          { action: "vercel" },
          { action: "vercel dev" },
          { action: "vercel build --prod" },
          { action: "netlify deploy" },
          { action: "netlify build" },
          { action: "firebase serve" },
        ],
      },
    },
    clients,
    releaseForms,
    "by-runners",
  ),
  formRule(
    {
      id: "platforms/open-tunnel",
      title: "Opening this machine to the world",
      severity: "high",
      decision: "ask",
      rationale:
        "Whoever knows or finds the address reaches a program that was written for this machine alone.",
      advice: "Look at it from this machine, as in `curl -s http://localhost:3000/`.",
      examples: {
        match: [
          { action: "ngrok http 3000" },
          { action: "cloudflared tunnel --url http://localhost:3000" },
          { action: "npx localtunnel --port 3000" },
          { action: "tailscale funnel 3000" },
          { action: "ssh -R 80:localhost:3000 serveo.net" },
          { action: "code tunnel" },
        ],
        pass: [
          { action: "ngrok version" },
          { action: "cloudflared tunnel list" },
          { action: "tailscale status" },
          { action: "code ." },
          { action: "ssh -L 5432:localhost:5432 db.example.com" },
        ],
      },
    },
    clients,
    exposeForms,
    "by-runners",
  ),
];
