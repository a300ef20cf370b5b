/** How what was found is named in a sentence. */

interface Titled {
  readonly title: string;
}

/** `a GitHub token`, `an AWS access key`. */
export function named({ title }: Titled): string {
  return `${
    /^(?:[aeioAEIO]|NV|npm|[FHLMNRSX][A-Z])/.test(title) && !/^one/i.test(title) ? "an" : "a"
  } ${title}`;
}

/** The first one by its name, and how many there are besides; at least one has to be there. */
export function namedAll(found: readonly Titled[]): string {
  return `${named(found[0]!)}${found.length > 1 ? `, and ${found.length - 1} more` : ""}`;
}
