/** What the operating system does to protect itself, and the Windows registry. */

import { always, type Called, formRule } from "../shared/form_rule.ts";

export const protection = formRule({
  id: "system/disable-protection",
  title: "Switches off a protection of the operating system",
  severity: "high",
  decision: "ask",
  rationale: "Afterwards unsigned and unconfined programs can do everything, long after the task is done.",
  advice:
    "Leave it on and say what it stopped. Its state is shown by `getenforce`, `csrutil status` or `spctl --status`.",
  inContainers: true,
  examples: {
    match: [
      { action: "sudo setenforce 0" },
      { action: "csrutil disable" },
      { action: "sudo spctl --master-disable" },
      { action: "xattr -d com.apple.quarantine ./tool" },
      { action: { kind: "shell", command: "Set-ExecutionPolicy Unrestricted", dialect: "powershell" } },
      {
        action: {
          kind: "shell",
          command: "Set-MpPreference -DisableRealtimeMonitoring $true",
          dialect: "powershell",
        },
        decision: "deny",
      },
    ],
    pass: [
      { action: "getenforce" },
      { action: "csrutil status" },
      { action: "spctl --assess --verbose app.app" },
      { action: "xattr -l ./tool" },
      { action: { kind: "shell", command: "Get-ExecutionPolicy -List", dialect: "powershell" } },
      { action: { kind: "shell", command: "Get-MpPreference", dialect: "powershell" } },
      {
        action: {
          kind: "shell",
          command: "Set-ExecutionPolicy Bypass -Scope Process",
          dialect: "powershell",
        },
      },
    ],
  },
}, {
  setenforce: ({ verb }) => /^(?:0|permissive)$/.test(verb),
  "aa-disable aa-teardown aa-complain": always,
  apparmor_parser: ({ has }) => has("-R", "--remove"),
  setsebool: ({ operands }) => operands.length > 0,
  semanage: ({ some }) => some(/^(?:-d|--delete|-D|--deleteall|-m|--modify|-a|--add)$/),
  csrutil: verbsOf(/^(?:disable|clear|authenticated-root|enable)$/, "status"),
  spctl: ({ some, has }) =>
    some(/^--(?:master|global)-disable$/) || has("--add", "--disable", "--remove", "disable"),
  xattr: ({ some, operands }) =>
    some(/^-[a-z]*c/) || some(/^-[a-z]*d/) && operands.some((text) => text === "com.apple.quarantine"),
  fdesetup: verbsOf(/^(?:disable|remove|removerecovery)$/),
  mokutil: ({ has }) => has("--disable-validation", "--reset", "--delete", "--import"),
  "tpm2_clear clear-tpm": always,
  tpmtool: verbsOf(/^clear/),
  "set-mppreference": ({ some }) =>
    some(/^-(?:disable|exclusion|.*defaultaction|maps|submit)/i) ? "deny" : false,
  "add-mppreference": ({ some }) => some(/^-exclusion/i) ? "deny" : false,
  mpcmdrun: ({ some }) => some(/^-removedefinitions$/i) ? "deny" : false,
  // In the scope of a process it ends with it.
  "set-executionpolicy": ({ texts }) => !texts.some((text) => /^process$/i.test(text)),
  "disable-bitlocker disable-windowsdefender": always,
  "manage-bde": ({ some }) => some(/^-(?:off|protectors|forcerecovery|wipefreespace)$/i),
  codesign: ({ has }) => has("--remove-signature"),
  profiles: verbsOf(/^(?:remove|install)$/),
});

export const trust = formRule({
  id: "system/trust-certificate",
  title: "Changes which certificates the whole machine trusts",
  severity: "high",
  decision: "ask",
  rationale: "Whoever holds the key of a trusted certificate can read and change every encrypted connection.",
  advice: "Trust it for one program instead, as in `NODE_EXTRA_CA_CERTS=ca.pem npm test`.",
  examples: {
    match: [
      {
        action: "sudo security add-trusted-cert -d -r trustRoot -k /Library/Keychains/System.keychain ca.pem",
      },
      { action: "sudo update-ca-certificates" },
      { action: "sudo trust anchor ca.pem" },
      { action: { kind: "shell", command: "certutil -addstore -f Root ca.cer", dialect: "cmd" } },
      {
        action: {
          kind: "shell",
          command: "Import-Certificate -FilePath ca.cer -CertStoreLocation Cert:\\LocalMachine\\Root",
          dialect: "powershell",
        },
      },
    ],
    pass: [
      { action: "openssl x509 -in ca.pem -noout -subject" },
      { action: "security find-certificate -a" },
      { action: "trust list" },
      { action: { kind: "shell", command: "certutil -dump ca.cer", dialect: "cmd" } },
    ],
  },
}, {
  security: verbsOf(
    /^(?:add-trusted-cert|remove-trusted-cert|trust-settings-import|authorizationdb)$/,
    "read",
  ),
  "update-ca-certificates update-ca-trust": always,
  trust: verbsOf(/^(?:anchor|extract)$/),
  certutil: ({ some }) => some(/^[-/](?:addstore|importpfx)$/i),
  certmgr: ({ some }) => some(/^[-/](?:add|del)$/i),
  "import-certificate import-pfxcertificate": ({ some }) => some(/localmachine|\\root$/i),
});

function verbsOf(pattern: RegExp, unless = ""): (called: Called) => boolean {
  return ({ operands }) => pattern.test(operands[0]?.toLowerCase() ?? "") && operands[1] !== unless;
}

const hive =
  /^(?:registry::|microsoft\.powershell\.core\\registry::)?(?:hk(?:lm|cu|cr|u|cc|ey_[a-z_]+)):?(?:[\\/]|$)/i;
/** A hive as a whole, or what Windows starts from. */
const vital =
  /^(?:registry::)?(?:hk(?:lm|cu|cr|u|ey_local_machine|ey_current_user|ey_classes_root|ey_users)):?[\\/]*(?:(?:system|software|sam|security|bcd00000000)[\\/]*(?:currentcontrolset[\\/]*(?:control|services)?[\\/]*)?)?$/i;

function hives({ operands }: Called): readonly string[] {
  return operands.filter((text) => hive.test(text)).map((text) => text.replaceAll(/[\\/]+/g, "\\"));
}

export const registry = formRule({
  id: "system/registry",
  title: "Changes the Windows registry",
  severity: "high",
  decision: "ask",
  rationale: "There is no undo, and Windows and other programs may not start without a key.",
  advice: "Read it with `reg query HKCU\\\\Environment`, and let the person change it.",
  examples: {
    match: [
      { action: { kind: "shell", command: "reg delete HKCU\\Software\\Acme /f", dialect: "cmd" } },
      { action: { kind: "shell", command: "reg add HKLM\\Software\\Acme /v A /d 1", dialect: "cmd" } },
      { action: { kind: "shell", command: "reg delete HKLM\\SYSTEM /f", dialect: "cmd" }, decision: "deny" },
      {
        action: {
          kind: "shell",
          command: "Set-ItemProperty -Path HKCU:\\Software\\Acme -Name A -Value 1",
          dialect: "powershell",
        },
      },
    ],
    pass: [
      { action: { kind: "shell", command: "reg query HKCU\\Environment", dialect: "cmd" } },
      { action: { kind: "shell", command: "Get-ItemProperty HKCU:\\Environment", dialect: "powershell" } },
      { action: { kind: "shell", command: "New-Item build -ItemType Directory", dialect: "powershell" } },
    ],
  },
}, {
  reg: (called) => {
    if (!/^(?:delete|add|import|restore|unload|load|copy)$/.test(called.verb)) return false;
    const deletes = called.verb === "delete" && called.some(/^\/f$/i) && !called.some(/^\/(?:v|ve)$/i);
    return deletes && hives(called).some((key) => vital.test(key)) ? "deny" : true;
  },
  regedit: ({ some, operands }) => some(/^\/s$/i) || operands.some((text) => /\.reg$/i.test(text)),
  "remove-item remove-itemproperty clear-item clear-itemproperty": (called) => {
    const keys = hives(called);
    return keys.some((key) => vital.test(key)) ? "deny" : keys.length > 0;
  },
  "set-itemproperty new-itemproperty rename-itemproperty new-item set-item copy-itemproperty": (called) =>
    hives(called).length > 0,
});
