// The encodings of crypto addresses, and their checksums. Pure; returns a result for any text, never an error.
// crypto-addresses.ts defines what an encoding means on a network.
import { blake2b } from '@noble/hashes/blake2.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { type BytesCoder, base32crockford, base58, bech32 as bech32Coder, bech32m as bech32mCoder } from '@scure/base';

/** How a text matches an encoding: valid, valid except for its checksum, or another form. */
export type Fit = 'fits' | 'checksum' | 'form';

/** Maximum length of a text: unified Zcash addresses are the longest we know. */
export const MAX_LENGTH = 200;

/** The bytes that a text encodes; undefined if it is not valid. */
export function decoded(coder: BytesCoder, text: string): Uint8Array | undefined {
  if (text.length === 0 || text.length > MAX_LENGTH) return undefined;
  try {
    return coder.decode(text);
  } catch {
    return undefined;
  }
}

export function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return prefix.every((b, i) => bytes[i] === b);
}

export function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((x, i) => x === b[i]);
}

/**
 * Base58 with four bytes of double SHA-256 at the end.
 * @param length bytes before the checksum, including the version
 * @param versions permitted first bytes
 */
export function base58check(
  text: string,
  length: number,
  versions: readonly (readonly number[])[],
  coder = base58,
): Fit {
  const bytes = decoded(coder, text);
  if (!bytes || bytes.length !== length + 4) return 'form';
  const body = bytes.subarray(0, length);
  const sound = equal(sha256(sha256(body)).subarray(0, 4), bytes.subarray(length));
  if (!versions.some((v) => startsWith(bytes, v))) {
    // With a wrong character the version is as uncertain as the rest: only a text with a valid checksum is another
    // network's.
    return sound || !versions.some((v) => Math.abs((v[0] as number) - (bytes[0] as number)) <= 1) ? 'form' : 'checksum';
  }
  return sound ? 'fits' : 'checksum';
}

const fiveBits = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const inFiveBits = new RegExp(`^[${fiveBits}]{6,}$`);
const oneCase = (text: string) => text === text.toLowerCase() || text === text.toUpperCase();

type Variant = 'bech32' | 'bech32m';

interface Bech32 {
  /** Five-bit values before the checksum; undefined if the checksum fits neither variant. */
  readonly words: number[] | undefined;
  readonly variant: Variant | undefined;
  /** Number of whole bytes, from the text's length. */
  readonly bytes: number;
}

/** Reads bech32 text with this human-readable part. */
function readBech32(text: string, hrp: string): Bech32 | undefined {
  const lower = text.toLowerCase();
  const data = lower.slice(hrp.length + 1);
  if (text.length > MAX_LENGTH || !oneCase(text) || !lower.startsWith(`${hrp}1`) || !inFiveBits.test(data))
    return undefined;
  const bytes = Math.floor(((data.length - 6) * 5) / 8);
  const plain = bech32Coder.decodeUnsafe(lower, false);
  const modified = plain ?? bech32mCoder.decodeUnsafe(lower, false);
  return { words: modified?.words, variant: plain ? 'bech32' : modified ? 'bech32m' : undefined, bytes };
}

/** Number of whole bytes in five-bit values, or undefined if the padding is not zero. */
const byteLength = (words: number[] = []): number | undefined => bech32Coder.fromWordsUnsafe(words)?.length;

/** Plain bech32 or bech32m text of one of the lengths in bytes; null = any length. */
export function bech32(text: string, hrp: string, lengths: readonly number[] | null, variant: Variant = 'bech32'): Fit {
  const read = readBech32(text, hrp);
  if (!read) return 'form';
  if (read.variant !== variant) return lengths === null || lengths.includes(read.bytes) ? 'checksum' : 'form';
  const bytes = byteLength(read.words);
  return bytes !== undefined && (lengths === null || lengths.includes(bytes)) ? 'fits' : 'form';
}

/** A segregated witness address: BIP 173 for version 0, BIP 350 for later ones. */
export function segwit(text: string, hrp: string): Fit {
  const read = text.length <= 90 ? readBech32(text, hrp) : undefined;
  if (!read) return 'form';
  if (!read.words) return 'checksum';
  const version = read.words[0];
  if (version === undefined || version > 16) return 'form';
  if (read.variant !== (version === 0 ? 'bech32' : 'bech32m')) return 'checksum';
  const bytes = byteLength(read.words.slice(1));
  if (bytes === undefined || bytes < 2 || bytes > 40) return 'form';
  return version > 0 || bytes === 20 || bytes === 32 ? 'fits' : 'form';
}

const CASH_GENERATOR = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n];

/**
 * A cashaddr (Bitcoin Cash, eCash; Kaspa uses the same checksum).
 * @param prefixNeeded false if the prefix is optional
 * @param lengths bytes of version and hash
 */
export function cashaddr(text: string, prefix: string, prefixNeeded: boolean, lengths: readonly number[]): Fit {
  if (text.length > MAX_LENGTH || !oneCase(text)) return 'form';
  const lower = text.toLowerCase();
  const named = lower.startsWith(`${prefix}:`);
  if (!named && (prefixNeeded || lower.includes(':'))) return 'form';
  const data = named ? lower.slice(prefix.length + 1) : lower;
  if (!inFiveBits.test(data) || !lengths.includes(Math.floor(((data.length - 8) * 5) / 8))) return 'form';
  let c = 1n;
  const step = (v: number) => {
    const top = c >> 35n;
    c = ((c & 0x07ffffffffn) << 5n) ^ BigInt(v);
    for (let i = 0; i < 5; i++) if ((top >> BigInt(i)) & 1n) c ^= CASH_GENERATOR[i] as bigint;
  };
  for (let i = 0; i < prefix.length; i++) step(prefix.charCodeAt(i) & 31);
  step(0);
  for (const letter of data) step(fiveBits.indexOf(letter));
  return c === 1n ? 'fits' : 'checksum';
}

/** The hash of 20 bytes in a cashaddr without its prefix; undefined if it is not one. `kind` is 0 for a key, 1 for a script. */
export function cashaddrHash(text: string, prefix: string): { kind: number; bytes: Uint8Array } | undefined {
  if (cashaddr(text, prefix, false, [21]) !== 'fits') return undefined;
  const words = [...text.toLowerCase().slice(0, -8)].map((letter) => fiveBits.indexOf(letter));
  const [version = 0, ...hash] = bech32Coder.fromWordsUnsafe(words) ?? [];
  return hash.length === 20 && (version & 7) === 0 ? { kind: version >> 3, bytes: Uint8Array.from(hash) } : undefined;
}

/** Crockford's base32 as used by Stacks: one number of 24 bytes. */
export function crockfordNumber(text: string): Uint8Array | undefined {
  const bytes = text.length > 40 ? undefined : decoded(base32crockford, text.padStart(40, '0'));
  return bytes?.[0] === 0 ? bytes.subarray(1) : undefined;
}

/** The checksum of SS58 (Polkadot, Kusama) over the prefix and the account. */
export const ss58Sum = (body: Uint8Array): Uint8Array =>
  blake2b(Buffer.concat([Buffer.from('SS58PRE'), body])).subarray(0, 2);

/** That of Filecoin over the protocol and the payload. */
export const filecoinSum = (body: Uint8Array): Uint8Array => blake2b(body, { dkLen: 4 });

/** That of Monero over the version and the keys. */
export const moneroSum = (body: Uint8Array): Uint8Array => keccak_256(body).subarray(0, 4);

/** Whether 36 bytes begin with a mark of TON's main network. */
export const isMarkedTon = (bytes: Buffer): boolean => bytes[0] === 0x11 || bytes[0] === 0x51;

/** Whether the CRC of TON's 36 bytes is right. */
export const isSoundTon = (bytes: Buffer): boolean => crc16(bytes.subarray(0, 34)) === bytes.readUInt16BE(34);

/** CRC-16/XMODEM. */
export function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const b of bytes) {
    crc ^= b << 8;
    for (let i = 0; i < 8; i++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}
