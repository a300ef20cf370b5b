/** Rules about accounts, rights that programs get, and keys. Files of accounts are with rules/persistence.ts. */

import type { Context, Rule } from "../src/types.ts";
import { normalise } from "../src/paths/normal.ts";
import type { Invocation } from "../src/shell/model.ts";
import { always, type Called, formRule, type Found } from "./shared/form_rule.ts";
import { parseArguments } from "./options.ts";

/** Groups whose members can become root. */
const powerful =
  /^(?:sudo|wheel|admin|administrators|root|shadow|disk|adm|domain admins|enterprise admins)$/i;

const root = formRule({
  id: "accounts/grant-root",
  title: "Lets an account become root or administrator",
  severity: "critical",
  decision: "deny",
  rationale: "Whoever gets it keeps every right on the machine, long after the task is done.",
  advice: "Say what needs the right, and let the person run that one command. `id` shows the groups of now.",
  examples: {
    match: [
      { action: "sudo usermod -aG sudo dev" },
      { action: "sudo gpasswd -a dev wheel" },
      { action: "sudo useradd -o -u 0 helper" },
      { action: "sudo dseditgroup -o edit -a dev -t user admin" },
      { action: { kind: "shell", command: "net localgroup administrators dev /add", dialect: "cmd" } },
      {
        action: {
          kind: "shell",
          command: "Add-LocalGroupMember -Group Administrators -Member dev",
          dialect: "powershell",
        },
      },
    ],
    pass: [
      { action: "id dev" },
      { action: "getent group sudo" },
      { action: { kind: "shell", command: "net localgroup administrators", dialect: "cmd" } },
      { action: "docker run --rm debian usermod -aG sudo app" },
    ],
  },
}, {
  "usermod useradd adduser": ({ invocation, operands, texts }) => {
    if (invocation.program === "adduser" && powerful.test(operands[1] ?? "")) return true;
    const parsed = parseArguments(invocation.args, {
      values: [
        "-G",
        "-g",
        "--groups",
        "--gid",
        "--ingroup",
        "-u",
        "--uid",
        "-c",
        "-d",
        "-s",
        "-e",
        "-f",
        "-k",
        "-K",
        "-p",
      ],
    });
    const groups = parsed.values("-G", "-g", "--groups", "--gid", "--ingroup").flatMap((word) =>
      word.text.split(",")
    );
    return groups.some((group) => powerful.test(group) || group === "0") ||
      (parsed.value("-u", "--uid")?.text === "0" && texts.length > 0);
  },
  gpasswd: ({ texts, operands }) =>
    texts.some((text) => /^(?:-a|--add|-M|-A)/.test(text)) && operands.some((text) => powerful.test(text)),
  groupmems: ({ texts, operands }) => texts.includes("-a") && operands.some((text) => powerful.test(text)),
  dseditgroup: ({ texts, operands }) => texts.includes("-a") && operands.some((text) => powerful.test(text)),
  dscl: ({ texts }) =>
    texts.some((text) => /^-?(?:append|merge|create)$/i.test(text)) &&
    texts.some((text) => /^\/Groups\/(?:admin|wheel)$/i.test(text)),
  sysadminctl: ({ has }) => has("-admin") && has("-addUser"),
  net: ({ operands, some }) =>
    /^(?:localgroup|group)$/i.test(operands[0] ?? "") && powerful.test(operands[1] ?? "") &&
      some(/^\/add$/i) ||
    /^user$/i.test(operands[0] ?? "") && /^administrator$/i.test(operands[1] ?? "") &&
      some(/^\/active:yes$/i),
  "add-localgroupmember add-adgroupmember": ({ operands }) => operands.some((text) => powerful.test(text)),
});

const manage = formRule({
  id: "accounts/change",
  title: "Changes accounts, groups, passwords or login shells",
  severity: "high",
  decision: "ask",
  rationale: "People may be locked out, or somebody let in, and nobody takes it back.",
  advice: "Tell the person which account is needed and why. `id` and `getent passwd` show what there is.",
  examples: {
    match: [
      { action: "sudo userdel bot" },
      { action: "sudo userdel -r bot", decision: "deny" },
      { action: "sudo groupdel builders" },
      { action: "chsh -s /bin/zsh" },
      { action: { kind: "shell", command: "net user bot Secret1 /add", dialect: "cmd" } },
      { action: { kind: "shell", command: "Remove-LocalUser -Name bot", dialect: "powershell" } },
    ],
    pass: [
      { action: "getent passwd" },
      { action: "chage -l dev" },
      { action: { kind: "shell", command: "net user", dialect: "cmd" } },
      { action: { kind: "shell", command: "Get-LocalUser", dialect: "powershell" } },
      { action: "chsh -l" },
    ],
  },
}, {
  "userdel deluser": ({ has, some, operands }) =>
    operands.length === 0
      ? false
      : has("--remove", "--remove-home", "--remove-all-files") || some(/^-[a-z]*r/)
      ? "deny"
      : true,
  "groupdel delgroup newusers chgpasswd groupmems": ({ texts }) => texts.length > 0,
  chsh: ({ has }) => !has("-l", "--list-shells"),
  "chfn pwconv pwunconv": always,
  chage: ({ has, texts }) => texts.length > 0 && !has("-l", "--list"),
  passwd: ({ has }) => has("-d", "--delete", "-l", "--lock"),
  pw: ({ operands }) =>
    /^(?:user|group)(?:add|del|mod)|^(?:add|del|mod)/.test(`${operands[0] ?? ""}${operands[1] ?? ""}`),
  dseditgroup: ({ texts }) => /\b(?:create|delete|edit)\b/.test(texts.join(" ")),
  sysadminctl: ({ some }) =>
    some(/^-(?:deleteUser|addUser|resetPasswordFor|newPassword|guestAccount|screenLock|secureTokenO)/),
  dscl: ({ texts }) =>
    texts.some((text) => /^-?delete$/i.test(text)) && texts.some((text) => /^\/Users\//i.test(text))
      ? "deny"
      : false,
  loginctl: ({ verb }) => /^(?:enable|disable)-linger$/.test(verb),
  net: ({ operands, some }) =>
    /^(?:user|accounts|localgroup|group)$/i.test(operands[0] ?? "") &&
    (some(/^\/(?:add|delete|active|passwordreq|minpwlen|expires|times)/i) ||
      /^user$/i.test(operands[0]!) && operands.filter((text) => !text.startsWith("/")).length > 2),
  wmic: ({ verb, some }) => verb === "useraccount" && some(/^(?:delete|set|call|rename)$/i),
  "remove-localuser set-localuser disable-localuser enable-localuser rename-localuser remove-localgroup new-localgroup remove-localgroupmember new-aduser remove-aduser set-aduser set-adaccountpassword disable-adaccount":
    always,
  realm: ({ verb }) => /^(?:join|leave|permit|deny)$/.test(verb),
  "pam-auth-update authselect": ({ invocation, verb, texts }) =>
    invocation.program === "authselect"
      ? /^(?:select|enable-feature|disable-feature|apply-changes|opt-out|backup-restore)$/.test(verb)
      : texts.length > 0,
});

/** Programs that give a shell, or any file, to whoever runs them with more rights. */
const shells =
  /(?:^|\/)(?:ba|da|z|k|c|tc)?sh$|(?:^|\/)(?:fish|busybox|find|vim?|nano|less|more|env|python[\d.]*|perl|ruby|node|awk|gawk|cp|mv|tar|dd|tee|bash)$/;
/** Capabilities that are as good as root. */
const rootLike =
  /cap_(?:setuid|setgid|sys_admin|dac_override|dac_read_search|sys_ptrace|sys_module|setfcap|fowner|chown|all)|^all|^=/i;

const rights = formRule({
  id: "accounts/grant-rights",
  title: "Gives a program the rights of its owner or of root",
  severity: "high",
  decision: "ask",
  rationale: "Whoever runs it then has these rights, also by accident or through a mistake in it.",
  advice:
    "Run the one command that needs it with sudo, and leave the file as it is. `getcap tool` shows what it has.",
  examples: {
    match: [
      { action: "sudo chmod u+s /usr/local/bin/tool" },
      { action: "chmod 4755 tool" },
      { action: "sudo chmod +s /bin/bash", decision: "deny" },
      { action: "sudo setcap cap_net_bind_service=+ep ./server" },
      { action: "sudo setcap cap_setuid+ep /usr/bin/python3", decision: "deny" },
      { action: "sudo install -m 4755 tool /usr/local/bin/" },
    ],
    pass: [
      { action: "chmod +x tool" },
      { action: "chmod 755 tool" },
      { action: "chmod u-s tool" },
      { action: "chmod g+s shared" },
      { action: "getcap tool" },
      { action: "setcap -r ./server" },
    ],
  },
}, {
  chmod: ({ operands, texts }) => {
    const [mode = "", ...files] = texts.filter((text) =>
      !text.startsWith("--") && !/^-[RcfvhHLP]+$/.test(text)
    );
    if (!setsUser(mode)) return false;
    return files.some((file) => shells.test(file)) || operands.some((file) => shells.test(file))
      ? "deny"
      : true;
  },
  install: ({ invocation }) => {
    const mode = parseArguments(invocation.args, { values: ["-m", "--mode", "-o", "-g", "-t", "-S"] }).value(
      "-m",
      "--mode",
    );
    return mode !== undefined && setsUser(mode.text);
  },
  setcap: ({ operands, has }) => {
    if (has("-r", "-v") || operands.length < 2) return false;
    return operands.slice(0, -1).some((text) => rootLike.test(text)) || shells.test(operands.at(-1)!)
      ? "deny"
      : true;
  },
});

/** Whether a mode sets the bit that runs a file with its owner's rights. */
function setsUser(mode: string): boolean {
  if (/^0*[0-7]{4,}$/.test(mode)) return (parseInt(mode, 8) & 0o4000) !== 0;
  return mode.split(",").some((part) => /^(?:[ua]*)[+=][rwxXst]*s/.test(part) && !/^[go]+[+=]/.test(part));
}

const keys = formRule({
  id: "accounts/delete-keys",
  title: "Deletes or replaces private keys or stored passwords",
  severity: "high",
  decision: "ask",
  rationale: "There is no other copy: what was locked or signed with it is lost with it.",
  advice:
    "List them without touching them, as in `gpg --list-secret-keys`, or write a new key under another name.",
  examples: {
    match: [
      { action: "gpg --delete-secret-keys dev@example.com" },
      { action: "gpg --batch --yes --delete-secret-and-public-key ABCD1234", decision: "deny" },
      { action: "security delete-keychain work.keychain", decision: "deny" },
      { action: "secret-tool clear service github" },
      { action: "pass rm mail/work" },
      {
        action: "ssh-keygen -t ed25519 -f ~/.ssh/id_ed25519 -N ''",
        facts: { files: { "/home/dev/.ssh/id_ed25519": "x" } },
      },
    ],
    pass: [
      { action: "gpg --list-secret-keys" },
      { action: "gpg --delete-keys friend@example.com" },
      { action: "ssh-keygen -R host.example.com" },
      { action: "ssh-keygen -t ed25519 -f ~/.ssh/new_key -N ''" },
      {
        action: "ssh-keygen -y -f ~/.ssh/id_ed25519",
        facts: { files: { "/home/dev/.ssh/id_ed25519": "x" } },
      },
      { action: "security list-keychains" },
    ],
  },
}, {
  "gpg gpg2": ({ some, has }) =>
    !some(/^--delete-secret-(?:keys?|and-public-keys?)$/) ? false : has("--yes", "--batch") ? "deny" : true,
  "gpg-connect-agent": ({ some }) => some(/^DELETE_KEY/i),
  security: ({ verb }) =>
    verb === "delete-keychain"
      ? "deny"
      : /^delete-(?:generic-password|internet-password|certificate|identity)$/.test(verb),
  "secret-tool": ({ verb }) => verb === "clear",
  keyring: ({ verb }) => verb === "del",
  "pass gopass": ({ verb }) => /^(?:rm|remove|delete)$/.test(verb),
  keytool: ({ has }) => has("-delete"),
  cmdkey: ({ some }) => some(/^\/delete/i),
  certutil: ({ some }) => some(/^[-/](?:delstore|delkey)$/i),
  vaultcmd: ({ some }) => some(/^\/delete/i),
  "ssh-keygen": ({ invocation, context }) => replacesKey(invocation, context),
});

function replacesKey(invocation: Invocation, context: Context): Found {
  const parsed = parseArguments(invocation.args, {
    values: [
      "-t",
      "-b",
      "-C",
      "-f",
      "-N",
      "-P",
      "-m",
      "-O",
      "-a",
      "-E",
      "-I",
      "-s",
      "-n",
      "-V",
      "-z",
      "-w",
      "-Y",
      "-F",
      "-R",
      "-D",
      "-r",
      "-Z",
      "-M",
    ],
  });
  // Everything that is not the making of a new pair.
  if (
    parsed.has(
      "-y",
      "-l",
      "-B",
      "-e",
      "-i",
      "-F",
      "-R",
      "-H",
      "-p",
      "-c",
      "-L",
      "-s",
      "-k",
      "-Q",
      "-Y",
      "-D",
      "-r",
      "-A",
      "-M",
    )
  ) return false;
  const file = parsed.value("-f");
  const kind = parsed.value("-t")?.text ?? "ed25519";
  if (file !== undefined && !file.isStatic) return false;
  const path = normalise(
    file?.text ?? `${context.home}/.ssh/id_${kind}`,
    invocation.directory.path ?? context.cwd,
    context,
  );
  return context.facts.kind(path) === "file"
    ? { message: `This replaces the private key ${file?.text ?? `~/.ssh/id_${kind}`}.` }
    : false;
}

const lists = formRule({
  id: "accounts/change-access-lists",
  title: "Changes access lists or owners of system directories",
  severity: "high",
  decision: "ask",
  rationale: "Services that no longer reach their files stop, and others then reach too much.",
  advice: "Show the present list, as in `getfacl src`, and let the person change it.",
  examples: {
    match: [
      { action: "sudo setfacl -R -m u:dev:rwx /var/lib/app" },
      { action: "sudo setfacl -b /etc/ssl/private" },
      { action: { kind: "shell", command: "takeown /f D:\\Backups /r", dialect: "cmd" } },
    ],
    pass: [
      { action: "setfacl -m u:ci:r src" },
      { action: "getfacl /etc/ssl" },
      { action: { kind: "shell", command: "icacls build", dialect: "cmd" } },
    ],
  },
}, {
  setfacl: ({ operands, has }: Called) =>
    !has("--test") &&
    operands.some((text) =>
      /^\/(?:$|etc|usr|bin|sbin|lib|boot|var|root|home\/?$|opt|srv|dev|proc|sys)/.test(text)
    ),
  takeown: ({ some }) => some(/^\/f$/i),
});

export const rules: readonly Rule[] = [root, manage, rights, keys, lists];
