/** Exit codes of all commands but `hook`. */
export const exitCodes = { none: 0, failed: 1, deny: 2, ask: 3, usage: 64 } as const;
