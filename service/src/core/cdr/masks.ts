// Masks telephone numbers: enough digits remain to find what is wrong with a line, too few to identify a person.

/** Most digits of short and service codes, which belong to no person. */
const codeDigits = 6;
/** Most digits shown: country code and network. */
const mostShown = 8;
const hidden = 5;
/** Fewest digits shown: a calling code, even for the shortest numbers. */
const leastShown = 3;

const shownOf = (digits: number) => Math.max(leastShown, Math.min(mostShown, digits - hidden));

/**
 * Replaces digits by `*`, except the first ones: at most eight, and never the last five (of seven digits the last
 * four), as in `+23480312*****`. Short codes and names are not changed, since they belong to no person.
 */
export function maskNumber(text: string): string {
  // A fast path for E.164 numbers: they are most of the texts, and there are millions.
  if (/^\+\d{7,15}$/.test(text)) {
    const visible = 1 + shownOf(text.length - 1);
    return text.slice(0, visible) + '***************'.slice(0, text.length - visible);
  }
  const digits = text.match(/\p{Nd}/gu)?.length ?? 0;
  if (digits <= codeDigits) return text;
  let shown = shownOf(digits);
  return text.replace(/\p{Nd}/gu, (digit) => (shown-- > 0 ? digit : '*'));
}
