/** How the machine starts, and what brings files back. */

import { always, formRule } from "../shared/form_rule.ts";

export const boot = formRule({
  id: "system/boot",
  title: "Changes how the machine starts",
  severity: "critical",
  decision: "ask",
  rationale: "With a wrong entry the machine does not start again.",
  advice: "Show the entries with `efibootmgr -v` or `lsblk -f`, and let the person change them.",
  examples: {
    match: [
      { action: "sudo grub-install /dev/sda" },
      { action: "sudo efibootmgr -b 0003 -B" },
      { action: "sudo update-grub" },
      { action: { kind: "shell", command: "bcdedit /set {current} safeboot minimal", dialect: "cmd" } },
      {
        action: { kind: "shell", command: "bcdedit /set {default} recoveryenabled No", dialect: "cmd" },
        decision: "deny",
      },
      { action: "sudo nvram -c", decision: "deny" },
    ],
    pass: [
      { action: "efibootmgr -v" },
      { action: { kind: "shell", command: "bcdedit /enum all", dialect: "cmd" } },
      { action: "nvram -p" },
      { action: "bootctl status" },
    ],
  },
}, {
  "grub-install grub2-install update-grub update-grub2 grub-set-default grub2-set-default grub-reboot":
    always,
  "grub-mkconfig grub2-mkconfig": ({ some }) => some(/^(?:-o|--output)/),
  grubby: ({ some }) => some(/^--(?:remove|add|update|set)/),
  efibootmgr: ({ some }) =>
    some(/^-[a-zA-Z]*[BcoOnNaADgmM]|^--(?:delete|create|bootorder|bootnext|active|inactive|remove)/),
  bootctl: ({ verb }) => /^(?:install|update|remove|set-|unlink|cleanup)/.test(verb),
  "kernel-install installkernel": ({ verb, invocation }) =>
    invocation.program === "installkernel" || /^(?:add|remove)$/.test(verb),
  "update-initramfs mkinitcpio dracut": ({ some, invocation }) =>
    invocation.program === "dracut" ? !some(/^--(?:list|print)/) : some(/^-[a-zA-Z]*[ucdpPg]/),
  bcdedit: ({ some, texts }) => {
    const changes = some(
      /^\/(?:set|delete|deletevalue|create|copy|import|default|bootsequence|displayorder|timeout|store)/i,
    );
    if (!changes) return false;
    return /recoveryenabled\s+no|bootstatuspolicy|\/delete\s+\{(?:current|default|bootmgr)/i.test(
        texts.join(" "),
      )
      ? "deny"
      : true;
  },
  "bootrec bootsect bootcfg bcdboot": ({ texts }) => texts.length > 0,
  bless: ({ some }) => some(/^-?-(?:setBoot|folder|mount|device|netboot|unbless)/i),
  nvram: ({ has, operands, some }) =>
    has("-c") ? "deny" : some(/^-[df]/) || operands.some((text) => text.includes("=")),
  "extlinux syslinux lilo": ({ texts }) => texts.length > 0,
});

export const backups = formRule({
  id: "system/delete-backups",
  title: "Deletes backups, snapshots or restore points",
  severity: "critical",
  decision: "ask",
  rationale: "They are what brings everything else back.",
  advice:
    "List them, as in `restic snapshots` or `tmutil listbackups`, and let the person choose which can go.",
  examples: {
    match: [
      {
        action: { kind: "shell", command: "vssadmin delete shadows /all /quiet", dialect: "cmd" },
        decision: "deny",
      },
      {
        action: { kind: "shell", command: "wbadmin delete catalog -quiet", dialect: "cmd" },
        decision: "deny",
      },
      { action: "sudo tmutil disable", decision: "deny" },
      { action: "sudo btrfs subvolume delete /mnt/data/@home" },
      { action: "restic forget --keep-last 1 --prune" },
      { action: "borg delete repo::monday" },
      { action: "sudo snapper -c root delete 1-20" },
    ],
    pass: [
      { action: { kind: "shell", command: "vssadmin list shadows", dialect: "cmd" } },
      { action: "tmutil listbackups" },
      { action: "btrfs subvolume list /mnt/data" },
      { action: "restic forget --keep-last 3 --dry-run" },
      { action: "borg list repo" },
    ],
  },
}, {
  vssadmin: ({ verb }) => /^(?:delete|resize)$/.test(verb) ? "deny" : false,
  wbadmin: ({ verb }) => /^(?:delete|disable)$/.test(verb) ? "deny" : false,
  diskshadow: ({ texts }) => texts.length > 0,
  wmic: ({ has, some }) => some(/^shadowcopy$/i) && (has("delete") || some(/^delete$/i)) ? "deny" : false,
  "disable-computerrestore": () => "deny",
  tmutil: ({ verb }) =>
    /^(?:disable|removedestination)$/.test(verb)
      ? "deny"
      : /^(?:delete|deletelocalsnapshots|deleteinprogress|thinlocalsnapshots|addexclusion|restore|setdestination|inheritbackup|associatedisk)$/
        .test(verb),
  btrfs: ({ operands }) => /^su\S* del/.test(operands.slice(0, 2).join(" ")),
  snapper: ({ texts }) =>
    texts.some((text) => /^(?:delete|remove|rm|rollback|undochange|delete-config)$/.test(text)),
  timeshift: ({ has }) => has("--delete", "--delete-all", "--restore"),
  restic: ({ texts, has }) =>
    !has("--dry-run", "-n") && texts.some((text) => /^(?:forget|prune|rewrite|key)$/.test(text)) &&
    !/\bkey list\b/.test(texts.join(" ")),
  borg: ({ verb, has }) => !has("--dry-run", "-n") && /^(?:delete|prune|recreate|compact)$/.test(verb),
  "duplicity rdiff-backup": ({ texts }) => texts.some((text) => /^(?:--?)?remove-/.test(text)),
  kopia: ({ operands }) =>
    /^(?:snapshot|repository|manifest) (?:delete|expire|disconnect)/.test(operands.slice(0, 2).join(" ")),
});

export const unrecoverable = formRule({
  id: "system/no-recovery",
  title: "Makes deleted files impossible to bring back",
  severity: "high",
  decision: "ask",
  rationale: "The bin and the free space are the last place from which a deleted file returns.",
  advice: "Leave the bin to the person; `gio trash --list` shows what is in it.",
  examples: {
    match: [
      { action: { kind: "shell", command: "Clear-RecycleBin -Force", dialect: "powershell" } },
      { action: { kind: "shell", command: "cipher /w:C:\\", dialect: "cmd" } },
      { action: "gio trash --empty" },
      { action: "trash-empty -f" },
    ],
    pass: [
      { action: "gio trash notes.txt" },
      { action: "trash-list" },
      { action: { kind: "shell", command: "cipher /c notes.txt", dialect: "cmd" } },
    ],
  },
}, {
  "clear-recyclebin trash-empty": always,
  gio: ({ verb, has }) => verb === "trash" && has("--empty"),
  cipher: ({ some }) => some(/^\/w(?::|$)/i),
  "sdelete sdelete64": ({ texts }) => texts.length > 0,
  fsutil: ({ verb, texts }) =>
    verb === "usn" && texts.some((text) => /^deletejournal$/i.test(text)) ? "deny" : false,
});
