// The analysis of call detail records in tests: waits for it, reads all its rows, and computes its totals in SQL.

import { analysisProgress } from '../../src/modules/telecom/index.ts';
import type { Row } from '../../src/platform/database.ts';
import type { JournalReaderOptions } from '../../src/platform/journal-reader.ts';
import { until } from '../durability/support/conditions.ts';
import type { Account, TestApp, TestDatabase } from './app.ts';

/** Waits until every record of the PSP is analysed. */
export async function analysed(t: Pick<TestApp, 'database'>, psp: Account): Promise<void> {
  await until('every record is analysed', async () => (await analysisProgress(t.database.admin, psp.uuid)).complete);
}

/** All rows of analyses, totals and closed months. */
export const everything = async ({ admin }: TestDatabase): Promise<Row[][]> =>
  Promise.all([
    admin.query('SELECT * FROM cdr_analyses ORDER BY psp_id, cdr_id'),
    admin.query(`SELECT psp_id, account_id, period, call_period, class, currency, rule_id, tax_currency, reason, country,
        tax_code, base, owed_by, ${measures.map((m) => `trim_scale(${m}::numeric) AS ${m}`).join()}
      FROM cdr_totals ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9`),
    admin.query('SELECT * FROM cdr_periods ORDER BY psp_id, account_id, period'),
  ]);

const measures = ['records', 'answered', 'seconds', 'data_kb', 'cost', 'taxable', 'quantity', 'tax'];
const key = 'psp_id, account_id, period, call_period, class, currency, rule_id, tax_currency, reason';

/** Returns totals that differ from the sums over the rows of analyses; none if all are right. */
export const wrongTotals = ({ admin }: TestDatabase): Promise<Row[]> =>
  admin.query(`
    WITH counted AS (
      SELECT 1 AS sign, a.* FROM cdr_analyses a WHERE withdrawn_in IS DISTINCT FROM period
      UNION ALL SELECT -1, (jsonb_populate_record(a, jsonb_build_object('period', withdrawn_in))).*
        FROM cdr_analyses a WHERE withdrawn_in <> period
    ), own AS (
      SELECT sign, psp_id, account_id, period, call_period, class, currency, '' AS rule_id, '' AS tax_currency,
        coalesce(finding, '') AS reason, answered, duration_s, data_kb, cost, 0::numeric AS taxable, 0::numeric AS quantity, tax
      FROM counted
    ), taxes AS (
      SELECT sign, psp_id, account_id, period, call_period, class, currency, t->>0, t->>2, coalesce(t->>5, ''), answered,
        duration_s, data_kb, cost, coalesce((t->>3)::numeric, 0), coalesce((t->>4)::numeric, 0), (t->>1)::numeric
      FROM counted, jsonb_array_elements(taxes::jsonb) AS t
    ), sums AS (
      SELECT ${key}, sum(sign)::numeric AS records, sum(sign * answered)::numeric AS answered,
        sum(sign * duration_s)::numeric AS seconds, sum(sign * data_kb) AS data_kb, sum(sign * cost) AS cost,
        sum(sign * taxable) AS taxable, sum(sign * quantity) AS quantity, sum(sign * tax) AS tax
      FROM (SELECT * FROM own UNION ALL SELECT * FROM taxes) x GROUP BY ${key}
      HAVING sum(sign) <> 0 OR sum(sign * duration_s) <> 0 OR sum(sign * cost) <> 0 OR sum(sign * tax) <> 0
        OR sum(sign * quantity) <> 0 OR sum(sign * answered) <> 0
    ), kept AS (SELECT ${key}, ${measures.map((m) => `${m}::numeric AS ${m}`).join()} FROM cdr_totals)
    (SELECT 'kept' AS side, k.* FROM (SELECT * FROM kept EXCEPT SELECT * FROM sums) k)
    UNION ALL (SELECT 'summed', s.* FROM (SELECT * FROM sums EXCEPT SELECT * FROM kept) s)`);

/** A pool whose transactions fail when `fails` returns true: before a statement, or before the commit. */
export function failing(pool: JournalReaderOptions['pool'], fails: () => boolean): JournalReaderOptions['pool'] {
  const strike = () => {
    if (fails()) throw new Error('struck down');
  };
  const distributed = pool.distributed ?? false;
  return {
    distributed,
    query: (text, values) => pool.query(text, values),
    transaction: (work) =>
      pool.transaction(async (tx) => {
        const result = await work({
          distributed,
          async query(text, values) {
            strike();
            return tx.query(text, values);
          },
        });
        strike();
        return result;
      }),
  };
}
