/**
 * Lines of shell language made at random, for a comparison with bash. Words consist of letters that name no
 * program; the commands are those that tests/bash_process.ts replaces by functions. No line opens a file.
 */

import fc from "fast-check";

type Text = fc.Arbitrary<string>;

/** Letters of which words are made; no program has such a name. */
const word: Text = fc.string({ unit: fc.constantFrom(..."wxyz"), minLength: 1, maxLength: 4 });
const spaced: Text = fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(" "));
const variable: Text = fc.constantFrom("va", "vb", "vc");
/** Commands that are noted; those that begin with `wf` fail. */
const command: Text = fc.constantFrom("wa", "wa", "wb", "wf");

/** Variables that every line begins with. */
const start = "va='w x'; vb=wxyz; vc=; vn=3; vl=(w 'x y' z)";

function chosen(...texts: readonly string[]): Text {
  return fc.constantFrom(...texts);
}

function joined(...parts: readonly (Text | string)[]): Text {
  return fc.tuple(...parts.map((part) => typeof part === "string" ? fc.constant(part) : part))
    .map((texts) => texts.join(""));
}

function some(of: Text, least: number, most: number, separator: string): Text {
  return fc.array(of, { minLength: least, maxLength: most }).map((texts) => texts.join(separator));
}

/** The text as one word, in single quotes. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The text as one word in double quotes, with everything in it kept from being expanded. */
function quoteDouble(text: string): string {
  return `"${text.replace(/["\\$`]/g, "\\$&")}"`;
}

const escapes = chosen(
  "\\x77",
  "\\170",
  "\\n",
  "\\t",
  "\\'",
  "\\\\",
  "\\u0079",
  "w",
  "x ",
  "\\x7a\\x7a",
  "\\a",
);

const operator = chosen(
  ":-w",
  "-w",
  ":-'w x'",
  ':-"w x"',
  ":-$vb",
  ":-${vb}x",
  ":+x",
  "+x",
  ":+w x",
  "#w",
  "##*w",
  "#?",
  "%x",
  "%%x*",
  "%[w-y]",
  "%'x'",
  "/w/y",
  "//w/y",
  "/#w/y",
  "/%x/y",
  "//w",
  "/ /_",
  "/w/'x y'",
  ":1",
  ":0:2",
  ":1:1",
  ": -1",
  "^^",
  ",,",
  "^",
  "^^w",
  "//[wx]/z",
  "//[!w]/z",
  "/?/z",
  "@Q",
  "@U",
);

/** A piece of a word. */
const piece: Text = fc.oneof(
  { weight: 4, arbitrary: word },
  { weight: 2, arbitrary: spaced.map((text) => `'${text}'`) },
  { weight: 2, arbitrary: spaced.map((text) => `"${text}"`) },
  {
    weight: 1,
    arbitrary: chosen(
      "''",
      '""',
      "\\w",
      "\\ ",
      "\\$va",
      "\\'",
      '\\"',
      "\\\\",
      "\\\n",
      '"\\$va"',
      '"\\w\\""',
      '"`printf x`"',
      "`echo w\\\\x`",
      '"w\\\nx"',
      "'w\\x'",
      "w\\\nx",
      '$"w x"',
      '"w\'x"',
      "'w\"x'",
      "\\#",
      "w#x",
      "!",
      "%",
      "=",
      ",",
      "\\;",
      "\\&",
      "'|'",
      '"&"',
      "\\~",
      "w=x",
    ),
  },
  { weight: 2, arbitrary: some(escapes, 1, 3, "").map((text) => `$'${text}'`) },
  { weight: 3, arbitrary: joined("$", variable) },
  { weight: 3, arbitrary: joined('"$', variable, '"') },
  { weight: 2, arbitrary: joined("${", variable, "}") },
  { weight: 3, arbitrary: joined("${", variable, operator, "}") },
  { weight: 3, arbitrary: joined('"${', variable, operator, '}"') },
  { weight: 1, arbitrary: joined("${#", variable, "}") },
  { weight: 1, arbitrary: joined("$(echo ", spaced, ")") },
  { weight: 1, arbitrary: joined('"$(echo ', spaced, ')"') },
  { weight: 1, arbitrary: joined("$(printf '%s-%s' ", word, " ", word, ")") },
  { weight: 1, arbitrary: joined("$((", fc.nat(9).map(String), chosen("+", "-", "*"), "vn", "))") },
  {
    weight: 1,
    arbitrary: chosen(
      "$((vn))",
      "$(($vn*2))",
      "$((vn+=1))",
      "$((vn++))",
      "$((vn>2?7:8))",
      "$[vn+1]",
      "$((1<<vn))",
    ),
  },
  { weight: 2, arbitrary: some(word, 2, 3, ",").map((text) => `{${text}}`) },
  { weight: 1, arbitrary: joined("{", word, ",{", word, ",", word, "}}") },
  {
    weight: 1,
    arbitrary: chosen(
      "{1..3}",
      "{w..z}",
      "{3..1}",
      "{01..03}",
      "{1..7..3}",
      "{z..w..2}",
      "{w}",
      "{}",
      "{w,}",
      "{,x}",
      '{"w x",y}',
      "{w,'x'}",
      "{w,$va}",
      "{w,x",
      "w,x}",
      "\\{w,x}",
      "{w\\,x,y}",
      "{{w,x},y}",
    ),
  },
  {
    weight: 2,
    arbitrary: chosen(
      "${vl[0]}",
      "${vl[1]}",
      '"${vl[1]}"',
      '"${vl[@]}"',
      "${vl[@]}",
      '"${vl[*]}"',
      "${#vl[@]}",
      '"${vl[@]:1}"',
      '"${vl[@]:0:2}"',
      '"${vl[@]/x/w}"',
      '"${vl[@]#w}"',
      "${vl[-1]}",
      "$vl",
      "${vl[vn-2]}",
      "${!vl[@]}",
    ),
  },
  { weight: 1, arbitrary: chosen("*", "w*", "[wx]", "?", "w[!x]y", '"*"', "\\*", "[w", "w]") },
  { weight: 1, arbitrary: chosen('"$@"', "$*", '"$*"', "$#", "$1", '"${1:-w}"', '"${@:2}"', '"w$@x"') },
);

/** A word of one command line. */
const argument: Text = fc.oneof(
  { weight: 8, arbitrary: some(piece, 1, 4, "") },
  {
    weight: 1,
    arbitrary: chosen("~", "~/w", "w~", '"~"', "\\~", "w=~/x", "{~,w}/x", "~/$vb", "w:~/x", "'~'/w"),
  },
);

const separators = chosen("IFS=,", "IFS=:", "IFS=", "IFS=' '", "IFS=x");

/** A change of what the line knows. */
const assignment: Text = fc.oneof(
  {
    weight: 4,
    arbitrary: joined(
      variable,
      chosen("=", "=", "=", "+="),
      fc.oneof(
        piece.filter((text) => !text.includes("{") || text.startsWith("$")),
        spaced.map((text) => `'${text}'`),
        chosen("'w,x'", "' w  x '", '"w:x"', "", "~", "w:~/x", "*", "{w,x}", '"$vb$vb"', "$va$vb"),
      ),
    ),
  },
  {
    weight: 1,
    arbitrary: chosen(
      "vl=(x y)",
      "vl+=(w)",
      "vl[1]=w",
      "vl=()",
      "vl=($va)",
      'vl=("$va" {w,x})',
      "vl=([2]=w x)",
      "unset va",
      "unset vl",
      "unset 'vl[1]'",
      "vn=7",
      "vn=vn+1",
      "let vn=2+3",
      "((vn=4))",
      "((vn++))",
      ": $((vn=6))",
      "export va=y",
      'declare vb="x w"',
      "typeset -u va=wx",
      "declare -i vn=3+4",
      "readonly vr=w",
      "declare -a vl=(w x)",
      "declare va",
      ": ${va:=w}",
      ': "${vc:=w x}"',
      "printf -v va '%s-%s' w x",
      "printf -v va %03d 7",
      "set -- w 'x y'",
      "set -- $va",
      "set --",
      "shift",
      "set -f",
      "read va vb <<< 'w x y'",
      "read -r va <<< ' w\\x '",
      "IFS=, read va vb <<< w,x,y",
      "read -a vl <<< 'w x'",
      "mapfile -t vl <<< $'w\\nx y'",
      "va=w vb=$va",
    ),
  },
  { weight: 1, arbitrary: separators },
);

const arguments_ = some(argument, 0, 3, " ");
/** The name of a command, plain or in one of its other spellings. */
const name: Text = fc.oneof(
  { weight: 6, arbitrary: command },
  {
    weight: 2,
    arbitrary: chosen(
      "'wa'",
      '"wb"',
      "w\\a",
      "w''a",
      "$'w\\x61'",
      "$(echo wa)",
      '"$(printf wb)"',
      "`echo wa`",
      "{wa,x}",
      "${vd:-wa}",
      "${vd-wa x}",
      "w{a,b}",
      "\\\nwa",
      "w\\\na",
      "command wa",
      "builtin wb",
      "! wa",
      "vq=x wa",
      "</dev/null wa",
    ),
  },
);
const simple: Text = joined(name, " ", arguments_);

/** A command of plain words, which can stand in quotes of either kind. */
const plain: Text = joined(command, " ", some(fc.oneof(word, joined("$", variable)), 0, 3, " "));

/** What a line may hold; with `branches` also what bash runs only on some condition. */
function statements(branches: boolean): Text {
  const { list } = fc.letrec<{ one: string; list: string }>((tie) => {
    const list = tie("list");
    // Bash 5.2 loses a separator behind a here-document in a substitution.
    const flat = list.filter((text) => !text.includes("<<"));
    const straight: readonly { weight: number; arbitrary: Text }[] = [
      { weight: 8, arbitrary: simple },
      { weight: 5, arbitrary: joined(assignment, "; ", simple) },
      { weight: 1, arbitrary: joined("( ", list, "\n)") },
      { weight: 1, arbitrary: joined("{ ", list, "\n}") },
      { weight: 1, arbitrary: list.map((text) => `eval ${quote(text)}`) },
      { weight: 1, arbitrary: list.map((text) => `eval ${quoteDouble(text)}`) },
      { weight: 1, arbitrary: plain.map((text) => `eval "${text}"`) },
      { weight: 1, arbitrary: plain.map((text) => `eval ${text}`) },
      { weight: 1, arbitrary: list.map((text) => `sh -c ${quote(text)} n w 'x y'`) },
      { weight: 1, arbitrary: plain.map((text) => `bash -c "${text}"`) },
      { weight: 1, arbitrary: list.map((text) => `echo ${quote(text)} | sh`) },
      { weight: 1, arbitrary: plain.map((text) => `sh <<< "${text}"`) },
      { weight: 1, arbitrary: list.map((text) => `sh <<'E'\n${text}\nE\n`) },
      { weight: 1, arbitrary: plain.map((text) => `sh <<E\n${text}\n\\$(echo ${text}) \\\\\nE\n`) },
      { weight: 1, arbitrary: plain.map((text) => `cat <<E | sh\n${text}\nE\n`) },
      { weight: 1, arbitrary: plain.map((text) => `source <(echo ${quote(text)})`) },
      { weight: 1, arbitrary: joined(command, " $( ", flat, "\n)") },
      { weight: 1, arbitrary: joined(command, ' "w$( ', flat, '\n)"') },
      { weight: 1, arbitrary: plain.map((text) => `wa \`${text}\``) },
      { weight: 1, arbitrary: joined("va=$( ", flat, '\n); wb "$va"') },
      { weight: 1, arbitrary: joined("fa() { ", list, "\n}; fa ", arguments_) },
      { weight: 1, arbitrary: joined("fa() ( ", list, '\n); fa w "x y"; fa') },
      { weight: 1, arbitrary: joined("function fb { local va=w; ", list, '\n}; fb; wb "$va"') },
      { weight: 1, arbitrary: joined("fa() { ", command, ' "$@" $#; shift; wb "$*"; }; fa ', arguments_) },
      { weight: 1, arbitrary: joined("for va in ", arguments_, '; do wa "$va"; wb $va; done') },
      { weight: 1, arbitrary: joined("for vb in w 'x y'; do ", list, "\ndone") },
      { weight: 1, arbitrary: joined("set -- ", arguments_, '; for va; do wa "$va"; done') },
      { weight: 1, arbitrary: plain.map((text) => `wa "$(cat <<E\n${text}\nE\n)"`) },
      { weight: 1, arbitrary: joined("read va <<< ", argument, '; wa "$va"') },
      { weight: 1, arbitrary: joined("vr=", variable, '; wa "${!vr}" ${!vr}') },
      { weight: 1, arbitrary: joined("time ", command, " ", arguments_) },
      // A comment goes to the end of its line, and must not swallow the beginning of a loop.
      { weight: 1, arbitrary: joined(simple, " # ", word, "'; wb\n") },
    ];
    const branching: readonly { weight: number; arbitrary: Text }[] = [
      { weight: 2, arbitrary: joined(simple, " | ", simple) },
      { weight: 1, arbitrary: joined("wa <( ", list, "\n)") },
      { weight: 2, arbitrary: joined(simple, chosen(" && ", " || "), simple) },
      { weight: 1, arbitrary: joined(simple, chosen(" && ", " || "), assignment, "; ", simple) },
      { weight: 1, arbitrary: joined("if ", simple, "; then ", list, "\nelse ", list, "\nfi") },
      {
        weight: 1,
        arbitrary: joined(
          "if ",
          chosen("true", "false", "! wf", "[ -n w ]", "[[ $va == w* ]]"),
          "\nthen ",
          list,
          "\nfi",
        ),
      },
      { weight: 1, arbitrary: joined("while ", simple, "; do ", list, "\nbreak; done") },
      { weight: 1, arbitrary: joined("until false; do ", list, "\nbreak; done") },
      {
        weight: 1,
        arbitrary: joined(
          "case ",
          argument,
          " in ",
          chosen("w*", "'w x'", '"$va"', "$vb", "[wx]*", "?", "*x|*y", "''"),
          ") ",
          list,
          "\n;; *) ",
          list,
          "\nesac",
        ),
      },
      { weight: 1, arbitrary: joined("for ((vn=0; vn<2; vn++)); do ", list, "\ndone") },
      { weight: 1, arbitrary: joined("echo 'w x' | while read va; do ", list, "\ndone") },
      { weight: 1, arbitrary: joined("while read -r va; do ", list, "\ndone <<< $'w x\\ny'") },
      { weight: 1, arbitrary: joined(simple, " & ", simple) },
      { weight: 1, arbitrary: joined("set -e; ", list) },
      { weight: 1, arbitrary: joined("(( vn > 2 )) && { ", list, "\n}") },
      { weight: 1, arbitrary: joined("fa() { ", command, "; return; ", list, "\n}; fa") },
      {
        weight: 1,
        arbitrary: joined(
          "for va in w x y; do ",
          simple,
          "; ",
          chosen("break", "continue"),
          "; ",
          list,
          "\ndone",
        ),
      },
      { weight: 1, arbitrary: joined("[[ ", argument, " == ", argument, " ]] && ", simple) },
      { weight: 1, arbitrary: list.map((text) => `trap ${quote(text)} EXIT`) },
      { weight: 1, arbitrary: plain.map((text) => `trap "${text}" EXIT`) },
      { weight: 1, arbitrary: plain.map((text) => `alias aa=${quote(text)}\naa w`) },
      { weight: 1, arbitrary: plain.map((text) => `alias ac='wa ' ab=${quote(text)}\nac ab`) },
      {
        weight: 1,
        arbitrary: list.filter((text) => !text.includes("<<")).map((text) =>
          `alias ad=${quote(text)}\nad\nunalias ad`
        ),
      },
      { weight: 1, arbitrary: joined(simple, "; exit") },
      { weight: 1, arbitrary: plain.map((text) => `trap ${quote(text)} ERR; wf`) },
      { weight: 1, arbitrary: joined("fa() { ", list, "\n}; fb() { fa; }; fa() { wb; }; fb") },
    ];
    const kinds = branches ? [...straight, ...branching] : straight;
    return {
      one: fc.oneof({ depthSize: "small", withCrossShrink: true }, ...kinds),
      list: fc.array(tie("one"), { minLength: 1, maxLength: 3, depthIdentifier: "list" })
        .chain((parts) =>
          fc.array(chosen("; ", "\n"), { minLength: parts.length - 1, maxLength: parts.length - 1 })
            .map((signs) =>
              parts.map((part, index) => part + (part.endsWith("\n") ? "" : signs[index] ?? "")).join("")
            )
        ),
    };
  });
  return list.map((text) => `${start}\n${text}`);
}

/** One command, behind assignments. */
export const wordsLine: Text = fc.tuple(
  fc.array(assignment, { maxLength: 3 }),
  command,
  some(argument, 0, 4, " "),
)
  .map(([before, name, words]) => [start, ...before, `${name} ${words}`].join("; "));
/** Lines of which bash runs every command, in the order in which they stand. */
export const straightLine: Text = statements(false);
/** Lines of which bash runs only some of the commands. */
export const branchingLine: Text = statements(true);
