/** Who may connect to the machine, and how it reaches others. */

import { always, formRule } from "../shared/form_rule.ts";

const tables = ({ has, some }: { has(...names: string[]): boolean; some(pattern: RegExp): boolean }) =>
  !has("-L", "-S", "--list", "--list-rules") &&
  some(
    /^-[ADIRFXPNZE]|^--(?:append|delete|insert|replace|flush|delete-chain|policy|new-chain|zero|rename-chain)/,
  );

export const firewall = formRule({
  id: "system/firewall",
  title: "Changes the firewall",
  severity: "high",
  decision: "ask",
  rationale: "A flushed or open firewall lets everybody in, and a wrong line locks everybody out.",
  advice:
    "Show the rules as they are, as in `sudo iptables -L -n` or `sudo ufw status`, and let the person decide.",
  examples: {
    match: [
      { action: "sudo iptables -F" },
      { action: "sudo iptables -P INPUT ACCEPT" },
      { action: "sudo nft flush ruleset" },
      { action: "sudo ufw disable" },
      { action: "sudo pfctl -d" },
      { action: { kind: "shell", command: "netsh advfirewall set allprofiles state off", dialect: "cmd" } },
    ],
    pass: [
      { action: "sudo iptables -L -n -v" },
      { action: "sudo nft list ruleset" },
      { action: "sudo ufw status verbose" },
      { action: "pfctl -s rules" },
      { action: { kind: "shell", command: "netsh advfirewall show allprofiles", dialect: "cmd" } },
    ],
  },
}, {
  "iptables ip6tables arptables ebtables iptables-legacy iptables-nft": tables,
  "iptables-restore ip6tables-restore": ({ has }) => !has("-t", "--test"),
  nft: ({ has, some, verb }) =>
    !has("-c", "--check") &&
    (/^(?:flush|delete|destroy|add|insert|replace|create|rename|reset)$/.test(verb) || some(/^-f|^--file/)),
  ufw: ({ verb, operands, has }) =>
    !has("--dry-run") &&
    (/^(?:disable|reset|delete|allow|deny|reject|limit|default|enable|reload|insert|prepend|route)$/.test(
      verb,
    ) &&
      operands.length > 0),
  "firewall-cmd": ({ some }) =>
    some(/^--(?:add-|remove-|change-|set-|panic-o|delete-|new-|complete-reload|runtime-to-permanent|load-)/),
  "firewall-offline-cmd": ({ some }) => some(/^--(?:disabled|add-|remove-|set-)/),
  pfctl: ({ some, has }) => !has("-n") && some(/^-[a-zA-Z]*[dFef]/) && !some(/^-s/),
  ipfw: ({ verb, texts }) => /^(?:flush|delete|add|disable|zero)$/.test(verb) || texts.includes("-f"),
  socketfilterfw: ({ some }) => some(/^--(?:set|add|remove|block|unblock)/),
  netsh: ({ operands }) =>
    /^(?:advfirewall|firewall)$/i.test(operands[0] ?? "") &&
    operands.slice(1).some((text) => /^(?:set|reset|add|delete|import)$/i.test(text)),
  "set-netfirewallprofile set-netfirewallrule new-netfirewallrule remove-netfirewallrule disable-netfirewallrule enable-netfirewallrule":
    always,
});

export const network = formRule({
  id: "system/network",
  title: "Changes addresses, routes or interfaces of the network",
  severity: "medium",
  decision: "ask",
  rationale: "The machine may lose its connection, and a remote one cannot be reached to undo it.",
  advice: "Look with `ip addr` and `ip route`, and let the person change the network.",
  examples: {
    match: [
      { action: "sudo ip link set eth0 down" },
      { action: "sudo ip route flush table main" },
      { action: "sudo ifconfig en0 down" },
      { action: "nmcli networking off" },
      { action: "sudo networksetup -setdnsservers Wi-Fi 192.0.2.1" },
      { action: { kind: "shell", command: "netsh winsock reset", dialect: "cmd" } },
    ],
    pass: [
      { action: "ip addr show" },
      { action: "ip -br link" },
      { action: "ifconfig en0" },
      { action: "nmcli device status" },
      { action: "networksetup -listallhardwareports" },
      { action: { kind: "shell", command: "netsh interface show interface", dialect: "cmd" } },
    ],
  },
}, {
  // Objects and verbs can be abbreviated.
  ip: ({ operands }) =>
    (operands[1] === "s" && /^l(?:i|in|ink)?$/.test(operands[0]!)) ||
    /^(?:set|a|ad|add|d|de|del|dele|delet|delete|f|flu|flush|rep|replace|c|chg|change|app|append|prepend)$/
      .test(operands[1] ?? "") ||
    (/^(?:x|xf|xfrm)/.test(operands[0] ?? "") && /^(?:add|del|delete|flush|update)$/.test(operands[2] ?? "")),
  ifconfig: ({ operands, texts }) =>
    operands.length > 1 || texts.slice(1).some((text) => /^-[a-z]{3,}/.test(text)),
  "ifdown ifup": always,
  route: ({ texts, verb }) => /^(?:add|del|delete|flush|change)$/.test(verb) || texts.includes("-f"),
  nmcli: ({ operands }) =>
    /\b(?:off|down|delete|del|modify|mod|disconnect|add|reload)\b/.test(operands.slice(0, 3).join(" ")),
  networksetup: ({ some }) => some(/^-(?:set|remove|delete|switch|add|create)/i),
  resolvectl: ({ verb, operands }) =>
    /^(?:dns|domain|revert|default-route)$/.test(verb) && operands.length > 1,
  netsh: ({ operands }) =>
    !/^(?:advfirewall|firewall)$/i.test(operands[0] ?? "") &&
    operands.slice(1).some((text) => /^(?:set|reset|add|delete)$/i.test(text)),
  "disable-netadapter set-dnsclientserveraddress remove-netroute new-netipaddress remove-netipaddress set-netipinterface":
    always,
});
