// The encodings crypto addresses are written in: base58, bech32, base32, cashaddr and their checksums. Pure;
// for any text an answer, never an error. What an encoding means on a network is in crypto-addresses.ts.
import { sha256 } from '@noble/hashes/sha2.js';

/** How a text compares with an encoding: right, right but for its checksum, or of another form. */
export type Fit = 'fits' | 'checksum' | 'form';

/** Longest text looked at: unified Zcash addresses are the longest we know. */
export const MAX_LENGTH = 200;

const tables = new Map<string, Int8Array>();

/** Value of each ASCII character in an alphabet, -1 where it has none. */
function tableOf(alphabet: string): Int8Array {
  let table = tables.get(alphabet);
  if (!table) {
    table = new Int8Array(128).fill(-1);
    for (let i = 0; i < alphabet.length; i++) table[alphabet.charCodeAt(i)] = i;
    tables.set(alphabet, table);
  }
  return table;
}

function digitOf(table: Int8Array, text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (table[code] as number) : -1;
}

export const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
export const BASE58_XRP = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';

/** Bytes of base58 text; undefined where it is none. */
export function base58(text: string, alphabet = BASE58): Uint8Array | undefined {
  if (text.length === 0 || text.length > MAX_LENGTH) return undefined;
  const table = tableOf(alphabet);
  const bytes: number[] = [];
  let zeros = 0;
  for (let i = 0; i < text.length; i++) {
    let carry = digitOf(table, text, i);
    if (carry < 0) return undefined;
    if (carry === 0 && zeros === i) zeros++;
    for (let j = 0; j < bytes.length; j++) {
      carry += (bytes[j] as number) * 58;
      bytes[j] = carry & 0xff;
      carry >>= 8;
    }
    for (; carry > 0; carry >>= 8) bytes.push(carry & 0xff);
  }
  const out = new Uint8Array(zeros + bytes.length);
  for (let j = 0; j < bytes.length; j++) out[out.length - 1 - j] = bytes[j] as number;
  return out;
}

export function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return prefix.every((b, i) => bytes[i] === b);
}

export function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((x, i) => x === b[i]);
}

/**
 * Base58 with four bytes of double SHA-256 at the end.
 * @param length bytes before the checksum, version included
 * @param versions bytes it may begin with
 */
export function base58check(
  text: string,
  length: number,
  versions: readonly (readonly number[])[],
  alphabet = BASE58,
): Fit {
  const bytes = base58(text, alphabet);
  if (!bytes || bytes.length !== length + 4) return 'form';
  const body = bytes.subarray(0, length);
  const sound = equal(sha256(sha256(body)).subarray(0, 4), bytes.subarray(length));
  if (!versions.some((v) => startsWith(bytes, v))) {
    // With a wrong character the version is as uncertain as the rest: only a sound text is another network's.
    return sound || !versions.some((v) => Math.abs((v[0] as number) - (bytes[0] as number)) <= 1) ? 'form' : 'checksum';
  }
  return sound ? 'fits' : 'checksum';
}

const CHARSET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

/** Values of five bits, or undefined for a character outside the charset. */
function words(text: string): Uint8Array | undefined {
  const table = tableOf(CHARSET);
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const v = digitOf(table, text, i);
    if (v < 0) return undefined;
    out[i] = v;
  }
  return out;
}

const oneCase = (text: string) => text === text.toLowerCase() || text === text.toUpperCase();

const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const BECH32 = 1;
const BECH32M = 0x2bc830a3;

function bech32Remainder(hrp: string, data: Uint8Array): number {
  let c = 1;
  const step = (v: number) => {
    const top = c >>> 25;
    c = ((c & 0x1ffffff) << 5) ^ v;
    for (let i = 0; i < 5; i++) if ((top >> i) & 1) c ^= GENERATOR[i] as number;
  };
  for (let i = 0; i < hrp.length; i++) step(hrp.charCodeAt(i) >> 5);
  step(0);
  for (let i = 0; i < hrp.length; i++) step(hrp.charCodeAt(i) & 31);
  for (const v of data) step(v);
  return c >>> 0;
}

interface Bech32 {
  readonly data: Uint8Array;
  readonly variant: 'bech32' | 'bech32m' | undefined;
}

/** The data of bech32 text with this human-readable part; `variant` undefined where the checksum is neither's. */
function readBech32(text: string, hrp: string): Bech32 | undefined {
  if (text.length > MAX_LENGTH || !oneCase(text)) return undefined;
  const lower = text.toLowerCase();
  if (!lower.startsWith(`${hrp}1`) || lower.length < hrp.length + 7) return undefined;
  const all = words(lower.slice(hrp.length + 1));
  if (!all) return undefined;
  const rest = bech32Remainder(hrp, all);
  return {
    data: all.subarray(0, all.length - 6),
    variant: rest === BECH32 ? 'bech32' : rest === BECH32M ? 'bech32m' : undefined,
  };
}

/** Number of whole bytes in five-bit values, or undefined where the padding is not zero. */
function byteLength(data: Uint8Array): number | undefined {
  const spare = (data.length * 5) % 8;
  const last = data.at(-1) ?? 0;
  return spare < 5 && (last & ((1 << spare) - 1)) === 0 ? Math.floor((data.length * 5) / 8) : undefined;
}

/** Plain bech32 or bech32m text of one of some lengths in bytes; null = any length. */
export function bech32(
  text: string,
  hrp: string,
  lengths: readonly number[] | null,
  variant: 'bech32' | 'bech32m' = 'bech32',
): Fit {
  const read = readBech32(text, hrp);
  if (!read) return 'form';
  const bytes = byteLength(read.data);
  if (read.variant !== variant) {
    const plausible = lengths === null || lengths.includes(Math.floor((read.data.length * 5) / 8));
    return plausible ? 'checksum' : 'form';
  }
  return bytes !== undefined && (lengths === null || lengths.includes(bytes)) ? 'fits' : 'form';
}

/** A segregated witness address: BIP 173 for version 0, BIP 350 for later ones. */
export function segwit(text: string, hrp: string): Fit {
  const read = text.length <= 90 ? readBech32(text, hrp) : undefined;
  const version = read?.data[0];
  if (!read || version === undefined || version > 16) return read && !read.variant ? 'checksum' : 'form';
  if (read.variant !== (version === 0 ? 'bech32' : 'bech32m')) return 'checksum';
  const bytes = byteLength(read.data.subarray(1));
  if (bytes === undefined || bytes < 2 || bytes > 40) return 'form';
  return version > 0 || bytes === 20 || bytes === 32 ? 'fits' : 'form';
}

const CASH_GENERATOR = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n];

/**
 * A cashaddr (Bitcoin Cash, eCash; Kaspa uses the same checksum).
 * @param prefixNeeded false where the prefix may be left out
 * @param lengths bytes of version and hash
 */
export function cashaddr(text: string, prefix: string, prefixNeeded: boolean, lengths: readonly number[]): Fit {
  if (text.length > MAX_LENGTH || !oneCase(text)) return 'form';
  const lower = text.toLowerCase();
  const named = lower.startsWith(`${prefix}:`);
  if (!named && (prefixNeeded || lower.includes(':'))) return 'form';
  const all = words(named ? lower.slice(prefix.length + 1) : lower);
  if (!all || !lengths.includes(Math.floor(((all.length - 8) * 5) / 8))) return 'form';
  let c = 1n;
  const step = (v: number) => {
    const top = c >> 35n;
    c = ((c & 0x07ffffffffn) << 5n) ^ BigInt(v);
    for (let i = 0; i < 5; i++) if ((top >> BigInt(i)) & 1n) c ^= CASH_GENERATOR[i] as bigint;
  };
  for (let i = 0; i < prefix.length; i++) step(prefix.charCodeAt(i) & 31);
  step(0);
  for (const v of all) step(v);
  return c === 1n ? 'fits' : 'checksum';
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Bytes of unpadded RFC 4648 base32 in capitals; undefined where it is none or leaves bits over. */
export function base32(text: string): Uint8Array | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const table = tableOf(BASE32);
  const out = new Uint8Array(Math.floor((text.length * 5) / 8));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    const v = digitOf(table, text, i);
    if (v < 0) return undefined;
    held = (held << 5) | v;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      out[at++] = held >> bits;
      held &= (1 << bits) - 1;
    }
  }
  return bits < 5 && held === 0 ? out : undefined;
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Bytes of Crockford base32 as Stacks writes it: one number, right-aligned in `length` bytes. */
export function crockford(text: string, length: number): Uint8Array | undefined {
  const table = tableOf(CROCKFORD);
  let n = 0n;
  if (text.length > MAX_LENGTH) return undefined;
  for (let i = 0; i < text.length; i++) {
    const v = digitOf(table, text, i);
    if (v < 0) return undefined;
    n = (n << 5n) | BigInt(v);
  }
  const hex = n.toString(16).padStart(length * 2, '0');
  return hex.length === length * 2 ? new Uint8Array(Buffer.from(hex, 'hex')) : undefined;
}

/** Value of one Crockford digit. */
export const crockfordDigit = (text: string, at: number): number => digitOf(tableOf(CROCKFORD), text, at);

/** CRC-16/XMODEM. */
export function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const b of bytes) {
    crc ^= b << 8;
    for (let i = 0; i < 8; i++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}

const MONERO_BLOCK = [0, -1, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8];

/** Monero's base58: blocks of eleven characters for eight bytes each. */
export function moneroBase58(text: string): Uint8Array | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const table = tableOf(BASE58);
  const out: number[] = [];
  for (let at = 0; at < text.length; at += 11) {
    const end = Math.min(at + 11, text.length);
    const size = MONERO_BLOCK[end - at] as number;
    if (size < 0) return undefined;
    let n = 0n;
    for (let i = at; i < end; i++) {
      const v = digitOf(table, text, i);
      if (v < 0) return undefined;
      n = n * 58n + BigInt(v);
    }
    if (n >> BigInt(size * 8)) return undefined;
    for (let i = size - 1; i >= 0; i--) out.push(Number((n >> BigInt(i * 8)) & 0xffn));
  }
  return new Uint8Array(out);
}
