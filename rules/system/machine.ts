/** Switching the machine off, its kernel, its volumes and its settings. */

import { parseArguments } from "../options.ts";
import { always, type Called, formRule, verbs } from "../shared/form_rule.ts";

export const power = formRule({
  id: "system/power",
  title: "Switches the machine off, restarts it or puts it to sleep",
  severity: "high",
  decision: "ask",
  rationale: "Unsaved work is lost, and everybody's sessions and services on the machine end.",
  advice:
    "Tell the person that a restart is needed and why. `uptime` and `who -b` say when the last one was.",
  inContainers: true,
  examples: {
    match: [
      { action: "sudo reboot" },
      { action: "shutdown -h now" },
      { action: "systemctl poweroff" },
      { action: "sudo init 6" },
      { action: { kind: "shell", command: "Restart-Computer -Force", dialect: "powershell" } },
      { action: { kind: "shell", command: "shutdown /r /t 0", dialect: "cmd" } },
      { action: "ssh web1.example.com sudo reboot" },
    ],
    pass: [
      { action: "shutdown -c" },
      { action: "last reboot" },
      { action: "systemctl status" },
      { action: "npm init -y" },
      { action: "echo reboot" },
      { action: { kind: "shell", command: "shutdown /a", dialect: "cmd" } },
    ],
  },
}, {
  "reboot poweroff": ({ has }) => !has("-w", "--wtmp-only"),
  halt: ({ has }) => !has("-w", "--wtmp-only"),
  shutdown: ({ texts, has }) => texts.length > 0 && !has("-c", "/a", "/?", "/l"),
  "init telinit": ({ verb }) => /^[06s1]$/.test(verb),
  "systemctl loginctl": verbs(
    "poweroff|reboot|halt|kexec|soft-reboot|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|rescue|emergency|exit",
  ),
  "stop-computer restart-computer": always,
  pmset: verbs("sleepnow|restart|shutdown"),
  wsl: ({ has }) => has("--shutdown"),
  psshutdown: always,
});

export const kernel = formRule({
  id: "system/kernel",
  title: "Changes the running kernel: its settings, modules or swap",
  severity: "high",
  decision: "ask",
  rationale: "A wrong value or a missing module can stop the whole machine, and modules run with all rights.",
  advice: "Read the present value, as in `sysctl kernel.pid_max` or `lsmod`, and let the person change it.",
  inContainers: true,
  examples: {
    match: [
      { action: "sudo sysctl -w vm.overcommit_memory=1" },
      { action: "sudo sysctl net.ipv4.ip_forward=1" },
      { action: "modprobe -r nvidia" },
      { action: "sudo rmmod kvm_intel" },
      { action: "sudo swapoff -a" },
    ],
    pass: [
      { action: "sysctl kernel.pid_max" },
      { action: "sysctl -a" },
      { action: "lsmod" },
      { action: "modprobe --show-depends kvm" },
      { action: "swapon --show" },
    ],
  },
}, {
  sysctl: ({ has, some, operands }) =>
    has("-w", "--write", "-p", "--load", "--system", "-f") || some(/^-[a-zA-Z]*[wpf]/) && !some(/^--/) ||
    operands.some((text) => text.includes("=")),
  modprobe: ({ has, operands, some }) =>
    operands.length > 0 &&
    !has("-n", "--dry-run", "--show", "-c", "--showconfig", "-D", "--show-depends", "-R") &&
    !some(/^-[a-z]*n/),
  "rmmod insmod kldload kldunload kextload kextunload": ({ operands }) => operands.length > 0,
  kmutil: verbs("load|unload|install"),
  dkms: verbs("remove|uninstall"),
  kexec: ({ texts }) => texts.length > 0,
  swapoff: ({ texts }) => texts.length > 0,
});

/** Places at which people attach their own volumes. */
const mountPoints = /^(?:\/(?:mnt|media|tmp|run\/user|run\/media|Volumes)(?:\/|$)|~|\.|[^/])/;

export const storage = formRule({
  id: "system/storage",
  title: "Reconfigures, repairs or detaches volumes that are in use",
  severity: "high",
  decision: "ask",
  rationale: "A volume that shrinks, rolls back or goes away takes the files on it along.",
  advice: "Look first with `lsblk -f` and `findmnt`, and let the person change volumes.",
  examples: {
    match: [
      { action: "sudo umount -a" },
      { action: "sudo mount -o remount,rw /" },
      { action: "sudo lvreduce -L 10G /dev/vg0/home" },
      { action: "zfs rollback -r tank/home@monday" },
      { action: "sudo fsck -y /dev/sda2" },
      { action: "wsl --unregister Ubuntu", decision: "deny" },
    ],
    pass: [
      { action: "mount" },
      { action: "umount /mnt/usb" },
      { action: "mount -t ext4" },
      { action: "fsck -n /dev/sda2" },
      { action: "wsl --list --verbose" },
      { action: "zfs list" },
    ],
  },
}, {
  mount: (called) => mounts(called),
  umount: ({ has, some, operands }) =>
    has("-a", "-A", "--all", "--all-targets", "--force", "--lazy") ||
    some(/^-[a-z]*[alf]/i) && !some(/^--/) ||
    operands.some((text) => !mountPoints.test(text)),
  swapon: ({ has }) => has("-a", "--all"),
  losetup: ({ has }) => has("-D", "--detach-all"),
  "lvreduce lvconvert pvmove vgreduce vgsplit vgmerge vgexport": ({ operands, has }) =>
    operands.length > 0 && !has("-t", "--test"),
  lvresize: ({ texts, some }) =>
    some(/^-L-|^--size=-|^-l-/) || texts.some((text, at) => /^-\d/.test(text) && at > 0),
  resize2fs: ({ operands, has }) => operands.length > 1 || has("-M"),
  "fsck e2fsck fsck.ext4 fsck.ext3 fsck.ext2 fsck.vfat xfs_repair": ({ has, some, operands }) =>
    operands.length > 0 && !has("-n", "-N", "-V") && !some(/^-[a-zA-Z]*[nN]/),
  "tune2fs ntfsfix dmsetup": ({ some, verb, invocation, has }) =>
    invocation.program === "dmsetup"
      ? /^(?:remove|remove_all|wipe_table|clear|reload|load|rename)$/.test(verb)
      : !has("-l", "-n", "--no-action") && some(/./),
  mdadm: ({ has, some }) => has("--stop", "--fail", "--remove") || some(/^-S$|^-f$|^-r$/),
  zpool: verbs("offline|detach|remove|export|rollback|split"),
  zfs: verbs("rollback|promote|unmount"),
  btrfs: ({ operands }) =>
    /^(?:device|dev) (?:remove|delete)$|^check --repair$|^rescue /.test(operands.slice(0, 2).join(" ")) ||
    operands[0] === "rescue",
  chkdsk: ({ some }) => some(/^\/[fxr]$/i),
  "repair-volume resize-partition dismount-diskimage": always,
  wsl: ({ has }) => has("--unregister") ? "deny" : false,
});

function mounts({ invocation, texts, has }: Called): boolean {
  if (has("-l", "--show-labels", "-V")) return false;
  if (has("-a", "--all")) return true;
  const parsed = parseArguments(invocation.args, {
    values: [
      "-t",
      "-o",
      "-L",
      "-U",
      "-O",
      "--types",
      "--options",
      "--source",
      "--target",
      "--label",
      "--uuid",
    ],
  });
  const options = parsed.values("-o", "--options").map((word) => word.text).join(",");
  if (/\bremount\b/.test(options)) return true;
  const target = parsed.operands.at(-1)?.text ?? parsed.value("--target")?.text;
  return target !== undefined && texts.length > 0 && !mountPoints.test(target);
}

export const settings = formRule({
  id: "system/settings",
  title: "Changes the clock, the name or other settings of the machine",
  severity: "medium",
  decision: "ask",
  rationale: "Certificates, logs and other people's programs depend on these settings.",
  advice: "Set it for one command instead, as in `TZ=UTC npm test`, or let the person change the machine.",
  examples: {
    match: [
      { action: "sudo timedatectl set-time 2020-01-01" },
      { action: "sudo date -s '1 Jan 2020'" },
      { action: "sudo hostnamectl set-hostname web1" },
      { action: "sudo systemsetup -settimezone Europe/Berlin" },
      { action: "defaults delete com.apple.dock" },
    ],
    pass: [
      { action: "date +%F" },
      { action: "date -d yesterday" },
      { action: "date -u +%s" },
      { action: "timedatectl" },
      { action: "hostnamectl status" },
      { action: "defaults read com.apple.dock" },
    ],
  },
}, {
  timedatectl: ({ verb }) => verb.startsWith("set-"),
  "hostnamectl localectl": ({ verb, operands }) =>
    verb.startsWith("set-") || (verb === "hostname" && operands.length > 1),
  date: (called) => setsClock(called),
  hwclock: ({ has, some }) =>
    has("-w", "--systohc", "-s", "--hctosys", "--set", "--adjust") || some(/^-[a-z]*[ws]/),
  "ntpdate set-date set-timezone": always,
  hostname: ({ operands, has }) => operands.length > 0 && !has("-f", "-I", "-s", "-d", "-i", "-A"),
  w32tm: ({ some }) => some(/^\/(?:config|unregister|register|resync)$/i),
  scutil: ({ has }) => has("--set"),
  systemsetup: ({ some }) => some(/^-set/i),
  pmset: ({ some, operands }) => some(/^-[abcu]$/) && operands.length > 0,
  defaults: ({ verb, operands }) => verb === "delete" && operands.length < 3 || verb === "delete-all",
  "rename-computer add-computer remove-computer": always,
});

/** `date` with a time to set: `-s`, or an operand that is no format. */
function setsClock({ invocation }: Called): boolean {
  const parsed = parseArguments(invocation.args, {
    values: ["-d", "--date", "-f", "--file", "-r", "--reference", "-s", "--set", "-v", "-z"],
    attached: ["-I"],
  });
  if (parsed.has("-s", "--set")) return true;
  // BSD: -j sets nothing, and -f then takes a second word.
  if (parsed.has("-j", "-d", "--date", "-r", "--reference", "-f", "--file")) return false;
  return parsed.operands.some((word) => /^\d{6,}(?:\.\d\d)?$/.test(word.text));
}
