// Changes the exclusions and limits of players: under a lock, in one commit that makes decisions on what was in force
// before fail, with one entry for each.
import type { AccountId, PspId } from '../../core/ids.ts';
import type { Restriction } from '../../core/players/restriction.ts';
import type { Row } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { about, journalRow } from '../kernel/journal.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { recordRaised } from '../kernel/raised-epoch.ts';
import { keyRows, restrictionResource, restrictionRow } from './player-store.ts';

export type RestrictNeeds = Needs<'ids' | 'db' | 'committer' | 'subjects'>;

/** Restrictions after a change; those of version 1 are new. */
export interface Restricted<T> {
  readonly changed: readonly Restriction[];
  readonly reply: T;
}

/**
 * @param at ISO UTC
 * @param decide reads what is in force under the lock
 */
export async function restrict<T>(
  s: RestrictNeeds,
  principal: Principal,
  of: { readonly psp: PspId; readonly at: string; readonly reason?: string | undefined },
  decide: (tx: Database) => Promise<Restricted<T>>,
): Promise<T> {
  const { psp, at, reason } = of;
  return recordRaised(s, psp, async (tx) => {
    const { changed, reply } = await decide(tx);
    return { writes: { rows: changed.flatMap((r) => rowsOf(s, principal, r, at, reason)) }, reply };
  });
}

const rowsOf = (
  s: Needs<'ids'>,
  principal: Principal,
  r: Restriction,
  at: string,
  reason: string | undefined,
): Row[] => [
  restrictionRow(r),
  ...(r.version === 1 ? keyRows(r) : []),
  journalRow(s, principal, at, {
    kind: r.version === 1 ? 'restriction.placed' : 'restriction.changed',
    ...about(r),
    data: restrictionResource(r, at),
    ...(reason === undefined ? {} : { evidence: { reason } }),
  }),
];

/** A new one. @param account the operator; the PSP for all of its operators */
export const newRestriction = (
  s: Needs<'ids'>,
  principal: Principal,
  of: { readonly psp: PspId; readonly account: AccountId; readonly at: string },
  r: Pick<Restriction, 'kind' | 'subjects' | 'source' | 'reference' | 'country' | 'fromAt' | 'untilAt'> &
    Partial<Pick<Restriction, 'period' | 'currency' | 'amount' | 'pendingAmount' | 'pendingFrom'>>,
): Restriction => ({
  period: null,
  currency: null,
  amount: null,
  pendingAmount: null,
  pendingFrom: null,
  ...r,
  psp: of.psp,
  id: s.ids.next(),
  account: of.account,
  setBy: principal.actor,
  version: 1,
  createdAt: of.at,
  updatedAt: of.at,
});

/** The same, changed. */
export const changedBy = (principal: Principal, r: Restriction, at: string): Restriction => ({
  ...r,
  setBy: principal.actor,
  version: r.version + 1,
  updatedAt: at,
});
