/** Rules about the machine itself: power, kernel, storage, network, protections, packages, boot, backups. */

import type { Rule } from "../src/types.ts";
import { backups, boot, unrecoverable } from "./system/recovery.ts";
import { kernel, power, settings, storage } from "./system/machine.ts";
import { firewall, network } from "./system/network.ts";
import { packages } from "./system/packages.ts";
import { protection, registry, trust } from "./system/protection.ts";

export const rules: readonly Rule[] = [
  power,
  kernel,
  storage,
  settings,
  firewall,
  network,
  protection,
  trust,
  registry,
  packages,
  boot,
  backups,
  unrecoverable,
];
