/** Ends of lines behind a backslash in the middle of a sign, and the places of the text around them. */

/** A place from which something was taken out. */
export interface Joint {
  /** The place in what is left, in UTF-16 code units. */
  readonly at: number;
  /** How much was taken out there and before, in UTF-16 code units. */
  readonly taken: number;
}

/** A text in which signs stand on one line, and what that took out of it. */
export interface Joined {
  readonly whole: string;
  readonly joints: readonly Joint[];
}

/** Takes the ends of lines behind a backslash out of `$(`, `&&`, `<<` and the like. */
export function joinSigns(text: string): Joined {
  const joints: Joint[] = [];
  let taken = 0;
  const whole = text.replace(
    /([$&|<>])((?:\\\n)+)(?=[({&|<>A-Za-z_0-9])/g,
    (_, sign: string, lines: string, at: number) => {
      const place = at + sign.length - taken;
      taken += lines.length;
      joints.push({ at: place, taken });
      return sign;
    },
  );
  return { whole, joints };
}

/** Where something that begins at a place of the joined text begins in the whole one. */
export function placeBehind(at: number, joints: readonly Joint[] = []): number {
  return at + takenAt(joints, (joint) => joint.at <= at);
}

/** Where something that ends at a place of the joined text ends in the whole one. */
export function placeBefore(at: number, joints: readonly Joint[] = []): number {
  return at + takenAt(joints, (joint) => joint.at < at);
}

/** How much was taken out at all the joints for which something holds: the first ones. */
function takenAt(joints: readonly Joint[], holds: (joint: Joint) => boolean): number {
  let low = 0;
  for (let high = joints.length; low < high;) {
    const middle = (low + high) >> 1;
    if (holds(joints[middle]!)) low = middle + 1;
    else high = middle;
  }
  return joints[low - 1]?.taken ?? 0;
}
