/** What the findings share that hold what a policy says about tools, hosts and paths. */

/** Which layers an entry that allows counts for: its own, and those that are trusted less. */
export const trust = { managed: 2, user: 1, project: 0 } as const;

/** What is told to do instead, by what an entry is about and what it decides. */
export const policyAdvice = {
  tool: {
    ask: "Let the person decide, or do without this tool.",
    deny: "Do without this tool, or ask the person to change their policy.",
  },
  address: {
    ask: "Name the host and the reason to the person, or do without it.",
    deny: "Do without this host, or ask the person to change their policy.",
  },
  path: {
    ask: "Let the person decide, or do without these files.",
    deny: "Do without these files, or ask the person.",
  },
} as const;

/** How bad it is to go on, by what an entry decides. */
export const policySeverity = { ask: "medium", deny: "high" } as const;

/** The end of a sentence about an entry: the reason that is written beside it, where there is one. */
export function because({ reason }: { readonly reason?: string }): string {
  return reason === undefined ? "." : `: ${/[.!?]$/.test(reason) ? reason : `${reason}.`}`;
}
