import assert from "node:assert/strict";
import fc from "fast-check";
import { examplesOf } from "./example_secrets.ts";
import { formats } from "./formats.ts";
import { findSecrets } from "./scan.ts";

const kinds = (text: string) => findSecrets(text).map(({ kind }) => kind);
const letters = "abcdefghijklmnopqrstuvwxyz";
const capitals = letters.toUpperCase();
const random = "q7Xw2Lr9Tz4Kd8Vb1Nc6Hj3Mf5Ps0Gy";

for (const format of formats) {
  Deno.test(`${format.id}: found in settings, code and prose, and not when its mark is another`, () => {
    fc.assert(
      fc.property(examplesOf(format), (secret) => {
        for (const [before, after] of [["", ""], ["KEY=", "\n"], ['{"a": "', '"}'], ["see ", " there"]]) {
          const text = before + secret + after;
          const found = findSecrets(text).find(({ kind }) => kind === format.id);
          assert.ok(found !== undefined, text);
          assert.ok(text.slice(found.start, found.end).length >= 16, text);
          assert.ok(found.start >= before!.length && found.end <= text.length - after!.length, text);
        }
        const anchor = format.anchors.find((one) => secret.includes(one))!;
        const near = secret.replaceAll(anchor, "?".repeat(anchor.length));
        assert.ok(!kinds(near).includes(format.id), near);
      }),
      { numRuns: 20, seed: 1 },
    );
  });
}

Deno.test("kinds of shapes are unique, and every anchor is long enough for the table", () => {
  assert.equal(new Set(formats.map(({ id }) => id)).size, formats.length);
  for (const { anchors } of formats) {
    for (const anchor of anchors) assert.ok(/^[\x20-\x7e]{3,}$/.test(anchor));
  }
});

const base64 = (text: string) => btoa(text);
const github = `ghp_${random}${random}`.slice(0, 40);
const header = base64('{"alg":"HS256","typ":"JWT"}').replaceAll("=", "");
const payload = base64('{"sub":"77","admin":true}').replaceAll("=", "");
const token = `${header}.${payload}.${random}`;
const body = base64(random.repeat(4));

const found: Readonly<Record<string, readonly [text: string, ...kinds: string[]]>> = {
  "a key of AWS with its secret": [
    `aws_access_key_id = AKIA2${capitals.slice(0, 15)}\naws_secret_access_key = ${
      (letters + capitals).slice(0, 40)
    }`,
    "aws-access-key",
    "named-secret",
  ],
  "a token in the address of a repository": [`remote: https://${github}@github.com/a/b.git`, "github-token"],
  "a password in an address": [
    "DATABASE_URL=postgres://svc:Zx9-kQ2-vT7-mB4@db.prod.example.com:5432/app",
    "url-password",
  ],
  "a private key": [`-----BEGIN ` + `PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----\n`, "private-key"],
  "a private key in a JSON string": [
    `{"private_key": "-----BEGIN ` + `RSA PRIVATE KEY-----\\n${body}\\n-----END RSA PRIVATE KEY-----\\n"}`,
    "private-key",
  ],
  "a private key without its end": [`-----BEGIN ` + `OPENSSH PRIVATE KEY-----\n${body}\n`, "private-key"],
  "a private key of PuTTY": [
    `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPublic-Lines: 2\nAAAA\nBBBB\nPrivate-Lines: 2\n${body}\n${body}\n`,
    "putty-key",
  ],
  "a signed token": [`Authorization: Bearer ${token}`, "json-web-token"],
  "a random value of a name in JSON": [`{"clientSecret": "${random}"}`, "named-secret"],
  "a random value of a name in settings": [`export PAYMENTS_API_KEY=${random}`, "named-secret"],
  "a random value of a name in YAML": [`  auth_token: ${random}\n`, "named-secret"],
  "a key in base64": [`Authorization: Basic ${base64(`deploy:${github}`)}`, "github-token"],
  "a key that is percent-encoded": [
    `https://a.b/?next=${encodeURIComponent(`postgres://svc:Zx9-kQ2-vT7@db.prod.acme.dev/a`)}`,
    "url-password",
  ],
  "two keys in one line": [`${github} ${github.replace("ghp", "gho")}`, "github-token", "github-token"],
};

for (const [name, [text, ...expected]] of Object.entries(found)) {
  Deno.test(`found: ${name}`, () => assert.deepEqual(kinds(text), expected));
}

const passed: Readonly<Record<string, string>> = {
  "a certificate":
    `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n-----BEGIN PUBLIC KEY-----\n${body}\n-----END PUBLIC KEY-----`,
  "a private key of a document": "-----BEGIN " + "PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
  "the key of every document about AWS": "AKIA" + "IOSFODNN7" + "EXAMPLE",
  "a place for a key": "OPENAI_API_KEY=sk-proj-your-key-here-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
  "a stock address":
    "postgres://user:password@localhost:5432/app redis://:secret@redis:6379 amqp://guest:guest@mq/",
  "an address with variables":
    "postgres://${DB_USER}:${DB_PASSWORD}@db.acme.dev/app mysql://u:$PASS@h.acme.dev/",
  "a line of a lock file": "com.example:lib-api:2.0.6=default,compileKey",
  "checksums":
    "PODFILE CHECKSUM: 0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c\nintegrity sha512-q7Xw2Lr9Tz4Kd8Vb1Nc6Hj3Mf5Ps0Gyq7Xw2Lr9Tz4Kd8Vb1Nc6Hj3Mf5Ps0Gyq7Xw2Lr9Tz4Kd8Vb1Nc6Q==",
  "the name of a key":
    "[envVar: 'DB_ROLE', vaultKey: 'team-db-01-role-id', secretName: 'team-db-01-credentials-v2']",
  "identifiers with dots": "include_hidden=settings.include_hidden_files.default",
  "a sealed secret": `kind: SealedSecret\nspec:\n  encryptedData:\n    password: Ag${random}${random}`,
  "a hash of a password": `password: $2b$12$${random}${random}`,
  "code that reads a secret": "const apiToken = await vault.readSecret(process.env.SECRET_NAME ?? 'a1b2')",
  "a picture": `background: url(data:image/png;base64,${base64(random.repeat(20))})`,
  "an identifier":
    "token_id: 6f1c2d3e-4a5b-4c6d-8e7f-9a0b1c2d3e4f\nsecretArn: arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod-a1B2c3",
  "prose about tokens": "The token: a string of 36 characters that begins with ghp_ and must not be shown.",
};

for (const [name, text] of Object.entries(passed)) {
  Deno.test(`passed: ${name}`, () => assert.deepEqual(kinds(text), []));
}

Deno.test("secrets come in their order, do not overlap, and lie in the text", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      github,
      token,
      body,
      "password=",
      "://",
      "a:b@",
      "-----BEGIN ",
      "PRIVATE KEY-----",
      "%3A",
      "eyJ",
      "\n",
      '"',
    ),
    fc.string({ maxLength: 12, unit: "binary" }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }).map((parts) => parts.join("")), (text) => {
      let last = 0;
      for (const { start, end } of findSecrets(text)) {
        assert.ok(start >= last && end > start && end <= text.length);
        last = end;
      }
    }),
    { numRuns: 500, seed: 1 },
  );
});
