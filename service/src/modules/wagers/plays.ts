// Wagers and payouts of a range of days with their taxes by other rules than those they were recorded with.
import type { PspId } from '../../core/ids.ts';
import type { GamingAmounts } from '../../core/tax/accruals.ts';
import type { Database } from '../../platform/database.ts';
import type { RowOf } from '../../records/define.ts';
import type { payouts } from '../../records/payouts.ts';
import type { wagers } from '../../records/wagers.ts';
import type { DayRange } from '../kernel/day-filter.ts';
import type { Needs } from '../kernel/needs.ts';
import { gamingEvidence, payoutAmounts, playerAbroad } from './gaming.ts';
import { type PayoutRecord, payoutTable, type WagerRecord, wagerFromRow, wagerTable } from './wager-store.ts';

export type PlayKind = 'captureWager' | 'capturePayout';

export interface Play {
  readonly operation: PlayKind;
  readonly record: WagerRecord | PayoutRecord;
  /** The client's, as it is now. */
  readonly classification: string;
  readonly productLine: string;
  readonly amounts: GamingAmounts;
}

interface PlaysOf {
  readonly psp: PspId;
  readonly country: string;
  readonly days: DayRange;
}

const sql = (columns: string, from: string) =>
  `SELECT ${columns}, a.classification FROM ${from} JOIN accounts a ON a.psp_id = t.psp_id AND a.id = t.account_id
   WHERE t.psp_id = $1 AND t.country = $2 AND t.decided_on BETWEEN $3::date AND $4::date
     AND t.id >= uuid_floor($5) AND t.id < uuid_floor($6) AND ($7::uuid IS NULL OR t.id > $7) ORDER BY t.id LIMIT $8`;
const wagersSql = sql(wagerTable.columns('t'), 'wagers t');
const payoutsSql = sql(
  `${payoutTable.columns('t')}, w.product_line, w.amount AS stake, (SELECT coalesce(sum(p.amount), 0)::text FROM payouts p
     WHERE p.psp_id = $1 AND p.wager_id = t.wager_id AND p.id < t.id) AS paid_before,
   (SELECT coalesce(sum(p.amount), 0)::text FROM payouts p WHERE p.psp_id = $1 AND p.wager_id = t.wager_id AND p.id < t.id
     AND p.evidence LIKE '%"stakeReturned":true%') AS returned_before`,
  'payouts t JOIN wagers w ON w.psp_id = t.psp_id AND w.id = t.wager_id',
);

interface OfClient {
  readonly classification: string | null;
}
type PayoutFound = RowOf<typeof payouts> &
  OfClient & {
    readonly product_line: string;
    readonly stake: string;
    readonly paid_before: string;
    readonly returned_before: string;
  };

/** Ordered by id. @param after id of the last one read */
export async function readPlays(
  db: Database,
  operation: PlayKind,
  of: PlaysOf,
  after: string | null,
  limit: number,
): Promise<Play[]> {
  const { days } = of;
  const values = [of.psp, of.country, days.from, days.to, days.made.from, days.made.to, after, limit];
  if (operation === 'captureWager')
    return (await db.query<RowOf<typeof wagers> & OfClient>(wagersSql, values)).map((r): Play => {
      const record = wagerFromRow(r);
      const classification = r.classification ?? '';
      return { operation, record, classification, productLine: record.productLine, amounts: { stake: record.amount } };
    });
  return (await db.query<PayoutFound>(payoutsSql, values)).map((r): Play => {
    const record = payoutTable.fromRow(r);
    return {
      operation,
      record,
      classification: r.classification ?? '',
      productLine: r.product_line,
      amounts: payoutAmounts({
        ...{ amount: record.amount, stake: r.stake, paid: r.paid_before, returned: r.returned_before },
        stakeReturned: record.evidence.stakeReturned === true,
      }),
    };
  });
}

/** What a play bears by the given rules, on the day it was recorded. */
export const taxesOfPlay = (s: Needs<'reference' | 'rates'>, p: Play) =>
  gamingEvidence(
    s,
    {
      country: p.record.country,
      taxed: !p.record.observations.some((o) => o.code === playerAbroad),
      also: undefined,
      subdivision: p.record.evidence.subdivision,
      currency: p.record.currency,
      date: p.record.evidence.date,
    },
    p,
    p.operation,
    p.productLine,
    p.amounts,
  ).evidence;
