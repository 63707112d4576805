// By what records are found, and the rows that find them: each value is read the way it is looked for, and kept as a
// keyed hash only.
import ipaddr from 'ipaddr.js';
import type { PspId } from '../../core/ids.ts';
import { readNumber } from '../../platform/completed-numbers.ts';
import { row } from '../kernel/journal.ts';
import type { SubjectKeys } from '../kernel/subjects.ts';

/** What a record may be looked for by. */
export const lookupKinds = {
  customer: "the customer's e-mail",
  msisdn: 'the telephone number of a customer, or of either side of a call',
  wallet: 'the address a crypto withdrawal went to',
  chainHash: 'the hash of the transfer on its chain',
  ip: 'the address a wager was placed from',
} as const;
export type LookupKind = keyof typeof lookupKinds;

/** Records that rows of this table lead to. */
const namedKinds = ['transaction', 'wager', 'payout'] as const;
export type NamedKind = (typeof namedKinds)[number];
/** Records that are found. Call detail records are found by their own columns. */
export const foundKinds = [...namedKinds, 'cdr'] as const;
export type FoundKind = (typeof foundKinds)[number];

/** What a submission says that its record is found by. */
export type FoundBy = { readonly [K in LookupKind]?: string | undefined };

/**
 * The form of a value that is hashed. Capitals do not count, as nowhere here two meanings differ by them.
 * @param country ISO 3166-1 alpha-2, for a telephone number without its country code
 * @returns undefined when it is none of its kind
 */
export function plainForm(kind: LookupKind, value: string, country?: string): string | undefined {
  switch (kind) {
    case 'msisdn':
      return readNumber(value, country)?.text;
    case 'ip':
      return ipaddr.isValid(value) ? ipaddr.process(value).toString() : undefined;
    default:
      return value.trim() === '' ? undefined : value;
  }
}

/** Rows by which a new record is found. */
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
    return [
      row('lookups', {
        psp_id: r.psp,
        kind,
        hash: subjects.identify(r.psp, plain).subject,
        record_id: r.id,
        record_kind: recordKind,
        account_id: r.account,
      }),
    ];
  });
