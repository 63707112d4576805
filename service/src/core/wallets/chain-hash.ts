// The hash of a transfer on its chain as it is compared, however it was written. Pure.

/** Case never matters, nor whether a hash in hexadecimal begins with 0x: nodes of one chain write it either way. */
export const chainHashText = (given: string): string =>
  given
    .normalize('NFC')
    .trim()
    .toLowerCase()
    .replace(/^0x(?=[0-9a-f]{64}$)/, '');

/** All forms that one may look for it by. */
export function chainHashForms(given: string): string[] {
  const text = chainHashText(given);
  return /^[0-9a-f]{64}$/.test(text) ? [text, `0x${text}`] : [text];
}
