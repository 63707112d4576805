// What is left of a telephone number where others than its record's readers see it: enough to find what is wrong with a line,
// too little to say whose number it is.

/** Digits that short and service codes have at most: they are nobody's number. */
const codeDigits = 6;
/** Country code and network. */
const mostShown = 8;
const hidden = 5;

/**
 * The text with its first digits, at most eight and never the last five, and `*` for each of the others:
 * `+23480312*****`. Short codes and names stay whole.
 */
export function maskNumber(text: string): string {
  const digits = text.match(/\p{Nd}/gu)?.length ?? 0;
  if (digits <= codeDigits) return text;
  let shown = Math.min(mostShown, digits - hidden);
  return text.replace(/\p{Nd}/gu, (digit) => (shown-- > 0 ? digit : '*'));
}
