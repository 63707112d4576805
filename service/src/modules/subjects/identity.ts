// Identifies a person from the caller's values, normalised as by the operations that record about persons. Uses no SQL,
// and never quotes a value.

import { readParty } from '../../core/cdr/fields.ts';
import { accountFromWire, type PspId } from '../../core/ids.ts';
import { refuse, said } from '../../core/refusal.ts';
import { canonical } from '../../core/request.ts';
import { readNumber } from '../../platform/completed-numbers.ts';
import type { Needs } from '../kernel/needs.ts';

/** The kinds of values that identify a person, and whose data each leads to. */
export const identityKinds = {
  email: 'the customer of deposits, withdrawals, wagers and payouts',
  phone: 'either side of call detail records',
  client: 'the contact of a registered client, by its id',
  address: 'the customers of withdrawals to this address, as it was given',
} as const;

export interface Identity {
  /** The persons' key ids that follow directly from the value: keyed hashes. */
  readonly subjects: readonly string[];
  /** Keyed hash of an address, to look them up by. */
  readonly address?: string;
  /** E.164, `+` and digits: rejected file lines may contain it. */
  readonly number?: string;
}

/** @param texts `email:ada@example.com` @throws FIELD_INVALID */
export const readIdentities = (s: Needs<'vault' | 'subjects'>, psp: PspId, texts: readonly string[]): Identity[] =>
  texts.map((text, i) => {
    const [kind, value] = [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1).trim()];
    const identity = value !== '' && isKind(kind) ? readers[kind](s, psp, value) : undefined;
    if (identity === undefined)
      throw refuse(
        'FIELD_INVALID',
        said`the field 'subjects[${i}]' must be one of email:, phone: (with + or 00 and the country code), client: (its id) and address:, with its value`,
      );
    return identity;
  });

type IdentityKind = keyof typeof identityKinds;
const isKind = (text: string): text is IdentityKind => Object.hasOwn(identityKinds, text);

const readers: Readonly<
  Record<IdentityKind, (s: Needs<'vault' | 'subjects'>, psp: PspId, value: string) => Identity | undefined>
> = {
  email: (s, psp, value) => ({ subjects: [s.subjects.identify(psp, value).subject] }),
  phone(s, psp, value) {
    // Sender names of messages may contain spaces; numbers are often written with them.
    const party = readParty(value) ?? readNumber(value);
    return (
      party && {
        subjects: [s.subjects.identify(psp, party.text).subject],
        ...(party.kind === 'E164' ? { number: party.text } : {}),
      }
    );
  },
  client(_, __, value) {
    const id = accountFromWire(value);
    return id === undefined ? undefined : { subjects: [`account:${id}`] };
  },
  address: (s, _, value) => ({ subjects: [], address: s.vault.blind(canonical(value)) }),
};
