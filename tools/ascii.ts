/**
 * The same program in ASCII: V8 reads text with one byte a character in less than half the time that other text takes,
 * and one dash in a pattern makes a whole chunk such a text.
 *
 * @param source JavaScript, whose strings, templates and patterns may hold any character
 * @throws Error for what an escape would change: the raw text of a template
 */
export function ascii(source: string): string {
  const raw = /\braw`[^`]*[^\0-\x7f]/.exec(source);
  if (raw !== null) throw new Error(`expected only ASCII in a raw template, found ${raw[0].slice(0, 80)}`);
  return source.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
