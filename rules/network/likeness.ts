/** Which hosts are made to be taken for a well-known one. */

import type { Address } from "./addresses.ts";

/** Where people fetch code and sign in, with the names under which they know it. */
const known: readonly string[] = (
  "github.com githubusercontent.com gitlab.com bitbucket.org google.com googleapis.com gmail.com youtube.com npmjs.com npmjs.org " +
  "pypi.org pythonhosted.org python.org nodejs.org microsoft.com microsoftonline.com azure.com windows.com office.com live.com " +
  "amazonaws.com amazon.com apple.com icloud.com docker.com docker.io cloudflare.com openai.com anthropic.com claude.ai " +
  "huggingface.co crates.io rust-lang.org rubygems.org golang.org debian.org ubuntu.com kernel.org mozilla.org jsdelivr.net " +
  "unpkg.com paypal.com stripe.com slack.com discord.com telegram.org facebook.com whatsapp.com linkedin.com twitter.com " +
  "dropbox.com adobe.com oracle.com vercel.com netlify.com heroku.com digitalocean.com atlassian.com stackoverflow.com " +
  "wikipedia.org coinbase.com binance.com metamask.io"
).split(" ");
const names: ReadonlyMap<string, string> = new Map(
  known.map((host) => [host.slice(0, host.indexOf(".")), host]),
);

/** Letters of other scripts, and of Latin beyond ASCII, that look like ASCII ones, in small letters and without accents. */
const likeness: ReadonlyMap<string, string> = new Map(
  (
    "aаαɑ bЬƅ cсϲ dԁɗ eеєҽ fƒ gɡցǥ hһհ iіıιӏɩ jјϳ kкκ lӏǀ|ⅼ mмⅿ nոпη oоοօσөø pрρ qԛգ rгᴦ sѕꜱ tтτŧ uυսц vνѵᴠ wԝшω xхҳ yуүγ zᴢʐ"
  ).split(" ").flatMap(([plain = "", ...others]) =>
    others.map((other) => [other.toLowerCase(), plain] as const)
  ),
);

/** What a label looks like, in ASCII; what has no likeness stays. */
function looks(label: string): string {
  let out = "";
  for (const char of label.normalize("NFKD").toLowerCase()) {
    if (/\p{M}/u.test(char)) continue;
    out += likeness.get(char) ?? char;
  }
  return out;
}

/** Digits and pairs of letters that look like one letter. */
function looksInAscii(label: string): readonly string[] {
  const plain = label.replaceAll("0", "o").replaceAll("rn", "m").replaceAll("vv", "w").replaceAll("5", "s");
  return [plain.replaceAll("1", "l"), plain.replaceAll("1", "i")];
}

/** A label behind `xn--` as Unicode (RFC 3492); undefined when it is none. */
export function fromPunycode(encoded: string): string | undefined {
  if (encoded.length > 63) return undefined;
  const dash = encoded.lastIndexOf("-");
  const out = [...encoded.slice(0, Math.max(dash, 0))].map((char) => char.charCodeAt(0));
  let [code, bias, index, at] = [128, 72, 0, dash < 0 ? 0 : dash + 1];
  while (at < encoded.length) {
    const before = index;
    for (let weight = 1, step = 36;; step += 36) {
      const char = encoded.charCodeAt(at++);
      const digit = char >= 97 && char <= 122 ? char - 97 : char >= 48 && char <= 57 ? char - 22 : -1;
      if (digit < 0) return undefined;
      index += digit * weight;
      const least = Math.min(Math.max(step - bias, 1), 26);
      if (digit < least) break;
      weight *= 36 - least;
      if (!Number.isSafeInteger(weight * 36)) return undefined;
    }
    const length = out.length + 1;
    let delta = Math.floor((index - before) / (before === 0 ? 700 : 2));
    delta += Math.floor(delta / length);
    let steps = 0;
    for (; delta > 455; steps += 36) delta = Math.floor(delta / 35);
    bias = steps + Math.floor((36 * delta) / (delta + 38));
    code += Math.floor(index / length);
    index %= length;
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
    out.splice(index++, 0, code);
  }
  return String.fromCodePoint(...out);
}

/** The well-known host for which a host may be taken, and how it is written; undefined for others. */
export function takenFor(host: string): { readonly known: string; readonly written: string } | undefined {
  const labels = host.split(".");
  const registered = labels.at(-2);
  for (const label of labels) {
    if (label.startsWith("xn--")) {
      const written = fromPunycode(label.slice(4));
      const meant = written === undefined ? undefined : names.get(looks(written));
      if (meant !== undefined) return { known: meant, written: host.replace(label, written!) };
    } else if (label === registered && !names.has(label)) {
      const meant = looksInAscii(label).map((one) => names.get(one)).find((one) => one !== undefined);
      if (meant !== undefined) return { known: meant, written: host };
    }
  }
  return undefined;
}

/** What is wrong with an address, as a sentence; undefined when nothing is. */
export function deceit({ host, user }: Address): string | undefined {
  if (host === undefined) return undefined;
  const taken = takenFor(host);
  if (taken !== undefined) {
    const real = taken.written === host ? "" : ` (${taken.written})`;
    return `${host}${real} looks like ${taken.known} and is another host.`;
  }
  // `https://github.com@evil.example/` goes to the host behind the sign.
  let name: string;
  try {
    name = decodeURIComponent(user).toLowerCase();
  } catch {
    return undefined;
  }
  const shown = known.find((one) => new RegExp(`(?:^|[/.])${one.replace(".", "\\.")}(?:[/:]|$)`).test(name));
  if (shown === undefined || host === shown || host.endsWith(`.${shown}`)) return undefined;
  return `The address begins like one of ${shown} and leads to ${host}.`;
}
