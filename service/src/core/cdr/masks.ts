// What is left of a telephone number where others than its record's readers see it: enough to find what is wrong with a line,
// too little to say whose number it is.

/** Digits that short and service codes have at most: they are nobody's number. */
const codeDigits = 6;
/** Country code and network. */
const mostShown = 8;
const hidden = 5;
/** A calling code, of the shortest numbers too. */
const leastShown = 3;

const shownOf = (digits: number) => Math.max(leastShown, Math.min(mostShown, digits - hidden));

/**
 * The text with its first digits, at most eight and never the last five (of seven the last four), and `*` for each of the
 * others: `+23480312*****`. Short codes and names stay whole: what has no other mask than itself is nobody's number.
 */
export function maskNumber(text: string): string {
  // Most are numbers as they are kept, and there are millions.
  if (/^\+\d{7,15}$/.test(text)) {
    const visible = 1 + shownOf(text.length - 1);
    return text.slice(0, visible) + '***************'.slice(0, text.length - visible);
  }
  const digits = text.match(/\p{Nd}/gu)?.length ?? 0;
  if (digits <= codeDigits) return text;
  let shown = shownOf(digits);
  return text.replace(/\p{Nd}/gu, (digit) => (shown-- > 0 ? digit : '*'));
}
