/** What guard says about files of instructions when a session begins. The files themselves are left as they are. */

import { findingNote } from "../finding_note.ts";
import { makeContext } from "../context.ts";
import { diskFacts } from "../facts/disk.ts";
import { findInstructionSigns } from "../injection/scan.ts";
import { homeDirectory } from "../locations.ts";
import { shown } from "../paths.ts";
import { builtInPolicy } from "../policy/built_in.ts";
import type { Action, Note, Policy } from "../types.ts";
import { type VerdictInput, verdictOn } from "../verdict.ts";
import { type InstructionFile, instructionFiles } from "./files.ts";

/** The rule about them; rules/content/instructions.ts has it. */
export const instructionRule = "content/orders-in-instructions";

/** Milliseconds that looking for them may take. */
const lookFor = 1500;
/** Most files that are spoken of. */
const mostNotes = 8;

/** The notes, and the policy by which they are made. */
export interface InstructionNotes {
  readonly notes: readonly Note[];
  readonly policy: Policy;
}

/** Looks through the files for a session. Only where one of them shows something, policies are read and rules asked. */
export async function instructionNotes(input: VerdictInput): Promise<InstructionNotes> {
  const { call, until } = input;
  const facts = diskFacts({ git: false });
  const place = makeContext({
    call,
    home: homeDirectory(),
    processDirectory: Deno.cwd(),
    facts,
    os: Deno.build.os,
    env: Deno.env.get,
  });
  const end = Math.min(until, performance.now() + lookFor);
  const actions: Action[] = [];
  const unread: Note[] = [];
  const goOn = () => performance.now() < end && actions.length < mostNotes;
  for (const file of instructionFiles(place, goOn)) {
    if ("unread" in file) {
      if (unread.length < mostNotes) unread.push(unreadNote(file, shown(file.path, place)));
    } else if (findInstructionSigns(file.text).length > 0) {
      actions.push({ kind: "file", operation: "read", path: file.path, content: file.text });
    }
  }
  if (actions.length + unread.length === 0) return { notes: [], policy: builtInPolicy };
  const { verdict, policy } = await verdictOn({ ...input, call: { ...call, cwd: place.cwd, actions } });
  if (policy.mode === "observe") return { notes: [], policy };
  const found = verdict.findings.filter(({ rule }) => rule === instructionRule)
    .map(findingNote);
  return { notes: [...found, ...unread], policy };
}

function unreadNote({ unread }: Extract<InstructionFile, { unread: string }>, path: string): Note {
  return {
    rule: instructionRule,
    text:
      `guard: ${path}, which may be read as instructions, was not looked through for hidden orders: ${unread}.`,
  };
}
