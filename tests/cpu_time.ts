/** CPU time of this process, by which tests about time measure: what else the machine does counts little in it. */

import process from "node:process";

/** Milliseconds of CPU time that the process has used so far. */
export function usedTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
