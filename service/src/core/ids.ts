// Identifiers: UUIDv7 in the database, TypeIDs (`txn_01h…`) on the wire, in Crockford's base32 as the TypeID
// specification defines. Randomness and time come from platform/random.ts.

/** The nil UUID, for what belongs to no account. */
export const nobody = '00000000-0000-0000-0000-000000000000';

/** The prefixes in use, one per kind of id. */
export const idPrefixes = {
  client: 'cli',
  psp: 'psp',
  key: 'key',
  transaction: 'txn',
  basket: 'bsk',
  wager: 'wgr',
  payout: 'pyt',
  chargeback: 'chb',
  netting: 'net',
  dispute: 'dsp',
  cdr: 'cdr',
  cdrFile: 'cdf',
  declaration: 'dcl',
  webhook: 'whk',
  delivery: 'dlv',
  event: 'evt',
  hold: 'hld',
  walletHold: 'whd',
  sftpLogin: 'sfl',
  report: 'rpt',
  reportSchedule: 'rsc',
  erasure: 'ers',
  adjustment: 'adj',
  filing: 'fil',
  review: 'rev',
  restriction: 'rst',
  case: 'cas',
  caseItem: 'cit',
  proposal: 'prp',
  document: 'doc',
  licence: 'lic',
  exchangeLoad: 'fxl',
  listLoad: 'lsl',
  match: 'mtc',
  user: 'usr',
  session: 'ses',
  passkey: 'pky',
} as const;

export type IdKind = keyof typeof idPrefixes;

declare const brand: unique symbol;
/**
 * UUID text of one kind, as stored in the database and the journal. Untyped text may be given for any kind; an id of
 * another kind does not compile.
 */
export type Id<K extends IdKind = IdKind> = string & { readonly [brand]?: K };
export type PspId = Id<'psp'>;
/** Id of a client or a PSP, both of which are accounts. A PSP's id may be used as an account's, but not the reverse. */
export type AccountId = Id<'client' | 'psp'>;
export type TransactionId = Id<'transaction'>;

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const values = new Int8Array(128).fill(-1);
for (let i = 0; i < 32; i++) values[alphabet.charCodeAt(i)] = i;

/** Value of a hexadecimal digit by its character code. */
const nibbles = new Uint8Array(128);
for (let i = 0; i < 16; i++) nibbles[i.toString(16).charCodeAt(0)] = i;

/** Writes a UUID (lower case) as a TypeID: `txn_01h455vb4pex5vsknk084sn02q`. */
export function toWire<K extends IdKind>(kind: K, uuid: Id<NoInfer<K>>): string {
  // 128 bits in 26 letters of 5 bits leave two leading zero bits, so the first letter holds three bits.
  let out = `${idPrefixes[kind]}_`;
  let bits = 2;
  let carry = 0;
  for (let i = 0; i < 36; i++) {
    const c = uuid.charCodeAt(i);
    if (c === 45) continue;
    carry = (carry << 4) | (nibbles[c] as number);
    bits += 4;
    if (bits >= 5) {
      bits -= 5;
      out += alphabet[carry >> bits];
      carry &= (1 << bits) - 1;
    }
  }
  return out;
}

/** Reads a TypeID of the given kind; undefined if it is not one. */
export function fromWire<K extends IdKind>(kind: K, text: string): Id<K> | undefined {
  const prefix = `${idPrefixes[kind]}_`;
  if (text.length !== prefix.length + 26 || !text.startsWith(prefix)) return undefined;
  let hex = '';
  let carry = 0;
  let bits = 0;
  for (let i = 0; i < 26; i++) {
    const v = values[text.charCodeAt(prefix.length + i)] ?? -1;
    if (v < 0 || (i === 0 && v > 7)) return undefined;
    carry = (carry << 5) | v;
    bits += i === 0 ? 3 : 5;
    while (bits >= 4) {
      bits -= 4;
      hex += ((carry >> bits) & 15).toString(16);
      carry &= (1 << bits) - 1;
    }
  }
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const kindOfPrefix = new Map(Object.entries(idPrefixes).map(([kind, prefix]) => [prefix as string, kind as IdKind]));

/** Reads a TypeID of any kind; undefined if it is none. */
export function anyFromWire(text: string): { readonly kind: IdKind; readonly id: string } | undefined {
  const kind = kindOfPrefix.get(text.slice(0, 3));
  const id = kind && fromWire(kind, text);
  return kind && id ? { kind, id } : undefined;
}

/**
 * The lowest and highest UUID whose TypeIDs begin with a prefix: `txn_01h4` can be searched by key.
 * @returns undefined if no TypeID of the kind begins so
 */
export function idsBeginning(kind: IdKind, text: string): { readonly from: string; readonly to: string } | undefined {
  const prefix = `${idPrefixes[kind]}_`;
  if (!text.startsWith(prefix)) return undefined;
  const letters = text.slice(prefix.length);
  const from = fromWire(kind, prefix + letters.padEnd(26, '0'));
  // The first letter holds three bits.
  const to = fromWire(kind, prefix + (letters || '7').padEnd(26, 'z'));
  return from !== undefined && to !== undefined ? { from, to } : undefined;
}

/** Milliseconds since the epoch at which a time-ordered UUID was created. */
export const timeOfId = (uuid: string): number => Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);

/** Accounts repeat from call to call, so that what is shown is cached. */
const shownAccounts = new Map<string, string>();

/** An account's id in wire form: a PSP is the account whose id equals its tenant's. */
export function accountWire(psp: PspId, account: AccountId): string {
  let shown = shownAccounts.get(account);
  if (shown === undefined) {
    shown = toWire(account === psp ? 'psp' : 'client', account);
    // The table is cleared before it grows large.
    if (shownAccounts.size >= 10_000) shownAccounts.clear();
    shownAccounts.set(account, shown);
  }
  return shown;
}

/** A client's id is written `cli_…`, a PSP's `psp_…`; both are accounts. */
export function accountFromWire(text: string): AccountId | undefined {
  return fromWire('client', text) ?? fromWire('psp', text);
}
