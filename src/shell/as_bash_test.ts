/** Differences between the model and bash that random lines have found, each as its smallest line. */

import assert from "node:assert/strict";
import { list } from "./listing.ts";

/** A command, and the programs that it starts with their arguments; in `«»` what is not known. */
const groups: Readonly<Record<string, readonly (readonly [command: string, ...invocations: string[]])[]>> = {
  "brackets of patterns": [
    ['wa [w"$@"[wx]', "wa [w«$@»[wx]"],
    ["va='w x'; wa [$va] [\"$va\"] [w'x'] [\\w] \"[\"w]", 'wa [w x] "[w x]" [wx] [w] [w]'],
    ["va='*'; wa [$va]", "wa [*]"],
    ['X=[; wa ${X}e"]"x] $X e]', "wa [e]x] [ e]"],
    ["wa [$(wb)]", "wb", "wa [«$(wb)»]"],
    ["[[ w == [$(wb)] ]]", "wb"],
    ["[[ w == @($(wb)|x) ]]", "wb"],
    ["va=w; case w in [$va]) wa;; *) wb;; esac", "wa"],
    ['vb=w-yz; wa ${vb//[w"-"z]/q} ${vb//["!"w]/q} ${vb%%[x\'y\']*}', "wa qqyq q-yz w-"],
    ["va='\\*'; vb='w*y'; wa ${vb#w$va}", "wa y"],
  ],
  "operators and subscripts": [
    [
      "wa ${vl[$(wb)]} ${@:$(wc)} ${vq:?$(wd)}",
      "wb",
      "wc",
      "wd",
      "wa «${vl[$(wb)]}» «${@:$(wc)}» «${vq:?$(wd)}»",
    ],
    ["va=$1; wa ${va:-$(wb)} ${va:+x}", "wb", "wa «$1» x", "wb", "wa «$1»"],
    ["wa ${vq+x}", "wa x", "wa"],
    ['unset va; wa ${va@Q} "${va@Q}"; va=; wa ${va@Q}', "unset va", "wa ''", "wa ''"],
    ['vl[0]=x; wa ${vl[1-1]} "${vl[5]}" ${vl[vq]}', "wa x '' «${vl[vq]}»"],
    ["va=xyz; wa ${va:1+1} ${va: -2:1} ${va::2}", "wa z y xy"],
    ['unset vl; wa "${vl[@]}"', "unset vl", "wa"],
  ],
  "expressions in text": [
    ["(( 0 && $(wb) )); wa $((1 ? 2 : $(wc)))", "wb", "wc", "wa 2"],
    ["wa $((vq[$(wb)]=1))", "wb", "wa 1"],
    ["va='vl[$(wb)]'; wa $((va))", "wb", "wa «$((va))»"],
    ["va='vl[$(wb)]'; [[ va -gt 1 ]]", "wb"],
    ["[[ -v 'vl[$(wb)]' ]]", "wb"],
    ["[ -v 'vl[$(wb)]' ]", "wb", "[ -v vl[$(wb)] ]"],
    ["let 'vl[$(wb)]=1'", "let vl[$(wb)]=1", "wb"],
    ["unset 'vl[$(wb)]'", "wb", "unset vl[$(wb)]"],
    ["read 'vl[$(wb)]'", "wb", "read vl[$(wb)]"],
    ["printf -v 'vl[$(wb)]' x", "wb", "printf -v vl[$(wb)] x"],
    ["declare 'vl[$(wb)]=x'", "wb", "declare vl[$(wb)]=x"],
    ["declare -a 'vl=($(wb))'", "wb", "declare -a vl=($(wb))"],
    ["declare -i va='vl[$(wb)]'", "wb", "declare -i va=vl[$(wb)]"],
    ["vr='vl[$(wb)]'; wa ${!vr}", "wb", "wa «${!vr}»"],
    ["va=2+3; wa $((va*2)); declare -i vb=va; wa $vb", "wa 10", "declare -i vb=va", "wa 5"],
    ["PS4='$(wb)'; set -x; wa", "wb", ": «$(wb)»", "set -x", "wa"],
  ],
  "odd braces": [
    ["wa {w},} {w},x}y {x{a,b}", "wa w} w}y xy {xa {xb"],
    ["wa ${vq}{x},y} [{a,b}] {[ab],c}", "wa «${vq}»x} «${vq}»y [a] [b] [ab] c"],
    ["wa {Z..a}", "wa Z [ '' ] ^ _ ` a"],
  ],
  "read-only variables": [
    [
      "readonly va=w; declare va=x; read va <<< y; unset va; for va in z; do :; done; wa $va",
      "readonly va=w",
      "declare va=x",
      "read va",
      "unset va",
      ":",
      "wa w",
    ],
    ["wb && readonly va=w; declare va=x; wa $va", "wb", "readonly va=w", "declare va=x", "wa x", "wa w"],
    ["readonly va=w; sh -c 'va=x; wa $va'", "readonly va=w", 'sh -c "va=x; wa $va"', "wa x"],
    [
      "fa() { local -r va=w; local va=x; wa $va; }; fa; va=y; wa $va",
      "local -r va=w",
      "local va=x",
      "wa w",
      "wa y",
    ],
  ],
  "more values than are followed": [
    [
      `va=a; ${[..."bcdefghi"].map((value) => `wb && va=${value};`).join(" ")} wa $va`,
      ..."wb ".repeat(8).trim().split(" "),
      ...[..."ihgfedcb"].map((value) => `wa ${value}`),
      "wa «$va»",
    ],
    [
      `va=(a); ${[..."bcdefghi"].map((value) => `wb && va=(${value});`).join(" ")} wa "\${va[@]}"`,
      ..."wb ".repeat(8).trim().split(" "),
      ...[..."ihgfedcb"].map((value) => `wa ${value}`),
      "wa «${va[@]}»",
    ],
    [
      `set --; ${[..."bcdefghi"].map((value) => `wb && set -- ${value};`).join(" ")} wa $1`,
      "set --",
      ...[..."bcdefghi"].flatMap((value) => ["wb", `set -- ${value}`]),
      ...[..."ihgfedcb"].map((value) => `wa ${value}`),
      "wa «$1»",
    ],
    [
      `va=a; vb=a; ${
        [..."bcde"].map((value) => `wb && va=${value}; wb && vb=${value};`).join(" ")
      } wa $va $vb`,
      ..."wb ".repeat(8).trim().split(" "),
      ...[..."edcba"].map((value) => `wa ${value} ${value}`),
      "wa «$va» «$vb»",
    ],
    [
      `fa() { ${"wb && { va=x; return; }; ".repeat(16)}wb && { va=y; return; }; va=z; }; fa; wa $va`,
      ...Array.from({ length: 17 }, () => ["wb", "return"]).flat(),
      "wa z",
      "wa x",
      "wa y",
    ],
  ],
  "traps, parameters, aliases and loops over time": [
    [
      "trap 'wa $va' ERR; va=x; wb; va=y; wb; va=z",
      'trap "wa $va" ERR',
      "wa «$va»",
      "wa x",
      "wb",
      "wa y",
      "wb",
      "wa z",
    ],
    ["fa() { wa $va; }; trap fa ERR; va=x", "trap fa ERR", "wa «$va»", "wa x"],
    ["trap 'va=q' ERR; va=x; wb; wa $va", "trap va=q ERR", "wb", "wa q", "wa x"],
    ['wb || set -- x y; wa "$#" "${@:2}"', "wb", "set -- x y", "wa 2 y", "wa «$#» «${@:2}»"],
    ["alias aa='wa x'; { alias aa='wb y'\naa\n}", 'alias "aa=wa x"', 'alias "aa=wb y"', "wb y", "wa x", "aa"],
    ["alias aa='wa x'\nunalias aa; aa", 'alias "aa=wa x"', "unalias aa", "wa x", "aa"],
    [
      "for va in x y; do wa $# $vb; vb=q; continue; set -- w; vb=w; done",
      "wa «$#» «$vb»",
      "continue",
      "set -- w",
      "wa 1 w",
      "wa «$#» w",
      "wa 1 q",
      "wa «$#» q",
      "continue",
      "set -- w",
    ],
    [
      "set -- x y; wa && set -- w; for vb; do wb $vb; done; wc $vb",
      "set -- x y",
      "wa",
      "set -- w",
      "wb w",
      "wb x",
      "wb y",
      "wc y",
      "wc w",
    ],
    [
      "if wa; then va=w; else va='x y'; fi; vc=; for vb in $va; do vc=$vc$vb; done; wb $vb $vc",
      "wa",
      "wb y xy",
      "wb w xy",
      "wb y w",
      "wb w w",
    ],
    [
      "while wb; do wa $vb; vb=q; continue; vb=w; done",
      "wb",
      "wa «$vb»",
      "continue",
      "wa w",
      "wa q",
      "wa «$vb»",
      "continue",
    ],
  ],
};

for (const [group, cases] of Object.entries(groups)) {
  Deno.test(`as bash has it: ${group}`, () => {
    assert.deepEqual(cases.map(([command]) => [command, ...list(command)]), cases);
  });
}
