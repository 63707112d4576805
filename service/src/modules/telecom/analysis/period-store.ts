// All SQL on the months of operators: those that are closed and those that have records.
import type { PspId } from '../../../core/ids.ts';
import type { Database } from '../../../platform/database.ts';

export interface ClosedPeriod {
  readonly psp: PspId;
  readonly account: string;
  readonly period: string;
  readonly country: string;
  /** Id of the journal entry that closed the month. */
  readonly entry: string;
  readonly closedAt: string;
}

/** Stores a closed month; does nothing if it is closed already. */
export async function insertPeriod(tx: Database, p: ClosedPeriod): Promise<void> {
  await tx.query(
    `INSERT INTO cdr_periods (psp_id, account_id, period, country, entry_id, closed_at)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
    [p.psp, p.account, p.period, p.country, p.entry, p.closedAt],
  );
}

/** Closed months (YYYY-MM) by account. */
export async function closedPeriods(db: Database, psp: PspId): Promise<Map<string, Set<string>>> {
  const rows = await db.query<{ account: string; period: string }>(
    'SELECT account_id AS account, period FROM cdr_periods WHERE psp_id = $1',
    [psp],
  );
  const closed = new Map<string, Set<string>>();
  for (const { account, period } of rows) closed.set(account, (closed.get(account) ?? new Set()).add(period));
  return closed;
}

export interface ListedPeriod {
  readonly account: string;
  readonly period: string;
  readonly country: string;
  /** CLOSING until the analysis has reached the journal entry that closes the month. */
  readonly state: 'OPEN' | 'CLOSING' | 'CLOSED';
  readonly closedAt: string | null;
  readonly records: number;
  /** Number of these records whose calls are of earlier months. */
  readonly late: number;
}

/** Months that have records or were closed, newest first. */
export const listPeriods = (
  db: Database,
  psp: PspId,
  account: string | undefined,
  limit: number,
): Promise<ListedPeriod[]> =>
  db.query<ListedPeriod>(
    `WITH counted AS (
       SELECT account_id, period, max(country) AS country, sum(records) AS records,
         coalesce(sum(records) FILTER (WHERE call_period <> period), 0) AS late
       FROM cdr_totals WHERE psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND rule_id = ''
       GROUP BY account_id, period
     ), asked AS (
       SELECT account_id, ref AS period FROM refs
       WHERE psp_id = $1 AND space = 'cdr_period' AND ($2::uuid IS NULL OR account_id = $2)
     ), months AS (SELECT account_id, period FROM counted UNION SELECT account_id, period FROM asked)
     SELECT m.account_id AS account, m.period, coalesce(n.country, p.country, a.country, 'ZZ') AS country,
       p.closed_at AS "closedAt",
       CASE WHEN p.period IS NOT NULL THEN 'CLOSED' WHEN k.period IS NOT NULL THEN 'CLOSING' ELSE 'OPEN' END AS state,
       coalesce(n.records, 0)::bigint AS records, coalesce(n.late, 0)::bigint AS late
     FROM months m LEFT JOIN counted n USING (account_id, period) LEFT JOIN asked k USING (account_id, period)
       LEFT JOIN cdr_periods p ON p.psp_id = $1 AND p.account_id = m.account_id AND p.period = m.period
       LEFT JOIN accounts a ON a.psp_id = $1 AND a.id = m.account_id
     ORDER BY m.period DESC, m.account_id LIMIT $3`,
    [psp, account, limit],
  );

/** The month after the given one, YYYY-MM. */
function nextPeriod(period: string): string {
  const [year, month] = period.split('-').map(Number) as [number, number];
  return month === 12 ? `${year + 1}-01` : `${period.slice(0, 5)}${String(month + 1).padStart(2, '0')}`;
}

/** The month in which a record of a call of `period` counts: the first one from `period` on that is not closed. */
export function openPeriod(period: string, closed: ReadonlySet<string> | undefined): string {
  let p = period;
  while (closed?.has(p)) p = nextPeriod(p);
  return p;
}
