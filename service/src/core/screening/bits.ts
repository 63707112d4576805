// Numbers as sets of up to 31 things, one bit for each.

/** How many bits are set. */
export function bitsOf(set: number): number {
  let bits = set - ((set >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
