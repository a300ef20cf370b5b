/** Reads the report of `deno test --junit-path`. */

export interface Case {
  /** Test file, relative to the checkout, with `/`. */
  readonly file: string;
  readonly name: string;
  readonly outcome: "passed" | "failed" | "skipped";
}

const entities: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&amp;": "&",
};

function attribute(tag: string, name: string): string {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
  if (value === undefined) {
    throw new Error(`the test report has a <testcase> without ${name}: <testcase ${tag}>`);
  }
  return value.replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => entities[entity]!);
}

/**
 * The test cases of a report, steps included. Text in it is escaped, so a literal `<` always begins a tag.
 * @throws Error when the report is cut short or is none.
 */
export function parseJunit(xml: string): Case[] {
  if (!xml.includes("<testsuites ") || !xml.trimEnd().endsWith("</testsuites>")) {
    throw new Error("expected a whole JUnit report, got one without <testsuites>…</testsuites>");
  }
  return xml.split("<testcase ").slice(1).map((piece) => {
    const end = piece.indexOf(">");
    const tag = piece.slice(0, end);
    const body = piece.slice(end + 1);
    const failed = body.includes("<failure") || body.includes("<error");
    return {
      file: attribute(tag, "classname").replaceAll("\\", "/").replace(/^\.\//, ""),
      name: attribute(tag, "name"),
      outcome: failed ? "failed" : body.includes("<skipped") ? "skipped" : "passed",
    };
  });
}
