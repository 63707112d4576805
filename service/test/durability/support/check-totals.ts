// Check C4 for reports: daily totals equal the sums of the journal and those of the records, and the VAT return of a
// month equals the taxes of its records. Runs after the totals' reader has read the whole journal.
import { dayOfCountry, verifyTotals } from '../../../src/modules/totals/index.ts';
import { loadFeeRules, loadRuleBook } from '../../../src/platform/data-files.ts';
import type { Database } from '../../../src/platform/database.ts';
import { until } from './conditions.ts';
import type { Violation } from './finding.ts';
import type { Client, Party } from './history.ts';

// All sales of these scenarios are in Nigeria.
const sides = `
  SELECT psp_id, account_id, currency, kind, status AS verdict, evidence::jsonb AS e, (evidence::jsonb->>'date')::date AS day,
    amount, vat_amount, processing_fee, transaction_fee, transaction_vat, remainder
  FROM transactions
  UNION ALL
  SELECT psp_id, account_id, currency, kind, 'CHARGED_BACK', evidence::jsonb,
    ((chargeback::jsonb->>'at')::timestamptz AT TIME ZONE 'Africa/Lagos')::date,
    amount, vat_amount, processing_fee, transaction_fee, transaction_vat, remainder
  FROM transactions WHERE chargeback IS NOT NULL`;

const byRecords = `SELECT psp_id, day::text, account_id::text, currency, kind, verdict, count(*)::int AS n,
    trim_scale(sum(amount)) AS gross, trim_scale(sum(vat_amount)) AS vat, trim_scale(sum(processing_fee)) AS pf,
    trim_scale(sum(transaction_fee)) AS tf, trim_scale(sum(transaction_vat)) AS tv, trim_scale(sum(remainder)) AS net
  FROM (${sides}) s GROUP BY 1, 2, 3, 4, 5, 6`;
const byTotals = `SELECT psp_id, day::text, account_id::text, currency, kind, verdict, sum(count)::int AS n,
    trim_scale(sum(gross)) AS gross, trim_scale(sum(vat)) AS vat, trim_scale(sum(processing_fee)) AS pf,
    trim_scale(sum(transaction_fee)) AS tf, trim_scale(sum(transaction_vat)) AS tv, trim_scale(sum(net)) AS net
  FROM totals_by_fee GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(count) > 0`;

/** Compares the totals with the journal, using the service's code, and with the records, using SQL. */
export async function checkTotals(db: Database): Promise<Violation[]> {
  const out: Violation[] = [];
  const say = (what: string) => out.push({ check: 'C4', what });
  const dayOf = dayOfCountry({ rates: { book: loadRuleBook(), fees: loadFeeRules() } as never });
  const alone = { query: db.query.bind(db), transaction: <T>(work: (tx: Database) => Promise<T>) => work(quiet(db)) };
  for (const { psp_id: psp } of await db.query('SELECT psp_id FROM journal_heads'))
    try {
      for (const d of (await verifyTotals(alone as never, psp as string, dayOf)).differences)
        say(`totals: ${d.cell}: kept ${d.kept ?? 'nothing'}, by the journal ${d.recounted ?? 'nothing'}`);
    } catch (e) {
      say(`totals: the journal cannot be recounted: ${(e as Error).message}`);
    }
  const lines = async (sql: string) => new Set((await db.query(sql)).map((r) => JSON.stringify(r)));
  const [records, totals] = [await lines(byRecords), await lines(byTotals)];
  for (const r of records.difference(totals)) say(`totals: the records say ${r}`);
  for (const t of totals.difference(records)) say(`totals: they say ${t}, the records do not`);
  return out;
}

/** A database whose transactions all use the caller's snapshot, without setting the isolation level again. */
const quiet = (db: Database): Database => ({
  query: async (text, values) => (text.startsWith('SET TRANSACTION') ? [] : db.query(text, values)),
});

/** Compares the VAT return of every month, as a PSP gets it over HTTP, with the taxes of the records. */
export async function checkVatReturns(db: Database, client: Client, address: string, psp: Party): Promise<Violation[]> {
  const out: Violation[] = [];
  const key = { 'x-api-key': psp.apiKey };
  const ask = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
    const r = await client.call(address, method, path, key, body === undefined ? undefined : JSON.stringify(body));
    if (r.status !== 200) throw new Error(`${path} answered ${r.status}: ${r.text}`);
    return JSON.parse(r.text);
  };
  const expected = await db.query(
    `SELECT to_char(day, 'YYYY-MM') AS period, currency,
       coalesce(trim_scale(sum((l->>'tax')::numeric) FILTER (WHERE verdict = 'APPROVED')), 0)::text AS charged,
       coalesce(trim_scale(sum((l->>'tax')::numeric) FILTER (WHERE verdict = 'CHARGED_BACK')), 0)::text AS returned
     FROM (${sides}) s, jsonb_array_elements(e->'tax') l
     WHERE psp_id = $1 AND verdict IN ('APPROVED', 'CHARGED_BACK') GROUP BY 1, 2`,
    [psp.psp],
  );
  for (const period of new Set(expected.map((e) => e.period as string))) {
    const { reportId } = (await ask('POST', '/v1/report', { kind: 'vatReturn', period, countryCode: 'NG' })).content;
    await until('the VAT return is made', async () => {
      const { state, reason } = (await ask('GET', `/v1/report/${reportId}`)).content;
      if (state === 'FAILED') throw new Error(`the VAT return failed: ${reason}`);
      return state === 'DONE';
    });
    const { sections } = await ask('GET', `/v1/report/${reportId}/json`);
    const due = sections.find((s: { name: string }) => s.name === 'due');
    const told = due.rows.map((r: { cells?: string[] }) => {
      const cells = r.cells ?? (r as unknown as Record<string, string>);
      const of = (name: string) =>
        Array.isArray(cells) ? cells[due.columns.findIndex((c: { name: string }) => c.name === name)] : cells[name];
      return `${of('currency')} ${of('tax')} ${of('taxReturned')}`;
    });
    const wanted = expected.filter((e) => e.period === period).map((e) => `${e.currency} ${e.charged} ${e.returned}`);
    if (told.sort().join() !== wanted.sort().join())
      out.push({ check: 'C4', what: `the VAT return of ${period} says ${told}; the records say ${wanted}` });
  }
  return out;
}
