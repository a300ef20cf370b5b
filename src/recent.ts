/** Remembers what was made of the texts of the last few calls: several rules look at the same one. */

/** Texts that are shorter are looked through again sooner than they are compared. */
const least = 256;
const most = 4;

/** The same function, which does not look through one of its last texts again. The result must not be changed. */
export function recently<T>(look: (text: string) => T): (text: string) => T {
  const known: { readonly text: string; readonly result: T }[] = [];
  return (text) => {
    if (text.length < least) return look(text);
    const found = known.find((one) => one.text === text);
    if (found !== undefined) return found.result;
    const result = look(text);
    if (known.length >= most) known.shift();
    known.push({ text, result });
    return result;
  };
}
