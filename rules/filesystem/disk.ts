/** Formatting and wiping disks. */

import type { InvocationRule } from "../../src/types.ts";
import type { Invocation } from "../../src/shell/model.ts";
import { normalise } from "../../src/paths/normal.ts";
import { parseArguments } from "../options.ts";

const makers = [
  "mkfs",
  "mke2fs",
  "mkswap",
  "newfs",
  "newfs_apfs",
  "newfs_hfs",
  ...[
    "ext2",
    "ext3",
    "ext4",
    "xfs",
    "btrfs",
    "vfat",
    "fat",
    "msdos",
    "ntfs",
    "exfat",
    "f2fs",
    "jfs",
    "reiserfs",
    "minix",
    "cramfs",
    "bfs",
  ].map((kind) => `mkfs.${kind}`),
  "mkntfs",
  "mkdosfs",
];

const wipers = [
  ...makers,
  "blkdiscard",
  "wipefs",
  "fdisk",
  "sfdisk",
  "cfdisk",
  "gdisk",
  "sgdisk",
  "parted",
  "diskutil",
  "format",
  "format-volume",
  "clear-disk",
  "initialize-disk",
  "remove-partition",
  "hdparm",
  "nvme",
  "cryptsetup",
  "badblocks",
  "zpool",
  "zfs",
  "lvremove",
  "vgremove",
  "pvremove",
  "mdadm",
  "diskpart",
  "shred",
  "scrub",
  "nwipe",
];

/** Undefined when the command only looks. */
function wipes({ program, args }: Invocation): boolean {
  const texts = args.map((word) => word.text);
  const has = (...names: readonly string[]) => texts.some((text) => names.includes(text.toLowerCase()));
  const shortest = parseArguments(args, { values: ["-t", "-s", "-b", "-n", "-o", "-L", "-U"] });
  if (has("--help", "-h", "--version", "-v", "--no-act", "--dry-run")) return false;
  if (makers.includes(program)) return shortest.operands.length > 0;
  switch (program) {
    case "blkdiscard":
    case "nwipe":
    case "scrub":
      return shortest.operands.length > 0;
    case "wipefs":
      return shortest.has("-a", "--all", "-o", "--offset") && !shortest.has("-n");
    case "fdisk":
    case "sfdisk":
    case "cfdisk":
    case "gdisk":
      return !shortest.has("-l", "--list", "-d", "--dump", "-s", "-V") &&
        texts.some((text) => text.startsWith("/dev/"));
    case "sgdisk":
      return shortest.has("-Z", "-z", "-o", "--zap-all", "--zap", "--clear", "-d");
    case "parted":
      return has("mklabel", "mktable", "rm", "mkpart", "resizepart");
    case "diskutil":
      return texts.some((text) =>
        /^(?:erase|partition|zero|random|secureerase|reformat|deletecontainer|deletevolume)/i.test(text)
      ) || (has("apfs") && texts.some((text) => /^delete/i.test(text)));
    case "format":
      return texts.some((text) => /^[A-Za-z]:$/.test(text));
    case "format-volume":
    case "clear-disk":
    case "initialize-disk":
    case "remove-partition":
      return !has("-whatif");
    case "hdparm":
      return texts.some((text) => /^--(?:security-erase|trim-sector|write-sector|dco-)/.test(text));
    case "nvme":
      return has("format", "sanitize", "write-zeroes", "delete-ns");
    case "cryptsetup":
      return has("luksformat", "erase", "lukserase", "luksremovekey", "lukskillslot", "reencrypt");
    case "badblocks":
      return shortest.has("-w", "-n");
    case "zpool":
    case "zfs":
      return has("destroy", "labelclear");
    case "lvremove":
    case "vgremove":
    case "pvremove":
      return shortest.operands.length > 0;
    case "mdadm":
      return has("--zero-superblock");
    case "diskpart":
      return true;
    case "shred":
      return texts.some((text) => /^\/dev\/(?!null|shm\/)/.test(text));
  }
  return false;
}

export const disks: readonly InvocationRule[] = [
  {
    on: "invocation",
    id: "filesystem/wipe-disk",
    title: "Formats, partitions or wipes a disk",
    severity: "critical",
    decision: "deny",
    rationale: "Everything on the disk is lost at once.",
    advice: "Look at the disks with `lsblk`, and ask the person to format one.",
    programs: wipers,
    examples: {
      match: [
        { action: "mkfs.ext4 /dev/sdb1" },
        { action: "sudo wipefs --all /dev/sdb" },
        { action: "blkdiscard -f /dev/nvme1n1" },
        { action: "diskutil eraseDisk APFS Empty disk2" },
        { action: "cryptsetup luksFormat /dev/sdb" },
      ],
      pass: [
        { action: "fdisk -l" },
        { action: "wipefs /dev/sdb" },
        { action: "diskutil list" },
        { action: "npm run format" },
      ],
    },
    match(invocation, context) {
      if (!wipes(invocation)) return undefined;
      const { operands } = parseArguments(invocation.args, { values: ["-t", "-L", "-b"] });
      const image = makers.includes(invocation.program) &&
        operands.every((word) => word.isStatic && !/^(?:\/dev\/|\\\\|[A-Za-z]:)/.test(word.text));
      const base = normalise(invocation.directory.path ?? context.cwd, "/", context);
      const fresh = image && operands.length > 0 &&
        operands.every((word) =>
          !word.text.startsWith("/") && context.facts.kind(normalise(word.text, base, context)) === "missing"
        );
      // A new image file in the project destroys nothing.
      if (fresh) return undefined;
      return {
        decision: image ? "ask" : "deny",
        evidence: { text: invocation.word.text, span: invocation.span },
      };
    },
  },
  {
    on: "invocation",
    id: "filesystem/mirror-remote",
    title: "Deletes on another machine what the source lacks",
    severity: "high",
    decision: "ask",
    rationale: "A wrong or empty source clears the destination.",
    advice: "Look first what would go: `rsync -a --delete --dry-run build/ host:/srv/site/`.",
    programs: ["rsync"],
    examples: {
      match: [
        { action: "rsync -a --delete build/ host.example.com:/srv/site/" },
        { action: "rsync -az --delete-after ./ dev@host.example.com:app/" },
        { action: "rsync --del -r a/ rsync://host.example.com/module/" },
      ],
      pass: [
        { action: "rsync -a build/ host.example.com:/srv/site/" },
        { action: "rsync -a --delete --dry-run build/ host.example.com:/srv/site/" },
        { action: "rsync -a host.example.com:/srv/site/ copy/" },
      ],
    },
    match({ args, span, word }) {
      const parsed = parseArguments(args, {
        values: ["-e", "-f", "--rsh", "--exclude", "--include", "--filter"],
      });
      const last = parsed.operands.at(-1)?.text ?? "";
      const deletes = parsed.options.some((option) => /^--del(?:ete.*)?$/.test(option.name));
      const remote = /^rsync:\/\//.test(last) || /^[^/]{2,}:/.test(last);
      return deletes && remote && !parsed.has("-n", "--dry-run")
        ? { evidence: { text: word.text, span } }
        : undefined;
    },
  },
];
