/** Removing software of the system. */

import { parseArguments } from "../options.ts";
import { always, type Called, formRule, type Found } from "../shared/form_rule.ts";

/** Packages without which a system does not start, or cannot be repaired. */
const essential =
  /^(?:linux-image.*|linux-generic|kernel(?:-core)?|linux|libc6|glibc|libc|systemd|sudo|apt|dpkg|dnf|rpm|pacman|bash|coreutils|util-linux|login|passwd|init|base|filesystem|grub.*|openssh-server|python3|python3-minimal|libpython3-stdlib)$/;

/** Whether a call removes packages, and whether it would break the system. */
function removes(pattern: RegExp): (called: Called) => Found {
  return ({ operands, has, some }) => {
    if (
      has(
        "-s",
        "--simulate",
        "--just-print",
        "--dry-run",
        "--recon",
        "--no-act",
        "--print",
        "-p",
        "--assumeno",
      )
    ) return false;
    if (!pattern.test(operands[0] ?? "")) return false;
    const breaks =
      has("--allow-remove-essential", "--force-yes", "--force-all", "--force-remove-essential") ||
      some(/^--force-(?:depends|remove-essential|all)$/);
    return breaks || operands.slice(1).some((text) => essential.test(text)) ? "deny" : true;
  };
}

export const packages = formRule({
  id: "system/remove-packages",
  title: "Removes software of the system",
  severity: "high",
  decision: "ask",
  rationale: "Other programs and people use it, and purging takes its settings and data along.",
  advice:
    "Look what would go: `apt-get -s autoremove` or `dnf --assumeno remove nginx`. The person can then do it.",
  examples: {
    match: [
      { action: "sudo apt-get purge -y nginx" },
      { action: "sudo apt autoremove" },
      { action: "sudo apt-get remove --allow-remove-essential libc6", decision: "deny" },
      { action: "sudo dnf remove postgresql-server" },
      { action: "sudo pacman -Rns docker" },
      { action: "sudo dpkg --purge mysql-server" },
      { action: "brew uninstall --zap --cask docker" },
      { action: "sudo snap remove lxd" },
    ],
    pass: [
      { action: "sudo apt-get install -y jq" },
      { action: "apt-get -s purge nginx" },
      { action: "brew uninstall jq" },
      { action: "pacman -Qi docker" },
      { action: "dpkg -l" },
      { action: "pip uninstall -y requests" },
      { action: "docker run --rm debian apt-get purge -y nginx" },
    ],
  },
}, {
  "apt apt-get aptitude nala": removes(/^(?:remove|purge|autoremove|autopurge|auto-remove)$/),
  tasksel: removes(/^remove$/),
  "dnf yum microdnf dnf5": removes(/^(?:remove|erase|autoremove|rm|swap|distro-sync|group-?remove|history)$/),
  zypper: removes(/^(?:remove|rm|dup|dist-upgrade)$/),
  apk: removes(/^del$/),
  pkg: removes(/^(?:delete|remove|autoremove)$/),
  "pkg_delete pkgin xbps-remove swupd opkg": ({ invocation, verb, operands }) =>
    /^(?:pkg_delete|xbps-remove)$/.test(invocation.program)
      ? operands.length > 0
      : /^remove|^bundle-remove/.test(verb),
  "pacman yay paru": ({ some, operands }) =>
    !some(/^-.*p/) && some(/^-R|^--remove$/)
      ? some(/^-R[a-z]*d[a-z]*d/) || operands.some((text) => essential.test(text)) ? "deny" : true
      : some(/^-S[a-z]*c[a-z]*c/),
  emerge: ({ has }) => !has("-p", "--pretend", "-a", "--ask") && has("-C", "--unmerge", "-c", "--depclean"),
  dpkg: ({ has, some, operands }) =>
    !has("--no-act", "--dry-run", "--simulate") && has("-r", "-P", "--remove", "--purge")
      ? some(/^--force-/) || operands.some((text) => essential.test(text)) ? "deny" : true
      : false,
  rpm: ({ has, some, operands }) =>
    (has("-e", "--erase") || some(/^-e[a-z]*$/)) && !has("--test")
      ? has("--nodeps") || operands.some((text) => essential.test(text)) ? "deny" : true
      : false,
  snap: ({ verb }) => /^(?:remove|disable|revert)$/.test(verb),
  flatpak: ({ verb, operands, has }) =>
    /^(?:uninstall|remove)$/.test(verb) && (operands.length > 2 || has("--all", "--delete-data")),
  brew: (called) => removesFormulas(called),
  pkgutil: ({ has }) => has("--forget"),
  port: ({ verb }) => /^(?:uninstall|reclaim)$/.test(verb),
  "nix-collect-garbage": ({ has, some }) => has("-d", "--delete-old", "--delete-older-than") || some(/^-d/),
  "update-alternatives alternatives": ({ has }) =>
    has("--set", "--install", "--remove", "--remove-all", "--set-selections", "--all", "--auto"),
  "do-release-upgrade": ({ has }) => !has("-c", "--check-dist-upgrade-only"),
  softwareupdate: ({ has }) => has("-i", "--install", "-ia", "--reset-ignored"),
  "winget choco scoop": ({ invocation, verb, operands }) =>
    /^(?:uninstall|remove)$/.test(verb) && (invocation.program !== "scoop" || operands.length > 2),
  dism: ({ some }) =>
    some(/^\/(?:disable-feature|remove-|apply-image|cleanup-mountpoints|resetbase|apply-unattend|set-)/i),
  wusa: ({ some }) => some(/^\/uninstall$/i),
  "remove-windowsfeature uninstall-windowsfeature disable-windowsoptionalfeature remove-appxpackage remove-appxprovisionedpackage uninstall-package":
    always,
});

/** One formula of one's own comes back with one command; many, or what they kept, do not. */
function removesFormulas({ invocation, verb, has }: Called): boolean {
  if (!/^(?:uninstall|remove|rm|autoremove|untap)$/.test(verb) || has("-n", "--dry-run")) return false;
  if (has("--zap", "--ignore-dependencies")) return true;
  const names = parseArguments(invocation.args).operands.slice(1);
  return names.length > 3 || names.some((word) => !word.isStatic) || invocation.moreArguments;
}
