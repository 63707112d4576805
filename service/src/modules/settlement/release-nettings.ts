// Releases nettings against a transaction that no longer settles them, or for a reversed chargeback: an entry, and a
// row that takes the amounts back, in the commit of the change. Nettings themselves never change.
import { localDate } from '../../core/calendar.ts';
import { nettingsToRelease, type SplitAmounts, settledThroughPsp, splitParts } from '../../core/settlement.ts';
import { negated, plain, sumOf } from '../../core/sums.ts';
import type { TransactionRecord } from '../../core/transaction.ts';
import { need, type Row } from '../../platform/committer.ts';
import { journalRow } from '../kernel/journal.ts';
import type { Call, Needs } from '../kernel/operation.ts';
import { type Netting, nettingResource, nettingRow } from './netting-store.ts';
import { nettingsAgainst } from './nettings-against.ts';

/** Facts required to change a transaction. */
export const standingNettings = (t: TransactionRecord) => need(nettingsAgainst, { psp: t.psp, id: t.id });

/**
 * @param standing result of `standingNettings`
 * @returns rows to write with the change
 */
export function releaseNettings(
  s: Needs<'ids' | 'rates'>,
  call: Call,
  before: TransactionRecord,
  after: TransactionRecord,
  standing: readonly Netting[] | undefined,
): Row[] {
  if (!standing || standing.length === 0) return [];
  const same =
    before.status === 'APPROVED' &&
    after.status === 'APPROVED' &&
    before.currency === after.currency &&
    before.country === after.country;
  return released(s, call, after, nettingsToRelease(standing, same ? settledBy(after) : undefined));
}

/** Rows that release nettings. @param by the transaction whose change ends them */
export function released(
  s: Needs<'ids' | 'rates'>,
  call: Call,
  by: TransactionRecord,
  nettings: readonly Netting[],
): Row[] {
  const { principal } = call;
  return nettings.flatMap((n) => {
    const taken: Netting = {
      ...n,
      id: s.ids.next(),
      day: localDate(s.rates.book.country(n.country)?.timeZone ?? 'UTC', call.now),
      amounts: Object.fromEntries(splitParts.map((p) => [p, negated(n.amounts[p])])) as SplitAmounts,
      createdAt: by.updatedAt,
    };
    return [
      nettingRow(taken),
      journalRow(s, principal, by.updatedAt, {
        kind: 'chargeback.netting_released',
        psp: n.psp,
        account: n.account,
        resourceId: n.id,
        version: 2,
        data: { ...nettingResource(n), releasedAt: by.updatedAt },
        evidence: { transactionRevision: by.revision, localDate: taken.day },
      }),
    ];
  });
}

const settledBy = (t: TransactionRecord): SplitAmounts =>
  settledThroughPsp(
    {
      vatAmount: plain(t.vatAmount),
      processingFee: plain(t.processingFee),
      merchantAmount: plain(t.remainder),
      transactionFee: plain(t.transactionFee),
      transactionVAT: plain(t.transactionVat),
    },
    sumOf(Object.values(t.evidence.notHeld ?? {})),
  );
