// Screens names and wallets against the lists in memory, into what is recorded about them.
import type { AccountId, PspId, TransactionId } from '../../core/ids.ts';
import type { AskedName } from '../../core/screening/name-index.ts';
import type { Needs } from '../kernel/needs.ts';
import type { SubjectKey } from '../kernel/subjects.ts';
import type { OpenedOwners } from '../verification/index.ts';
import { keyText } from './key-text.ts';
import type { NameLookup } from './listed-names.ts';
import type { Lists } from './lists.ts';
import type { FoundMatch, Screened } from './record-matches.ts';

/** An allow list says whom rules need not look at: it makes no match, and hides none. */
const watched = (of: { readonly purpose: string }): boolean => of.purpose !== 'ALLOW';

function namesFound(lists: NameLookup, psp: PspId, asked: AskedName): FoundMatch[] {
  return lists.searchNow(psp, asked, watched).map((m) => ({
    ...{ list: m.list, shared: m.shared, ref: m.entry.ref, revision: m.revision, purpose: m.purpose, score: m.score },
    ...{ name: m.name, fields: m.fields },
  }));
}

export interface NamedClient {
  readonly psp: PspId;
  readonly account: AccountId;
  readonly name: string;
  readonly country: string | null;
}

/** The names of a client are screened whole: what does not match any more has ended. */
export const screenedClient = (lists: NameLookup, c: NamedClient): Screened => ({
  ...{ psp: c.psp, account: c.account, transaction: null, what: 'CLIENT', about: c.account, asked: c.name },
  found: namesFound(lists, c.psp, { name: c.name, countries: c.country === null ? [] : [c.country] }),
});

/**
 * The owners and directors of a client, each a person of its own: an exception for one holds for no other. Sealed under
 * the client's key, as they are with the client.
 */
export const screenedOwners = (s: Needs<'vault'>, lists: NameLookup, of: OpenedOwners): Screened[] =>
  of.owners.map(({ name, dateOfBirth: born, countryCode }) => ({
    ...{ psp: of.psp, account: of.account, transaction: null, what: 'OWNER', person: of.key, asked: name },
    about: s.vault.blind(`owner|${of.psp}|${of.account}|${name.normalize('NFC').trim().toLowerCase()}|${born}`),
    found: namesFound(lists, of.psp, { name, born, countries: countryCode === null ? [] : [countryCode] }),
  }));

export interface Payer {
  readonly psp: PspId;
  readonly account: AccountId;
  readonly transaction: TransactionId | null;
  /** The person's key, with which the personal data of the payment was opened. */
  readonly person: SubjectKey;
}

export const screenedCustomer = (lists: NameLookup, p: Payer, name: string): Screened => ({
  ...{ psp: p.psp, account: p.account, transaction: p.transaction, what: 'CUSTOMER', about: p.person.subject },
  ...{ person: p.person, asked: name, found: namesFound(lists, p.psp, { name, countries: [] }) },
});

/** What a match of a wallet is about. */
export const aboutWallet = (s: Needs<'vault'>, psp: PspId, address: string): string =>
  s.vault.blind(`wallet|${psp}|${keyText({ kind: 'wallet', value: address })}`);

export function screenedWallet(s: Needs<'vault'>, lists: Lists, p: Payer, address: string): Screened {
  const found = lists
    .entriesWith(p.psp, 'wallet', address)
    .filter(watched)
    .map(
      (f): FoundMatch => ({
        ...{ list: f.list, shared: f.shared, ref: f.entry.ref, revision: f.revision, purpose: f.purpose, score: 100 },
        ...{ name: f.entry.names[0]?.name ?? '' },
        fields: [{ field: 'key', asked: address, listed: address, score: 100 }],
      }),
    );
  return {
    ...{ psp: p.psp, account: p.account, transaction: p.transaction, what: 'WALLET', person: p.person, asked: address },
    ...{ about: aboutWallet(s, p.psp, address), found },
  };
}
