// What to note when an approved transaction is undone: tax that was due is no longer due. Anyone who may revise or
// decline may do it; a person reviews it afterwards.
import { phrase, stored } from '../said.ts';
import { differenceOf, isNegative, sumOf } from '../sums.ts';
import type { Observation, TransactionRecord } from '../transaction.ts';

type Undone = Pick<
  TransactionRecord,
  'status' | 'vatAmount' | 'transactionVat' | 'currency' | 'country' | 'evidence' | 'createdAt' | 'updatedAt'
>;

const lateDays = 3;
const taxOf = (t: Undone): string => sumOf([t.vatAmount, t.transactionVat]);

/**
 * @param asked whether the decline was requested; otherwise it is a revision
 * @param date local calendar date of the change
 */
export function observeUndoing(before: Undone, after: Undone, asked: boolean, date: string): Observation[] {
  if (before.status !== 'APPROVED') return [];
  if (asked) return lateDecline(before, after, date);
  const was = `${taxOf(before)} ${before.currency}`;
  const is = after.status === 'APPROVED' ? `${taxOf(after)} ${after.currency}` : phrase('nothing, for it is declined');
  const elsewhere = before.currency !== after.currency || before.country !== after.country;
  const lower = after.status !== 'APPROVED' || elsewhere || isNegative(differenceOf(taxOf(after), taxOf(before)));
  return lower
    ? [
        {
          code: 'TAX_LOWERED',
          field: 'vatAmount',
          message: stored`the tax was ${was} before this revision; it is ${is}`,
        },
      ]
    : [];
}

function lateDecline(before: Undone, after: Undone, date: string): Observation[] {
  const days = Math.floor((Date.parse(after.updatedAt) - Date.parse(before.createdAt)) / 86_400_000);
  const laterMonth = date.slice(0, 7) > before.evidence.date.slice(0, 7);
  if (days < lateDays && !laterMonth) return [];
  const message = laterMonth
    ? stored`an approved transaction was declined in a later month than ${before.evidence.date}, the day of its tax`
    : stored`an approved transaction was declined ${days} days later`;
  return [{ code: 'LATE_DECLINE', field: 'status', message }];
}
