// One address has several spellings on some networks: with the tag of a customer behind it, in hexadecimal, without 0x. This
// turns each into the usual one. Pure; says nothing about whether an address exists.
import { sha256 } from '@noble/hashes/sha2.js';
import { type BytesCoder, base32nopad, base58, base58xrp } from '@scure/base';
import { cashaddrHash, crc16 } from './crypto-encodings.ts';

const ripple = checked(base58xrp);
const bitcoin = checked(base58);

/** Base58 with four bytes of double SHA-256 at the end, in an alphabet. */
function checked(coder: BytesCoder): BytesCoder {
  const sumOf = (bytes: Uint8Array) => sha256(sha256(bytes)).subarray(0, 4);
  return {
    encode: (bytes) => coder.encode(Uint8Array.from([...bytes, ...sumOf(bytes)])),
    decode: (text) => {
      const bytes = coder.decode(text);
      const body = bytes.subarray(0, -4);
      if (!sumOf(body).every((b, i) => b === bytes[body.length + i])) throw new Error('checksum');
      return body;
    },
  };
}

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));

interface Spelling {
  readonly form: RegExp;
  /** The usual spelling; undefined or an error if the text only looks like this one. */
  usual(match: readonly string[]): string | undefined;
}

const spellings: readonly Spelling[] = [
  // Ethereum and its like, as some software writes it.
  { form: /^([0-9a-f]{40})$/i, usual: ([, hex]) => `0x${hex}` },
  // TRON, as its nodes write it.
  { form: /^(?:0x)?(41[0-9a-f]{40})$/i, usual: ([, hex = '']) => bitcoin.encode(bytesOf(hex)) },
  // CashAddr (Bitcoin Cash, eCash): the hash of a key or script that an address of Bitcoin has in Base58. The link is gone here.
  {
    form: /^([qp][02-9ac-hj-np-z]{41})$/i,
    usual: ([, text = '']) => {
      const hash = cashaddrHash(text, 'bitcoincash') ?? cashaddrHash(text, 'ecash');
      const version = hash && ([0x00, 0x05] as const)[hash.kind];
      return version === undefined ? undefined : bitcoin.encode(Uint8Array.from([version, ...(hash?.bytes ?? [])]));
    },
  },
  // Litecoin: a script's address begins with M, and began with 3 as Bitcoin's does.
  {
    form: /^M[1-9A-HJ-NP-Za-km-z]{33}$/,
    usual: ([text = '']) => {
      const [version, ...hash] = bitcoin.decode(text);
      return version === 0x32 && hash.length === 20 ? bitcoin.encode(Uint8Array.from([0x05, ...hash])) : undefined;
    },
  },
  // XRP Ledger and Stellar: the tag or memo of a customer behind the address that all customers share.
  { form: /^(r[1-9A-HJ-NP-Za-km-z]{24,34}|G[A-Z2-7]{55})[:+#-]\w+$/, usual: ([, address]) => address },
  // XRP Ledger, XLS-5: the account and the tag in one.
  {
    form: /^X[1-9A-HJ-NP-Za-km-z]{46}$/,
    usual: ([text = '']) => {
      const bytes = ripple.decode(text);
      return bytes.length === 31 && bytes[0] === 0x05 && bytes[1] === 0x44
        ? ripple.encode(Uint8Array.from([0, ...bytes.subarray(2, 22)]))
        : undefined;
    },
  },
  // Stellar, SEP-23: a muxed account is the account and a number.
  {
    form: /^M[A-Z2-7]{68}$/,
    usual: ([text = '']) => {
      const bytes = base32nopad.decode(text);
      const account = Uint8Array.from([6 << 3, ...bytes.subarray(1, 33)]);
      const crc = crc16(account);
      return bytes[0] === 12 << 3 ? base32nopad.encode(Uint8Array.from([...account, crc & 0xff, crc >> 8])) : undefined;
    },
  },
];

/** @returns the text as it is if it has no other spelling */
export function usualSpelling(text: string): string {
  for (const { form, usual } of spellings) {
    const match = form.exec(text);
    if (!match) continue;
    try {
      return usual(match) ?? text;
    } catch {
      return text;
    }
  }
  return text;
}
