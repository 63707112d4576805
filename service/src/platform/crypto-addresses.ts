// The format of addresses and transaction hashes on each network of data/assets.json, and whether a text matches it.
// Pure; returns only how a text fits, never the text itself. A network missing here is not checked.
import { crc32 } from 'node:zlib';
import { sha256, sha512_256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base32nopad, base58, base58xmr, base58xrp } from '@scure/base';
import {
  base58check,
  bech32,
  cashaddr,
  crc16,
  crockfordNumber,
  decoded,
  equal,
  type Fit,
  filecoinSum,
  isMarkedTon,
  isSoundTon,
  MAX_LENGTH,
  moneroSum,
  segwit,
  ss58Sum,
  startsWith,
} from './crypto-encodings.ts';

type Check = (text: string) => Fit;

interface Network {
  readonly address: Check;
  readonly hash: (text: string) => boolean;
}

/** The best of several ways to read a text: valid, else valid except for a checksum. */
function best(text: string, checks: Iterable<Check>): Fit {
  let found: Fit = 'form';
  for (const check of checks) {
    const fit = check(text);
    if (fit === 'fits') return fit;
    if (fit === 'checksum') found = fit;
  }
  return found;
}
const anyOf =
  (...checks: Check[]): Check =>
  (text) =>
    best(text, checks);
const matches =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text) ? 'fits' : 'form';
const sound = (ok: boolean): Fit => (ok ? 'fits' : 'checksum');

const hex64 = (text: string) => /^(?:0x)?[0-9a-fA-F]{64}$/.test(text);
const base58Of = (length: number) => (text: string) => decoded(base58, text)?.length === length;

/** Public key and script hashes in base58check, by their one-byte versions. */
const hashes =
  (...versions: number[]): Check =>
  (text) =>
    base58check(
      text,
      21,
      versions.map((v) => [v]),
    );
const segwitOf =
  (hrp: string): Check =>
  (text) =>
    segwit(text, hrp);
const bech32Of =
  (hrp: string, lengths: readonly number[] | null, variant: 'bech32' | 'bech32m' = 'bech32'): Check =>
  (text) =>
    bech32(text, hrp, lengths, variant);

/** EIP-55: capitals are the checksum; text in one case has none. */
const evm: Check = (text) => {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return 'form';
  const digits = text.slice(2);
  const lower = digits.toLowerCase();
  if (digits === lower || digits === digits.toUpperCase()) return 'fits';
  const hash = keccak_256(Buffer.from(lower, 'latin1'));
  for (let i = 0; i < 40; i++) {
    const nibble = ((hash[i >> 1] as number) >> (i % 2 ? 0 : 4)) & 15;
    const digit = lower[i] as string;
    if (digits[i] !== (nibble > 7 ? digit.toUpperCase() : digit)) return 'checksum';
  }
  return 'fits';
};

const tron: Check = anyOf(hashes(0x41), matches(/^41[0-9a-fA-F]{40}$/));

const xrp: Check = anyOf(
  (text) => base58check(text, 21, [[0]], base58xrp),
  (text) => (text.startsWith('X') ? base58check(text, 31, [[0x05, 0x44]], base58xrp) : 'form'),
);

/** SS58 of a 32-byte account under one of the prefixes; its checksum is BLAKE2b over "SS58PRE" and the preceding bytes. */
const ss58 =
  (...prefixes: number[]): Check =>
  (text) => {
    const bytes = decoded(base58, text);
    if (bytes?.length !== 35 || !prefixes.includes(bytes[0] as number)) return 'form';
    return sound(equal(ss58Sum(bytes.subarray(0, 33)), bytes.subarray(33)));
  };

/** Stellar's strkey: account, muxed account or contract. */
const stellar: Check = (text) => {
  if (!/^(?:[GC][A-Z2-7]{55}|M[A-Z2-7]{68})$/.test(text)) return 'form';
  const bytes = decoded(base32nopad, text);
  if (!bytes) return 'checksum';
  const crc = crc16(bytes.subarray(0, -2));
  return sound(bytes.at(-2) === (crc & 0xff) && bytes.at(-1) === crc >> 8);
};

const algorand: Check = (text) => {
  if (!/^[A-Z2-7]{58}$/.test(text)) return 'form';
  const bytes = decoded(base32nopad, text);
  return sound(bytes !== undefined && equal(sha512_256(bytes.subarray(0, 32)).subarray(-4), bytes.subarray(32)));
};

/** Standard, integrated and sub-addresses of the main network. */
const monero: Check = (text) => {
  if (!/^[48][1-9A-HJ-NP-Za-km-z]{94}(?:[1-9A-HJ-NP-Za-km-z]{11})?$/.test(text)) return 'form';
  const bytes = decoded(base58xmr, text);
  if (!bytes) return 'checksum';
  if (![18, 19, 42].includes(bytes[0] as number)) return 'form';
  return sound(equal(moneroSum(bytes.subarray(0, -4)), bytes.subarray(-4)));
};

/** TON: 36 bytes in either base64 alphabet, not of the test network; or plain workchain and hash. */
const ton: Check = (text) => {
  if (/^(?:0|-1):[0-9a-fA-F]{64}$/.test(text)) return 'fits';
  if (!/^(?:[A-Za-z0-9_-]{48}|[A-Za-z0-9+/]{48})$/.test(text)) return 'form';
  const bytes = Buffer.from(text, 'base64');
  return isMarkedTon(bytes) ? sound(isSoundTon(bytes)) : 'form';
};

const tezos: Check = (text) =>
  /^(?:tz[1-4]|KT1)/.test(text)
    ? base58check(text, 23, [
        [6, 161, 159],
        [6, 161, 161],
        [6, 161, 164],
        [6, 161, 166],
        [2, 90, 121],
      ])
    : 'form';

/** Addresses of key (1), actor (2) and BLS key (3) end in four bytes of BLAKE2b; ids (0) have no checksum. */
const filecoin: Check = (text) => {
  if (/^f0\d{1,20}$/.test(text)) return 'fits';
  const found = /^f(?:([123])|410f)([a-z2-7]{39,84})$/.exec(text);
  if (!found) return 'form';
  const bytes = decoded(base32nopad, (found[2] as string).toUpperCase());
  const length = found[1] === '3' ? 48 : 20;
  if (!bytes) return 'checksum';
  if (bytes.length !== length + 4) return 'form';
  const before = found[1] ? [Number(found[1])] : [4, 10];
  const sum = filecoinSum(Uint8Array.from([...before, ...bytes.subarray(0, length)]));
  return sound(equal(sum, bytes.subarray(length)));
};

/** An account id, or a principal in groups of five; both begin with their CRC-32. */
const internetComputer: Check = (text) => {
  const account = /^[0-9a-fA-F]{64}$/.test(text);
  if (!account && !/^[a-z2-7]{5}(?:-[a-z2-7]{5}){0,11}-[a-z2-7]{1,5}$/.test(text)) return 'form';
  const bytes = account ? Buffer.from(text, 'hex') : decoded(base32nopad, text.replaceAll('-', '').toUpperCase());
  if (!bytes || bytes.length < 5) return account ? 'form' : 'checksum';
  return sound(crc32(bytes.subarray(4)) === Buffer.from(bytes).readUInt32BE(0));
};

/** c32check: the version digit, then twenty bytes and four of double SHA-256 over both. */
const stacks: Check = (text) => {
  if (!/^S[PM][0-9A-HJKMNP-TV-Z]{20,40}$/.test(text)) return 'form';
  const bytes = crockfordNumber(text.slice(2));
  if (!bytes) return 'form';
  const hash = sha256(sha256(Uint8Array.from([text[1] === 'P' ? 22 : 20, ...bytes.subarray(0, 20)])));
  return sound(equal(hash.subarray(0, 4), bytes.subarray(20)));
};

const zcash: Check = anyOf(
  (text) =>
    base58check(text, 22, [
      [0x1c, 0xb8],
      [0x1c, 0xbd],
    ]),
  bech32Of('zs', [43]),
  bech32Of('u', null, 'bech32m'),
  bech32Of('tex', [20], 'bech32m'),
);

/** Byron addresses contain their CRC-32 inside CBOR; only their form is checked. */
const cardano: Check = anyOf(bech32Of('addr', [29, 57]), (text) => {
  const bytes = /^(?:Ae2|Ddz)/.test(text) ? decoded(base58, text) : undefined;
  return bytes && startsWith(bytes, [0x82, 0xd8, 0x18]) ? 'fits' : 'form';
});

const solana: Check = (text) => (text.length >= 32 && text.length <= 44 && base58Of(32)(text) ? 'fits' : 'form');
const hex32: Check = matches(/^0x[0-9a-fA-F]{64}$/);
const cosmos = (hrp: string): Check => bech32Of(hrp, [20, 32]);

const coin = (address: Check): Network => ({ address, hash: hex64 });
const ethereum = coin(evm);

/** Formats of addresses and transaction hashes by network. */
export const networks: Readonly<Record<string, Network>> = {
  ...Object.fromEntries(
    'ARBITRUM AVALANCHE BASE BSC CELO ETHEREUM ETHEREUM_CLASSIC FANTOM OPTIMISM POLYGON VECHAIN'
      .split(' ')
      .map((n) => [n, ethereum]),
  ),
  ALGORAND: { address: algorand, hash: (t) => /^[A-Z2-7]{52}$/.test(t) },
  APTOS: { address: matches(/^0x[0-9a-fA-F]{1,64}$/), hash: (t) => hex64(t) || /^\d{1,15}$/.test(t) },
  BITCOIN: coin(anyOf(hashes(0x00, 0x05), segwitOf('bc'))),
  BITCOIN_CASH: coin(anyOf((t) => cashaddr(t, 'bitcoincash', false, [21, 33]), hashes(0x00, 0x05))),
  BITCOIN_SV: coin(hashes(0x00, 0x05)),
  CARDANO: coin(cardano),
  CELESTIA: coin(cosmos('celestia')),
  COSMOS: coin(cosmos('cosmos')),
  DASH: coin(hashes(0x4c, 0x10)),
  DIGIBYTE: coin(anyOf(hashes(0x1e, 0x3f, 0x05), segwitOf('dgb'))),
  DOGECOIN: coin(hashes(0x1e, 0x16)),
  ECASH: coin(anyOf((t) => cashaddr(t, 'ecash', false, [21, 33]), hashes(0x00, 0x05))),
  EOS: coin(matches(/^[a-z1-5][a-z1-5.]{0,11}[a-z1-5]?$/)),
  // A message's CID, or its hash on the Ethereum interface.
  FILECOIN: { address: anyOf(filecoin, evm), hash: (t) => /^bafy2bza[a-z2-7]{54}$/.test(t) || hex64(t) },
  // A transaction's id (payer and time), or its hash of 48 bytes.
  HEDERA: {
    address: anyOf(matches(/^0\.0\.\d{1,19}(?:-[a-z]{5})?$/), evm),
    hash: (t) =>
      /^0\.0\.\d{1,19}(?:@\d{1,12}\.\d{1,9}|-\d{1,12}-\d{1,9})$/.test(t) ||
      /^(?:0x)?[0-9a-fA-F]{96}$/.test(t) ||
      hex64(t),
  },
  INJECTIVE: coin(anyOf(bech32Of('inj', [20]), evm)),
  INTERNET_COMPUTER: { address: internetComputer, hash: (t) => hex64(t) || /^\d{1,12}$/.test(t) },
  KASPA: coin((t) => cashaddr(t, 'kaspa', true, [33, 34])),
  KUSAMA: { address: ss58(2, 42), hash: (t) => hex64(t) || /^\d{1,10}-\d{1,5}$/.test(t) },
  LITECOIN: coin(anyOf(hashes(0x30, 0x32, 0x05), segwitOf('ltc'), bech32Of('ltcmweb', null))),
  MONERO: coin(monero),
  MULTIVERSX: coin(bech32Of('erd', [32])),
  NEAR: {
    address: matches(/^(?=.{2,64}$)(?:0x[0-9a-f]{40}|[a-z\d]+(?:[-_.][a-z\d]+)*)$/),
    hash: base58Of(32),
  },
  NEO: coin(hashes(0x17, 0x35)),
  POLKADOT: { address: ss58(0, 42), hash: (t) => hex64(t) || /^\d{1,10}-\d{1,5}$/.test(t) },
  QTUM: coin(anyOf(hashes(0x3a, 0x32), segwitOf('qc'))),
  RAVENCOIN: coin(hashes(0x3c, 0x7a)),
  SEI: coin(anyOf(cosmos('sei'), evm)),
  SOLANA: { address: solana, hash: base58Of(64) },
  STACKS: coin(stacks),
  STELLAR: coin(stellar),
  SUI: { address: hex32, hash: base58Of(32) },
  TEZOS: { address: tezos, hash: (t) => t.startsWith('o') && base58check(t, 34, [[5, 116]]) === 'fits' },
  THORCHAIN: coin(cosmos('thor')),
  TON: { address: ton, hash: (t) => hex64(t) || /^[A-Za-z0-9_+/-]{43}=?$/.test(t) },
  TRON: coin(tron),
  XRPL: { address: xrp, hash: (t) => /^[0-9A-F]{64}$/.test(t) },
  ZCASH: coin(zcash),
};

/** Whether the forms of addresses and hashes are known on all of the networks. */
export const areFormsKnown = (on: readonly string[]): boolean => on.every((n) => Object.hasOwn(networks, n));

/** Whether a text is an address on one of the networks; undefined if one of them has no format here. */
export function addressFit(text: string, on: readonly string[]): Fit | undefined {
  const checks = checksOf(on);
  return checks && (text.length > MAX_LENGTH ? 'form' : best(text, checks.addresses));
}

/** Whether a text has the form of a transaction hash on one of the networks; undefined as above. */
export function hashFits(text: string, on: readonly string[]): boolean | undefined {
  return checksOf(on)?.hashes.some((fits) => text.length <= MAX_LENGTH && fits(text));
}

interface Checks {
  readonly addresses: readonly Check[];
  readonly hashes: readonly Network['hash'][];
}

/** By list identity: an asset's networks are the same list at every call. */
const checksByList = new WeakMap<readonly string[], Checks | 'unknown'>();

/** The networks' distinct checks: an asset on ten chains of one family is checked once. */
function checksOf(on: readonly string[]): Checks | undefined {
  let found = checksByList.get(on);
  if (!found) {
    const known = on.flatMap((n) => (Object.hasOwn(networks, n) ? [networks[n] as Network] : []));
    found =
      known.length === 0 || known.length < on.length
        ? 'unknown'
        : {
            addresses: [...new Set(known.map((n) => n.address))],
            hashes: [...new Set(known.map((n) => n.hash))],
          };
    checksByList.set(on, found);
  }
  return found === 'unknown' ? undefined : found;
}
