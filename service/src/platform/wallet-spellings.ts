// One address has several spellings on some networks: with the tag of a customer behind it, in hexadecimal, without 0x, with a
// mark or under the prefix of a network. This turns each into the usual one. Pure; says nothing about whether an address exists.
import { sha256 } from '@noble/hashes/sha2.js';
import { type BytesCoder, base32nopad, base58, base58xmr, base58xrp, bech32 } from '@scure/base';
import {
  cashaddrHash,
  crc16,
  equal,
  filecoinSum,
  isMarkedTon,
  isSoundTon,
  moneroSum,
  ss58Sum,
} from './crypto-encodings.ts';

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

/** TON's address for people: a mark, the workchain, the hash, and their CRC. */
function tonText(workchain: number, hash: Uint8Array): string {
  const body = Buffer.from([0x11, workchain & 0xff, ...hash]);
  const crc = crc16(body);
  return Buffer.from([...body, crc >> 8, crc & 0xff]).toString('base64url');
}

/** An account of 32 bytes in SS58, under the prefix of Polkadot. */
function ss58Text(account: Uint8Array): string {
  const body = Uint8Array.from([0, ...account]);
  return base58.encode(Uint8Array.from([...body, ...ss58Sum(body)]));
}

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
  // TON: with a mark whether a payment to it may bounce, in either alphabet of base64, or plain workchain and hash.
  {
    form: /^(?:[A-Za-z0-9_-]{48}|[A-Za-z0-9+/]{48})$/,
    usual: ([text = '']) => {
      const bytes = Buffer.from(text, 'base64');
      return isMarkedTon(bytes) && isSoundTon(bytes) ? tonText(bytes[1] as number, bytes.subarray(2, 34)) : undefined;
    },
  },
  { form: /^(0|-1):([0-9a-f]{64})$/i, usual: ([, workchain, hash = '']) => tonText(Number(workchain), bytesOf(hash)) },
  // Polkadot and Kusama: the key of an account, under the prefix of either network or of none.
  {
    form: /^[1-9A-HJ-NP-Za-km-z]{46,50}$/,
    usual: ([text = '']) => {
      const bytes = base58.decode(text);
      const [body, sum] = [bytes.subarray(0, -2), bytes.subarray(-2)];
      const account = (bytes[0] as number) < 64 ? body.subarray(1) : body.subarray(2);
      return account.length === 32 && equal(ss58Sum(body), sum) ? ss58Text(account) : undefined;
    },
  },
  // Hedera, HIP-15: with a checksum behind it.
  { form: /^(0\.0\.\d{1,19})-[a-z]{5}$/i, usual: ([, account]) => account },
  // Aptos and Sui: without the zeros at the beginning.
  { form: /^0x([0-9a-f]{41,63})$/i, usual: ([, hex = '']) => `0x${hex.padStart(64, '0')}` },
  // Injective: an account of Ethereum in Bech32.
  {
    form: /^inj1[02-9ac-hj-np-z]{38}$/i,
    usual: ([text = '']) => `0x${Buffer.from(bech32.decodeToBytes(text.toLowerCase()).bytes).toString('hex')}`,
  },
  // Filecoin: an account of Ethereum as an actor's address.
  {
    form: /^f410f([a-z2-7]{39})$/i,
    usual: ([, text = '']) => {
      const bytes = base32nopad.decode(text.toUpperCase());
      const account = bytes.subarray(0, 20);
      const isSound = equal(filecoinSum(Uint8Array.from([4, 10, ...account])), bytes.subarray(20));
      return isSound ? `0x${Buffer.from(account).toString('hex')}` : undefined;
    },
  },
  // Monero: an integrated address is the standard one and the id of a payment.
  {
    form: /^4[1-9A-HJ-NP-Za-km-z]{105}$/,
    usual: ([text = '']) => {
      const bytes = base58xmr.decode(text);
      const isSound = bytes[0] === 19 && equal(moneroSum(bytes.subarray(0, -4)), bytes.subarray(-4));
      const body = Uint8Array.from([18, ...bytes.subarray(1, 65)]);
      return isSound ? base58xmr.encode(Uint8Array.from([...body, ...moneroSum(body)])) : undefined;
    },
  },
];

/** @returns the text as it is if it has no other spelling */
export function usualSpelling(text: string): string {
  for (const { form, usual } of spellings) {
    const match = form.exec(text);
    const found = match && readable(() => usual(match));
    if (found) return found;
  }
  return text;
}

/** @returns undefined for a text that only looks like a spelling */
function readable(read: () => string | undefined): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
