// Daily totals by the outcome of transactions, wagers and payouts, of one PSP or many, for an overview.
import type { PspId } from '../../core/ids.ts';
import { type Database, only } from '../../platform/database.ts';
import { countSetAside } from '../../platform/entries-set-aside.ts';
import { totalsReader } from './count-entries.ts';
import { type Amounts, sumsOf } from './totals-reads.ts';
import { figureColumns } from './totals-store.ts';

/** What a line counts: transactions with a verdict, or wagers and payouts, which have none. */
export type Fate = 'APPROVED' | 'DECLINED' | 'PENDING' | 'CHARGED_BACK' | 'REVERSED' | 'captureWager' | 'capturePayout';

export interface VerdictSum extends Amounts {
  /** Set only in lines by day. */
  readonly day: string | null;
  /** Set only in lines by country. */
  readonly country: string | null;
  readonly currency: string;
  readonly fate: Fate;
  readonly count: number;
}

/** Sums from a day on, once by day and once by country. @param account limits them to this account */
export const verdictSums = (
  db: Database,
  psps: readonly PspId[],
  account: string | undefined,
  from: string,
): Promise<VerdictSum[]> =>
  db.query(
    `SELECT day::text AS day, country, currency, fate, sum(count)::bigint AS count,
       ${sumsOf('amounts').join(', ')}
     FROM (
       SELECT day, country, currency, CASE WHEN verdict = 'RECORDED' THEN kind ELSE verdict END AS fate,
         ${['count', ...figureColumns.amounts].map((c) => `sum(${c}) AS ${c}`).join(', ')}
       FROM totals_by_fee
       WHERE psp_id = ANY ($1::uuid[]) AND day >= $2 AND ($3::uuid IS NULL OR account_id = $3) GROUP BY 1, 2, 3, 4
     ) t
     GROUP BY GROUPING SETS ((day, currency, fate), (country, currency, fate)) HAVING sum(count) > 0
     ORDER BY day, country, currency, fate`,
    [psps, from, account],
  );

/** Journal entries of these PSPs that the totals reader has not reached or has set aside; cheap for any number. */
export async function totalsBehind(db: Database, psps: readonly PspId[]): Promise<number> {
  const sums = await db.query<{ behind: number }>(
    `SELECT coalesce(sum(h.seq - coalesce(c.seq, 0)), 0)::bigint AS behind FROM journal_heads h
     LEFT JOIN journal_cursors c ON c.psp_id = h.psp_id AND c.reader = $2 WHERE h.psp_id = ANY ($1::uuid[])`,
    [psps, totalsReader],
  );
  return only(sums).behind + (await countSetAside(db, totalsReader, psps));
}
