// What was typed or pasted in place of an address or hash of a chain. Pure.

/** A copy from a page may have characters that nobody sees, or wide ones; no address and no hash has either. */
export const asTyped = (given: string): string =>
  given
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim();
