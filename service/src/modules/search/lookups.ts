// The values records are found by, and the rows for finding them: each value is normalised as in a search, and stored
// only as a keyed hash.
import ipaddr from 'ipaddr.js';
import type { PspId } from '../../core/ids.ts';
import { mailboxOf } from '../../core/players/mailbox.ts';
import { chainHashForms, chainHashText } from '../../core/wallets/chain-hash.ts';
import { readNumber } from '../../platform/completed-numbers.ts';
import { walletAddress } from '../../platform/wallet-address.ts';
import { row } from '../kernel/journal.ts';
import type { SubjectKeys } from '../kernel/subjects.ts';

/** The kinds of values a record may be found by. */
export const lookupKinds = {
  customer: "the customer's e-mail",
  msisdn: 'the telephone number of a customer, or of either side of a call',
  wallet: 'the address a crypto withdrawal went to, or a crypto deposit came from',
  chainHash: 'the hash of the transfer on its chain',
  ip: 'the address a wager was placed from',
} as const;
export type LookupKind = keyof typeof lookupKinds;

/** Records that this table's rows refer to. */
const namedKinds = ['transaction', 'wager', 'payout'] as const;
export type NamedKind = (typeof namedKinds)[number];
/** Records that can be found. Call detail records are found by their own columns. */
export const foundKinds = [...namedKinds, 'cdr'] as const;
export type FoundKind = (typeof foundKinds)[number];

/** SQL: a lookup by what a player is known by: e-mail address, mailbox or telephone number. @param l alias of the lookup */
export const ofPlayer = (l: string): string => `${l}.kind IN ('customer', 'msisdn', 'mailbox')`;

/** The values in a submission that its record is found by. */
export type FoundBy = { readonly [K in LookupKind]?: string | undefined };

/**
 * The normal form of a value, to be hashed. Case is ignored, since it never matters in these kinds.
 * @param country ISO 3166-1 alpha-2, for a telephone number without its country code
 * @returns undefined if it is not a valid value of its kind
 */
export function plainForm(kind: LookupKind, value: string, country?: string): string | undefined {
  switch (kind) {
    case 'msisdn':
      return readNumber(value, country)?.text;
    case 'ip':
      return ipaddr.isValid(value) ? ipaddr.process(value).toString() : undefined;
    case 'wallet':
      return walletAddress(value) || undefined;
    case 'chainHash':
      return chainHashText(value) || undefined;
    default:
      return value.trim() === '' ? undefined : value;
  }
}

/** What a value is hashed as, by the kind of the lookup. A mailbox has one of its own only where its address is another spelling. */
function formsOf(kind: LookupKind, plain: string): (readonly [kind: string, form: string])[] {
  if (kind === 'chainHash') return chainHashForms(plain).map((form) => [kind, form]);
  const mailbox = kind === 'customer' ? mailboxOf(plain) : plain;
  const isOther = mailbox !== plain.normalize('NFC').trim().toLowerCase();
  return kind === 'customer' && isOther
    ? [
        [kind, plain],
        ['mailbox', mailbox],
      ]
    : [[kind, plain]];
}

/** Lookup rows of a new record. */
export const lookupRows = (
  subjects: SubjectKeys,
  recordKind: NamedKind,
  r: { readonly psp: PspId; readonly id: string; readonly account: string; readonly country: string },
  by: FoundBy,
) =>
  (Object.keys(lookupKinds) as LookupKind[]).flatMap((kind) => {
    const value = by[kind];
    const plain = value === undefined ? undefined : plainForm(kind, value, r.country);
    if (plain === undefined) return [];
    return formsOf(kind, plain).map(([of, form]) =>
      row('lookups', {
        psp_id: r.psp,
        kind: of,
        hash: subjects.identify(r.psp, form).subject,
        record_id: r.id,
        record_kind: recordKind,
        account_id: r.account,
      }),
    );
  });
