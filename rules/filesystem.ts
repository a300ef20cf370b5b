/** Rules about losing files: deleting, overwriting, moving, permissions, disks. */

import type { Rule } from "../src/types.ts";
import { deletion } from "./filesystem/delete.ts";
import { disks } from "./filesystem/disk.ts";
import { modes } from "./filesystem/mode.ts";
import { overwriting } from "./filesystem/overwrite.ts";
import { traces } from "./filesystem/traces.ts";

export const rules: readonly Rule[] = [...deletion, ...overwriting, ...modes, ...disks, ...traces];
