// Daily totals by what became of transactions, wagers and payouts, of one PSP or many: what an overview shows.
import type { Database } from '../../platform/database.ts';
import { totalsReader } from './count-entries.ts';

/** What a line counts: a verdict of transactions, or wagers and payouts, which have none. */
export type Fate = 'APPROVED' | 'DECLINED' | 'PENDING' | 'CHARGED_BACK' | 'captureWager' | 'capturePayout';

export interface VerdictSum {
  /** Set in the lines of days, and in them alone. */
  readonly day: string | null;
  /** Set in the lines of countries, and in them alone. */
  readonly country: string | null;
  readonly currency: string;
  readonly fate: Fate;
  readonly count: number;
  /** Decimal text. */
  readonly gross: string;
  readonly vat: string;
  readonly processingFee: string;
  readonly transactionFee: string;
  readonly transactionVat: string;
  readonly net: string;
}

/** Sums from a day on, once by day and once by country. @param account of it alone */
export async function verdictSums(
  db: Database,
  psps: readonly string[],
  account: string | undefined,
  from: string,
): Promise<VerdictSum[]> {
  const figures = ['gross', 'vat', 'processing_fee', 'transaction_fee', 'transaction_vat', 'net'];
  const rows = await db.query(
    `SELECT day::text AS day, country, currency, fate, sum(count)::bigint AS count,
       ${figures.map((c) => `trim_scale(sum(${c})) AS ${c}`).join(', ')}
     FROM (
       SELECT *, CASE WHEN verdict = 'RECORDED' THEN kind ELSE verdict END AS fate FROM daily_totals
       WHERE psp_id = ANY ($1::uuid[]) AND day >= $2 AND ($3::uuid IS NULL OR account_id = $3)
     ) t
     GROUP BY GROUPING SETS ((day, currency, fate), (country, currency, fate)) HAVING sum(count) > 0
     ORDER BY day, country, currency, fate`,
    [psps, from, account ?? null],
  );
  return rows.map((r) => ({
    day: r.day as string | null,
    country: r.country as string | null,
    currency: r.currency as string,
    fate: r.fate as Fate,
    count: r.count as number,
    gross: r.gross as string,
    vat: r.vat as string,
    processingFee: r.processing_fee as string,
    transactionFee: r.transaction_fee as string,
    transactionVat: r.transaction_vat as string,
    net: r.net as string,
  }));
}

/** Journal entries of these PSPs that the reader of totals has not come to; cheap, whatever their number. */
export async function totalsBehind(db: Database, psps: readonly string[]): Promise<number> {
  const [r] = await db.query(
    `SELECT coalesce(sum(h.seq - coalesce(c.seq, 0)), 0)::bigint AS behind FROM journal_heads h
     LEFT JOIN journal_cursors c ON c.psp_id = h.psp_id AND c.reader = $2 WHERE h.psp_id = ANY ($1::uuid[])`,
    [psps, totalsReader],
  );
  return r?.behind as number;
}
