// The hash of a transfer on its chain as it is compared, however it was written. Pure.
import { asTyped } from './typed.ts';

const hex = /^[0-9a-f]{64}$/;
const encodings = ['base64', 'base64url'] as const;

/** TON's tools write the 32 bytes of a hash in base64, its explorers in hexadecimal; undefined for what is not such a text. */
function inHex(text: string): string | undefined {
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  const unpadded = text.replace('=', '');
  return encodings.some((e) => bytes.toString(e).replace('=', '') === unpadded) ? bytes.toString('hex') : undefined;
}

/**
 * Case never matters in hexadecimal, nor whether it begins with 0x: nodes of one chain write it either way. Hedera's id of a
 * transfer is written with @ and a point by its libraries, and with hyphens by its explorers.
 */
export function chainHashText(given: string): string {
  const text = asTyped(given);
  return (
    inHex(text) ??
    text
      .toLowerCase()
      .replace(/^0x(?=(?:[0-9a-f]{64}|[0-9a-f]{96})$)/, '')
      .replace(
        /^(0\.0\.\d+)[@-](\d+)[.-](\d{1,9})$/,
        (_, payer, s, ns: string) => `${payer}-${s}-${ns.padStart(9, '0')}`,
      )
  );
}

/** The forms that a record is looked for by. */
export function chainHashForms(given: string): string[] {
  const text = chainHashText(given);
  return hex.test(text) ? [text, `0x${text}`] : [text];
}

/** All that may have been written for a hash, in small letters. */
export function chainHashWritten(given: string): string[] {
  const text = chainHashText(given);
  if (!hex.test(text)) return [text, text.replace(/^(0\.0\.\d+)-(\d+)-(\d+)$/, '$1@$2.$3')];
  const written = encodings.flatMap((e) => {
    const unpadded = Buffer.from(text, 'hex').toString(e).replace('=', '').toLowerCase();
    return [unpadded, `${unpadded}=`];
  });
  return [...chainHashForms(text), ...written];
}
