import assert from "node:assert/strict";
import fc from "fast-check";
import { prepareRedaction, redact, redactor } from "./redact.ts";
import { formats } from "./secrets/formats.ts";
import { examplesOf } from "./secrets/example_secrets.ts";

Deno.test("long parts with digits are taken out where nothing is known of shapes yet", () => {
  assert.equal(redact("see q7Xw2Lr9Tz4Kd8Vb1Nc6Hj3 in src/a.ts"), "see [redacted] in src/a.ts");
});

Deno.test("the shapes of secrets are loaded for a text that may hold one", async () => {
  await prepareRedaction("git status");
  assert.equal(redact("in a_long_name_of_a_file_2024.ts"), "in [redacted]");
  await prepareRedaction("cat a_long_name_of_a_file_2024.ts");
  assert.equal(redact("in a_long_name_of_a_file_2024.ts"), "in a_long_name_of_a_file_2024.ts");
});

/** Made-up keys, put together at run time so that no scanner takes this file for a leak. */
const body = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6";
const tokens: readonly (readonly [prefix: string, rest: string])[] = [
  ["ghp_", body],
  ["gho_", body],
  ["github_pat_", body],
  ["glpat-", body],
  ["sk-ant-", body],
  ["sk-proj-", body],
  ["sk-", body],
  ["AKIA", "IOSFODNN7EXAMPL2"],
  ["xoxb-", "123456789012-" + body],
  ["AIza", "SyA" + body],
  ["npm_", body],
  ["pypi-", "AgEIcHlwaS5vcmc" + body],
  ["hf_", body],
  ["sk_live_", body],
  ["hvs.", body],
  ["dckr_pat_", body],
];

Deno.test("keys of known issuers lose everything but their prefix", () => {
  for (const [prefix, rest] of tokens) {
    for (const frame of ["X", "'X'", '"X"', "a=X b", "--flag=X", '{"k":"X"}', "echo X | cat", "(X)"]) {
      const shown = redact(frame.replace("X", prefix + rest));
      assert.ok(!shown.includes(rest.slice(0, 12)), `${prefix}: ${shown}`);
      assert.ok(shown.includes("[redacted]"), shown);
    }
  }
});

Deno.test("named values are redacted in the forms they are written in", () => {
  const secret = "tr0ub4dor&3";
  const plain = "tr0ub4dor";
  const texts = [
    `PASSWORD='${secret}' run`,
    `export DB_PASSWORD="${secret}"`,
    `PGPASSWORD=${plain} psql`,
    `MYSQL_PWD=${plain} mysql`,
    `{"password": "${secret}", "user": "me"}`,
    `{"a": "{\\"api_key\\": \\"${plain}\\"}"}`,
    `api-key: ${plain}`,
    `tool --password ${plain} --verbose`,
    `tool --db-password=${plain}`,
    `tool --token '${secret}'`,
    `curl -H 'Authorization: Bearer ${plain}' https://api.example`,
    `curl -H "Authorization: Basic ${plain}=="`,
    `curl -H 'X-Api-Key: ${plain}'`,
    `curl -H 'Cookie: session=${plain}; other=${plain}'`,
    `curl -u me:${plain} https://example`,
    `mysql -u root -p${plain} shop`,
    `sshpass -p ${plain} ssh host`,
    `redis-cli -a ${plain} ping`,
    `git clone https://me:${plain}@example.com/x.git`,
    `git clone https://${body}@example.com/x.git`,
    `https://example.com/?access_token=${plain}&x=1`,
    `client_secret := "${plain}"`,
    `password = """${plain}"""`,
    `PASSWORD=${plain.slice(0, 4)}"${plain.slice(4)}"'${plain}'`,
    `PASSWORD=x]${plain}`,
    `openssl enc -aes-256-cbc -k ${plain} -in a -out b`,
    `openssl enc -aes-256-cbc -K ${plain} -iv 00`,
    `openssl rsa -passin pass:${plain} -in key.pem`,
    `openssl passwd -6 ${plain}`,
    `mysqldump --password=${plain} shop`,
    `mysql -u root -p'${secret}' shop`,
    `sshpass -p${plain} ssh host`,
    `curl -u 'me:${plain} ${plain}' https://example`,
    `curl --user "me:${plain}" https://example`,
    `curl -ume:${plain} https://example`,
    `curl -b sid=${plain} https://example`,
    `curl -H "authorization: Basic ${plain}" https://example`,
    `curl -H Authorization:${plain} https://example`,
    `{"headers": {"Authorization": "Basic ${plain}", "Cookie": "a=1; b=${plain}"}}`,
    `Set-Cookie: sid=${plain}; Path=/`,
    `lftp -u me,${plain} ftp.example`,
    `smbclient //host/share -U me%${plain}`,
    `docker login -u me -p ${plain} registry.example`,
    `zip -P ${plain} a.zip b`,
    `7z a -p${plain} a.7z b`,
    `ldapsearch -D cn=me -w ${plain}`,
    `htpasswd -nbB file me ${plain}`,
    `sqlcmd -S host -U me -P ${plain}`,
    `vault login ${plain}`,
    `gh secret set NAME --body ${plain}`,
    `aws configure set aws_secret_access_key ${plain}`,
    `echo ${plain} | sudo -S id`,
    `printf '%s' '${secret}' | docker login -u me --password-stdin`,
    `echo "root:${plain}" | chpasswd`,
    `docker login --password-stdin <<< ${plain}`,
    `npm config set //registry.example/:_authToken ${plain}`,
    `REDISCLI_AUTH=${plain} redis-cli`,
    `SECRET_ID=${plain}`,
  ];
  for (const text of texts) {
    const shown = redact(text);
    assert.ok(!shown.includes("tr0u") && !shown.includes(body.slice(0, 12)), `${text}\n${shown}`);
  }
});

Deno.test("a redacted key is marked once", () => {
  assert.equal(redact(`GITHUB_TOKEN=ghp_${body} gh pr list`), "GITHUB_TOKEN=[redacted] gh pr list");
  assert.equal(redact(`{"token": "ghp_${body}"}`), '{"token": "[redacted]"}');
  assert.equal(redact("f(token=abcdef)"), "f(token=[redacted])");
});

Deno.test("parts of a text lose what is a secret in the whole", () => {
  const commands: readonly (readonly [command: string, part: string])[] = [
    ["tool --password hunter22 run", "hunter22"],
    ["mysql -u root -phunter22 shop", "-phunter22"],
    ["curl -u me:hunter22 https://example.com", "me:hunter22"],
    ["PASSWORD='hunter 22' TOKEN=hunter33 run", "hunter 22 hunter33"],
    [`PASSWORD=hun"ter"22 run`, "hunter22"],
  ];
  for (const [command, part] of commands) {
    assert.doesNotMatch(redactor(command)(`the argument ${part} of the program`), /hunter/, command);
  }
  assert.equal(redactor("rm -rf build")("rm -rf build"), "rm -rf build");
});

Deno.test("private keys and web tokens are redacted whole", () => {
  const key = `x -----BEGIN OPENSSH PRIVATE KEY-----\n${body}\n${body}\n-----END OPENSSH PRIVATE KEY----- y`;
  assert.equal(redact(key), "x -----BEGIN PRIVATE KEY-----[redacted] y");
  assert.equal(redact(`-----BEGIN RSA PRIVATE KEY-----\n${body}`), "-----BEGIN PRIVATE KEY-----[redacted]");
  const jwt = "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0" +
    ".dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";
  assert.equal(redact(`t ${jwt} u`), "t [redacted] u");
  const certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----";
  assert.equal(redact(certificate), certificate);
});

Deno.test("what is no secret stays readable", () => {
  const texts = [
    "git status",
    "rm -rf node_modules/.cache",
    "git commit -m 'fix the token parser and the password form'",
    "cat src/auth/token_file.ts",
    "docker login --password-stdin registry.example.com",
    'curl -H "Authorization: Bearer $TOKEN" https://api.example.com',
    "export TOKEN=$(pass show x)",
    "PWD=/home/me/work OLDPWD=/tmp env",
    "https://example.com/a/b?page=2#top",
    "git checkout 3f2a9c1d4e5b6a7f8e9d0c1b2a3f4e5d6c7b8a90",
    "PATH=/usr/local/lib/python3.12/site-packages:/usr/bin run",
    "risk-assessment-of-the-whole-operation",
    "npm install --save-dev @types/node",
    "ssh -i ~/.ssh/id_ed25519 me@example.com",
    "--token-file /run/secrets/x",
    "mkdir -p build",
    "docker run -p 8080:80 -v data:/data nginx",
    "openssl x509 -in cert.pem -noout",
    "curl -b cookies.txt https://example.com/a",
    "git config set user.name me",
    "echo done | sudo tee /dev/null",
    "7z a out.7z src",
    "ps -p 1234",
  ];
  for (const text of texts) assert.equal(redact(text), text);
});

Deno.test("a generated secret never survives where its name says what it is", () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9]{12,40}$/);
  const name = fc.constantFrom(
    "password",
    "API_KEY",
    "secret",
    "token",
    "DB_PASSWORD",
    "client_secret",
    "AccessKey",
  );
  const form = fc.constantFrom<(name: string, secret: string) => string>(
    (n, s) => `${n}=${s}`,
    (n, s) => `${n}: ${s}`,
    (n, s) => `{"${n}":"${s}"}`,
    (n, s) => `--${n} ${s}`,
    (n, s) => `export ${n}='${s}'`,
    (n, s) => `--${n}=${s}`,
    (n, s) => `-H 'X-${n}: ${s}'`,
    (_, s) => `PGPASSWORD=${s} psql`,
    (_, s) => `mysql -p${s}`,
    (_, s) => `sshpass -p ${s} ssh host`,
    (_, s) => `openssl enc -k ${s}`,
    (_, s) => `curl -u me:${s}`,
    (_, s) => `curl -H "Authorization: Basic ${s}"`,
    (_, s) => `curl -H 'Cookie: sid=${s}'`,
    (_, s) => `echo ${s} | sudo -S id`,
  );
  const noise = fc.string({ maxLength: 40 }).filter((text) => !/["'\\`]/.test(text));
  fc.assert(fc.property(secret, name, form, noise, noise, (s, n, write, before, after) => {
    const shown = redact(`${before} ${write(n, s)} ${after}`);
    assert.ok(!shown.includes(s), shown);
  }));
});

Deno.test("redaction is total, and settles", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
    const once = redact(text);
    assert.equal(typeof once, "string");
    assert.equal(redact(once), redact(redact(once)));
  }));
});

Deno.test("what is passed over at a glance would not have been changed", () => {
  const part = fc.constantFrom(
    ...tokens.map(([prefix, rest]) => prefix + rest),
    "rm",
    " -rf ",
    " ~",
    "pass",
    "word ",
    "hunter22 ",
    "-p",
    "--token ",
    "Bearer ",
    "eyJ",
    "abcdefgh",
    "mysql",
    " -u ",
    "curl",
    "ssh",
    "\n",
    " ",
    "key ",
    '"',
    "$X",
    "-----BEGIN ",
    "PRIVATE KEY-----",
    "LTAI",
    "AKIA",
    "-a ",
    "xh",
  );
  let passed = 0;
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }).map((parts) => parts.join("")), (text) => {
      const shown = redact(text);
      if (shown === text) passed++;
      assert.equal(shown, redact(text, false));
    }),
    { numRuns: 3000 },
  );
  assert.ok(passed > 300);
});

for (const format of formats) {
  Deno.test(`no ${format.id} is left in what is written down`, () => {
    fc.assert(
      fc.property(examplesOf(format), (secret) => {
        for (const text of [secret, `curl -H 'X: ${secret}' https://a.example/`, `{"a":"${secret}"}`]) {
          const left = redact(text);
          // What says whose it is may stay.
          for (let at = 0; at + 20 <= secret.length; at++) {
            assert.ok(!left.includes(secret.slice(at, at + 20)), `${text} became ${left}`);
          }
        }
      }),
      { numRuns: 20, seed: 1 },
    );
  });
}
