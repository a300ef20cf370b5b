/** Rules about version control: losing work, rewriting what others share, running code through git. */

import type { Rule } from "../src/types.ts";
import { runProgram } from "./git/code.ts";
import { clean, discardChanges } from "./git/discard.ts";
import { lookAlikeRemote } from "./git/look_alike.ts";
import { otherSystems } from "./git/others.ts";
import { forcePush } from "./git/push.ts";
import { deleteBranch, deleteTag, dropStash, removeNet, removeWorktree, rewriteHistory } from "./git/refs.ts";

export const rules: readonly Rule[] = [
  discardChanges,
  clean,
  forcePush,
  deleteBranch,
  deleteTag,
  dropStash,
  removeNet,
  removeWorktree,
  rewriteHistory,
  runProgram,
  lookAlikeRemote,
  otherSystems,
];
