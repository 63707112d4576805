// The journal entry of a key's change: a Client Change with the full client (Spec 6.2), plus the key.
import { toWire } from '../../core/ids.ts';
import { shownScopes } from '../../core/scopes.ts';
import { journalRow } from '../kernel/journal.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { accountResource } from './account-resource.ts';
import type { Account } from './accounts.ts';

export interface KeyChange {
  readonly kind: 'key.issued' | 'key.updated' | 'key.revoked';
  readonly id: string;
  /** Number of this entry among the key's. */
  readonly version: number;
  readonly name: string | null;
  readonly expiresAt: string | null;
  /** As stored. */
  readonly scopes: string | null;
  readonly reason?: string;
}

/** @param of the key's account as of the commit, and its PSP's */
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
      key: {
        keyId: toWire('key', change.id),
        name: change.name,
        expiresAt: change.expiresAt,
        scopes: shownScopes(change.scopes),
      },
    },
    ...(change.reason === undefined ? {} : { evidence: { reason: change.reason } }),
  });
