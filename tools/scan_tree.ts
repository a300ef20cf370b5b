/**
 * A repository made up for measuring and testing `guard scan`: source, settings, lock files, minified code, documents,
 * binary files, a few large files, directories that git ignores, and planted secrets. The same for the same seed.
 */

import { dirname, join } from "node:path";

/** What the tree holds. */
export interface TreeOptions {
  /** Files that are written, those that git ignores and the large ones included. */
  readonly files: number;
  /** Factor of the sizes of the large files, which are 1 to 50 MB at 1; 0 leaves them out. */
  readonly large: number;
  readonly seed?: number;
}

/** A secret that was written into a file. */
export interface Planted {
  /** From the root of the tree, with slashes. */
  readonly path: string;
  readonly kind: string;
  /** It stands in a directory that git ignores. */
  readonly ignored: boolean;
}

/** What was made. */
export interface Tree {
  readonly files: number;
  readonly bytes: number;
  readonly planted: readonly Planted[];
}

/** Whole numbers from 0 to before `below`. */
type Random = (below: number) => number;

/** Numbers that are the same for the same seed (mulberry32). */
function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const words =
  ("account action adapter address amount api array async auth batch body buffer build cache call check client code column " +
    "config context count create current data date default delete element entry error event fetch field file filter format " +
    "group handler header hook id index input item key label layout length level limit line list load local map member message " +
    "method mode model module name node number object offset option order output page parent parse password path pattern " +
    "payload pool price process product query queue range read record region render report request result role root route row " +
    "schema score secret select server session shape size source stage start state status store stream string table target " +
    "task text thread time token total type unit update user value version view width window worker").split(
      " ",
    );

const digits = "0123456789";
const hexadecimal = "0123456789abcdef";
const letters = "abcdefghijklmnopqrstuvwxyz";
const alphanumeric = letters + letters.toUpperCase() + digits;
const base64 = `${alphanumeric}+/`;

/** Texts made of a source of random numbers. */
class Writer {
  constructor(readonly random: Random) {}

  pick<T>(from: readonly T[]): T {
    return from[this.random(from.length)]!;
  }

  characters(alphabet: string, length: number): string {
    let text = "";
    for (let index = 0; index < length; index++) text += alphabet[this.random(alphabet.length)];
    return text;
  }

  name(parts = 1 + this.random(3)): string {
    let name = this.pick(words);
    for (let index = 1; index < parts; index++) {
      const word = this.pick(words);
      name += word[0]!.toUpperCase() + word.slice(1);
    }
    return name;
  }

  prose(count: number): string {
    return Array.from({ length: count }, () => this.pick(words)).join(" ");
  }
}

/** A kind of file: how it is named, and a block of its text, of which a file has several. */
interface Kind {
  /** Of a hundred files. */
  readonly share: number;
  readonly extension: string;
  readonly begin?: string;
  readonly end?: string;
  /** Blocks that a file has on average. */
  readonly blocks: number;
  block(writer: Writer): string;
}

const kinds: readonly Kind[] = [
  {
    share: 44,
    extension: "ts",
    begin: 'import { createClient } from "./client.ts";\n\n',
    blocks: 12,
    block: (w) =>
      `/** ${w.prose(9)}. */\nexport async function ${w.name()}(${w.name()}: string, ${w.name()} = ${
        w.random(900)
      }): Promise<number> {\n` +
      `  const ${w.name()} = await ${w.name()}.${w.name()}(\`\${${w.name()}}/${
        w.pick(words)
      }\`, { ${w.name()}: ${w.name()}.${w.name()} });\n` +
      `  if (${w.name()}.length > ${w.random(90)} && ${w.name()} !== "${w.pick(words)}-${
        w.pick(words)
      }") {\n` +
      `    throw new Error("expected ${w.prose(4)}, found none");\n  }\n` +
      `  return ${w.name()}(${w.name()}, process.env.${w.pick(words).toUpperCase()}_${
        w.pick(words).toUpperCase()
      });\n}\n\n`,
  },
  {
    share: 14,
    extension: "py",
    begin: "import os\n\n",
    blocks: 12,
    block: (w) =>
      `def ${w.pick(words)}_${w.pick(words)}(self, ${w.pick(words)}=None):\n    """${w.prose(8)}."""\n` +
      `    ${w.pick(words)} = self.${w.pick(words)}.get("${w.pick(words)}", os.environ["${
        w.pick(words).toUpperCase()
      }"])\n` +
      `    return [${w.pick(words)} for ${w.pick(words)} in ${w.pick(words)} if ${w.pick(words)} > ${
        w.random(500)
      }]\n\n`,
  },
  {
    share: 12,
    extension: "json",
    begin: '{\n  "entries": [\n',
    end: "    {}\n  ]\n}\n",
    blocks: 20,
    block: (w) =>
      `    { "id": "${w.characters(hexadecimal, 8)}-${w.characters(hexadecimal, 4)}-4${
        w.characters(hexadecimal, 3)
      }-a${w.characters(hexadecimal, 3)}-${w.characters(hexadecimal, 12)}", "${w.name()}": "${
        w.prose(3)
      }", "${w.name()}": ${w.random(100000)} },\n`,
  },
  {
    share: 10,
    extension: "md",
    blocks: 14,
    block: (w) =>
      `## ${w.prose(3)}\n\n${w.prose(40)}. See [${w.prose(2)}](https://docs.example.com/${w.pick(words)}/${
        w.pick(words)
      }).\n\n` +
      `\`\`\`sh\nexport API_TOKEN=your-token-here\ncurl -H "Authorization: Bearer $API_TOKEN" https://api.example.com/${
        w.pick(words)
      }\n\`\`\`\n\n`,
  },
  {
    share: 7,
    extension: "yaml",
    blocks: 10,
    block: (w) =>
      `- name: ${w.prose(2)}\n  image: registry.example.com/${w.pick(words)}@sha256:${
        w.characters(hexadecimal, 64)
      }\n  env:\n    PASSWORD: \${${w.pick(words).toUpperCase()}_PASSWORD}\n    LEVEL: ${w.pick(words)}\n`,
  },
  {
    share: 6,
    extension: "css",
    blocks: 30,
    block: (w) =>
      `.${w.pick(words)}-${w.pick(words)} {\n  color: #${w.characters(hexadecimal, 6)};\n  width: ${
        w.random(100)
      }px;\n}\n`,
  },
  {
    share: 1,
    extension: "min.js",
    blocks: 700,
    block: (w) =>
      `function ${w.pick([...letters])}(${w.pick([...letters])},${
        w.pick([...letters])
      }){return ${w.name()}.${w.name()}(${w.random(99)})||"${w.pick(words)}"}var ${
        w.pick([...letters])
      }={${w.name()}:!0,${w.name()}:"${w.name()}"};`,
  },
  {
    share: 1,
    extension: "lock",
    begin: "lockfileVersion: 3\n",
    blocks: 250,
    block: (w) =>
      `"${w.pick(words)}-${w.pick(words)}@^${w.random(20)}.${
        w.random(20)
      }.0":\n  resolved "https://registry.example.com/${w.pick(words)}/-/${w.pick(words)}-${
        w.random(20)
      }.tgz#${w.characters(hexadecimal, 40)}"\n  integrity sha512-${w.characters(base64, 86)}==\n`,
  },
];

/** Of a hundred files; pictures and the like. */
const binaryShare = 5;

/** Sizes of the large files in megabytes, with what they are made of. */
const largeFiles: readonly (readonly [extension: string, megabytes: number])[] = [
  ["log", 50],
  ["sql", 24],
  ["json", 12],
  ["bin", 30],
  ["min.js", 5],
  ["csv", 8],
  ["map", 3],
  ["txt", 1],
];

/** Secrets as they stand in files, put together here so that this file holds none. */
const secrets: Readonly<Record<string, (w: Writer) => string>> = {
  "aws-access-key": (w) =>
    `aws_access_key_id = ${"AK" + "IA"}${w.characters("ABCDEFGHJKLMNPQRSTUVWXYZ234567", 16)}\n`,
  "github-token": (w) => `token: ${"gh" + "p_"}${w.characters(alphanumeric, 36)}\n`,
  "slack-token": (w) =>
    `SLACK=${"xo" + "xb-"}${w.characters(digits, 12)}-${w.characters(digits, 12)}-${
      w.characters(alphanumeric, 24)
    }\n`,
  "sendgrid-key": (w) =>
    `SENDGRID=${"S" + "G."}${w.characters(alphanumeric, 22)}.${w.characters(alphanumeric, 43)}\n`,
  "openai-legacy-key": (w) =>
    `OPENAI=${"s" + "k-"}${w.characters(alphanumeric, 20)}${"T3Blbk" + "FJ"}${
      w.characters(alphanumeric, 20)
    }\n`,
  "npm-token": (w) => `//registry.example.com/:_authToken=${"np" + "m_"}${w.characters(alphanumeric, 36)}\n`,
  "private-key": (w) =>
    `-----BEGIN ${"RSA PRIVATE" + " KEY"}-----\n${
      Array.from({ length: 12 }, () => w.characters(base64, 64)).join("\n")
    }\n-----END ${"RSA PRIVATE" + " KEY"}-----\n`,
  "url-password": (w) =>
    `DATABASE_URL=postgres://${w.pick(words)}:${w.characters(alphanumeric, 14)}7x@db.prod.acme.dev/${
      w.pick(words)
    }\n`,
};

/**
 * Writes the tree, in which nothing was before.
 *
 * @param folder made with its parents
 */
export function makeScanTree(folder: string, { files, large, seed = 1 }: TreeOptions): Tree {
  const writer = new Writer(randomFrom(seed));
  const pools = kinds.map((kind) => Array.from({ length: 400 }, () => kind.block(writer)));
  const planted: Planted[] = [];
  const directories = new Set<string>();
  let written = 0;
  let bytes = 0;
  const put = (path: string, content: Uint8Array) => {
    const full = join(folder, path);
    const directory = dirname(full);
    if (!directories.has(directory)) Deno.mkdirSync(directory, { recursive: true });
    directories.add(directory);
    Deno.writeFileSync(full, content);
    written++;
    bytes += content.length;
  };
  const encoder = new TextEncoder();
  const textOf = (index: number, blocks: number): string => {
    const { begin = "", end = "" } = kinds[index]!;
    let text = begin;
    for (let block = 0; block < blocks; block++) text += writer.pick(pools[index]!);
    return text + end;
  };
  put(".gitignore", encoder.encode("dist/\n.cache/\n*.tmp\n"));
  const chosen = kinds.flatMap(({ share }, index) => Array<number>(share).fill(index))
    .concat(Array<number>(binaryShare).fill(-1));
  const secretKinds = Object.keys(secrets);
  const largeCount = large > 0 ? largeFiles.length : 0;
  // About one file in a thousand holds a secret, and at least as many as there are kinds.
  const often = Math.max(1, Math.min(997, Math.floor(files / (2 * secretKinds.length))));
  // Not always where git ignores it.
  const every = often % 11 === 0 ? often + 1 : often;
  for (let number = 1; number < files - largeCount; number++) {
    const ignored = number % 11 === 0;
    const top = ignored
      ? writer.pick(["dist", ".cache"])
      : writer.pick(["src", "packages", "docs", "services"]);
    const place = `${top}/${words[Math.floor(number / 2000) % words.length]}/${
      words[Math.floor(number / 40) % 50]
    }`;
    const index = writer.pick(chosen);
    if (index < 0) {
      const content = new Uint8Array(2000 + writer.random(30_000));
      for (let at = 0; at < content.length; at++) content[at] = writer.random(256);
      content.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);
      put(`${place}/image${number}.png`, content);
      continue;
    }
    const { blocks, extension } = kinds[index]!;
    let text = textOf(index, 1 + writer.random(2 * blocks));
    const path = `${place}/${writer.pick(words)}${number}.${extension}`;
    if (number % every === 0) {
      const kind = secretKinds[planted.length % secretKinds.length]!;
      text += `\n${secrets[kind]!(writer)}`;
      planted.push({ path, kind, ignored });
    }
    put(path, encoder.encode(text));
  }
  for (const [extension, megabytes] of largeFiles.slice(0, largeCount)) {
    const size = Math.round(megabytes * 1e6 * large);
    const block = encoder.encode(
      textOf(Math.max(0, kinds.findIndex((kind) => kind.extension === extension)), 300),
    );
    const content = new Uint8Array(size);
    for (let at = 0; at < size; at += block.length) content.set(block.subarray(0, size - at), at);
    if (extension === "bin") {
      for (let at = 0; at < size; at += 7) content[at] = writer.random(256);
    }
    put(`data/large.${extension}`, content);
  }
  return { files: written, bytes, planted };
}
