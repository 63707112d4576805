// Reviews as a list or case shows them: with the client's name and the amount of the transaction.
import { wireNumber } from '../../core/money.ts';
import type { Review } from '../../core/risk/review.ts';
import type { Database } from '../../platform/database.ts';
import { clientNames } from '../accounts/index.ts';
import { Extended, Money, Nullable, Type } from '../kernel/operation.ts';
import { amountsOf } from '../transactions/index.ts';
import { ReviewResource, reviewResource } from './review-resource.ts';

export const ListedReview = Extended(ReviewResource, 'ListedReview', 'A review with what a list shows of its record.', {
  clientName: Nullable(Type.String(), 'Registered name of the client.'),
  amount: Nullable(Money(), 'Gross amount of its transaction; null without one, and in an archived month.'),
  currency: Nullable(Type.String(), 'Currency of the amount.'),
});

/** @returns the wire form of any of these reviews */
export async function listedReviews(db: Database, rows: readonly Review[]) {
  const nameOf = await clientNames(db, rows);
  const paid = rows.flatMap((r) => (r.transaction === null ? [] : [{ psp: r.psp, id: r.transaction }]));
  const amounts = await amountsOf(db, paid);
  return (r: Review) => {
    const of = r.transaction === null ? undefined : amounts.get(r.transaction);
    return {
      ...reviewResource(r),
      clientName: nameOf(r),
      amount: of ? wireNumber(of.amount) : null,
      currency: of?.currency ?? null,
    };
  };
}
