// The journal entry of a key's change: a Client Change with the client in full (Spec 6.2), and the key beside it.
import { toWire } from '../../core/ids.ts';
import { journalRow } from '../kernel/journal.ts';
import type { Needs } from '../kernel/needs.ts';
import type { Principal } from '../kernel/principal.ts';
import { accountResource } from './account-resource.ts';
import type { Account } from './accounts.ts';

export interface KeyChange {
  readonly kind: 'key.issued' | 'key.updated' | 'key.revoked';
  readonly id: string;
  /** Counts the key's entries. */
  readonly version: number;
  readonly name: string | null;
  readonly expiresAt: string | null;
  readonly reason?: string;
}

/** @param of the key's account, as it is after the commit, and its PSP's */
export const keyEntry = (
  s: Needs<'settings' | 'ids'>,
  principal: Principal,
  at: string,
  of: { readonly account: Account; readonly psp: Account },
  change: KeyChange,
) =>
  journalRow(s, principal, at, {
    kind: change.kind,
    psp: of.account.psp,
    account: of.account.id,
    resourceId: change.id,
    version: change.version,
    data: {
      ...accountResource(s, of.account, of.psp, at),
      key: { keyId: toWire('key', change.id), name: change.name, expiresAt: change.expiresAt },
    },
    ...(change.reason === undefined ? {} : { evidence: { reason: change.reason } }),
  });
