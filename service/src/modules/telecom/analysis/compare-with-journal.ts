// Compares what returns of operators rest on: the taxes of calls by month with the analyses they are the sums of, the
// analyses with their records, and the closed months with the entries that closed them. Changes nothing.
import { noCountry } from '../../../core/cdr/analyse.ts';
import { type PspId, toWire } from '../../../core/ids.ts';
import type { Database } from '../../../platform/database.ts';
import { archivedBefore } from '../../kernel/archived.ts';
import { analysedKinds } from './analyse-entries.ts';
import { analysisName } from './analysis.ts';
import { taxLines } from './analysis-store.ts';

interface CallFinding {
  readonly table: 'cdr_totals' | 'cdr_analyses' | 'cdr_periods';
  /** Of an analysis, its record; otherwise the account. */
  readonly id: string;
  readonly what: string;
}

/** Findings of a kind that are listed one by one. */
const most = 10;

const figures = ['records', 'answered', 'seconds', 'data_kb', 'cost', 'taxable', 'quantity', 'tax'] as const;
const lineKey = ['account_id', 'period', 'call_period', 'class', 'currency', 'rule_id', 'tax_currency', 'reason'];

/** Text that is no amount was not written by the service: it counts as none, and the line differs. */
const amount = (text: string) => `CASE WHEN ${text} ~ '^-?\\d+(\\.\\d+)?$' THEN (${text})::numeric ELSE 0 END`;

/**
 * One statement, so that totals and analyses are those of one commit. A record that was withdrawn is taken off in its month.
 * Months that may hold what is in the archive are those up to the first one after it, and those in which an archived
 * record's withdrawal counts.
 */
const totalsCompared = `
  WITH counted AS (
    SELECT *, 1 AS n, period AS counts_in FROM cdr_analyses WHERE psp_id = $1
    UNION ALL SELECT *, -1, withdrawn_in FROM cdr_analyses WHERE psp_id = $1 AND withdrawn_in IS NOT NULL
  ), line AS (
    SELECT account_id, counts_in AS period, call_period, class, currency, '' AS rule_id, '' AS tax_currency,
      coalesce(finding, '') AS reason, country, n, answered, duration_s, data_kb, cost,
      0::numeric AS taxable, 0::numeric AS quantity, tax, '' AS owed_by FROM counted
    UNION ALL
    SELECT account_id, counts_in, call_period, class, currency, t->>0, t->>2, coalesce(t->>5, ''), country, n, answered,
      duration_s, data_kb, cost, ${amount('t->>3')}, ${amount('t->>4')}, ${amount('t->>1')}, coalesce(t->>6, '')
    FROM counted CROSS JOIN LATERAL ${taxLines('taxes')} AS t
  ), made AS (
    SELECT ${lineKey.join(', ')}, array_agg(DISTINCT country) AS countries, array_agg(DISTINCT owed_by) AS owed, sum(n) AS records, sum(n * answered) AS answered,
      sum(n * duration_s) AS seconds, ${['data_kb', 'cost', 'taxable', 'quantity', 'tax'].map((f) => `sum(n * ${f}) AS ${f}`).join(', ')}
    FROM line GROUP BY ${lineKey.join(', ')}
  ), stored AS (SELECT * FROM cdr_totals WHERE psp_id = $1),
  -- Only these are read of the rules, whose texts are long.
  named AS MATERIALIZED (SELECT DISTINCT rule_id FROM cdr_totals WHERE psp_id = $1),
  -- By itself: on a cluster rules are on the coordinator only, and nothing that is spread is joined with them directly.
  rules AS MATERIALIZED (
    SELECT rule_id, journaled->>'taxCode' AS tax_code, journaled->>'base' AS base,
      CASE journaled->>'inTransaction' WHEN 'false' THEN 'CLIENT' ELSE '' END AS owed_by
    FROM (SELECT rule_id, CASE WHEN rule IS JSON OBJECT THEN rule::jsonb END AS journaled FROM tax_rules
      WHERE rule_id IN (SELECT rule_id FROM named)) r
    WHERE journaled->>'taxCode' IS NOT NULL AND journaled->>'base' IS NOT NULL)
  SELECT account_id AS account, period, class, currency, rule_id AS rule, trim_scale(s.tax)::text AS tax, trim_scale(m.tax)::text AS made,
    coalesce(s.records, 0) AS records, coalesce(m.records, 0)::bigint AS "madeRecords"
  FROM stored s FULL JOIN made m USING (${lineKey.join(', ')})
  WHERE ($2::date IS NULL OR period > to_char($2::date, 'YYYY-MM') AND NOT EXISTS (
      SELECT FROM cdr_withdrawals w WHERE w.psp_id = $1 AND w.account_id = coalesce(s.account_id, m.account_id) AND w.created_at >= $2::date))
    AND NOT (${figures.map((f) => `coalesce(s.${f}, 0) = coalesce(m.${f}, 0)`).join(' AND ')}
      AND (s.country IS NULL OR m.countries IS NULL OR s.country = ANY (m.countries))
      AND (s.owed_by IS NULL OR m.owed IS NULL OR s.owed_by = ALL (m.owed))
      AND (s.rule_id IS NULL OR s.rule_id = '' AND s.tax_code = '' AND s.base = '' AND s.owed_by = ''
        OR (s.rule_id, s.tax_code, s.base, s.owed_by) IN (SELECT rule_id, tax_code, base, owed_by FROM rules)))
  ORDER BY 1, 2, 3, 4, 5 LIMIT ${most}`;

/**
 * Analyses that are not about a record as it is stored, in its account's country, which never changes, or whose tax is not that
 * of their lines without those due by return. Whether each record has one is asked where the analysis is at its end.
 */
const analysesCompared = `
  WITH at_end AS (
    SELECT NOT EXISTS (SELECT FROM journal j WHERE j.psp_id = $1 AND j.kind = ANY ($3) AND j.seq > coalesce(
        (SELECT c.seq FROM journal_cursors c WHERE c.psp_id = $1 AND c.reader = $2), 0))
      AND NOT EXISTS (SELECT FROM journal_set_aside a WHERE a.psp_id = $1 AND a.reader = $2) AS yes
  )
  SELECT coalesce(a.cdr_id, c.id) AS id, a.cdr_id IS NULL AS missing
  FROM (SELECT * FROM cdr_analyses WHERE psp_id = $1) a FULL JOIN (SELECT * FROM cdrs WHERE psp_id = $1) c ON c.id = a.cdr_id
    LEFT JOIN accounts o ON o.psp_id = $1 AND o.id = a.account_id
  WHERE a.cdr_id IS NULL AND (SELECT yes FROM at_end)
    OR a.cdr_id IS NOT NULL AND (c.id IS NULL OR (a.account_id, a.country, a.cost, a.currency, a.duration_s, a.data_kb)
      IS DISTINCT FROM (c.account_id, coalesce(o.country, '${noCountry}'), coalesce(c.cost, 0), coalesce(c.currency, 'XXX'), c.duration_s, coalesce(c.data_kb, 0))
      OR a.tax <> (SELECT coalesce(sum(${amount('t->>1')}), 0) FROM ${taxLines('a.taxes')} AS t WHERE t->>2 = a.currency AND t->>6 IS NULL))
  LIMIT ${most}`;

/** A month is closed by the first entry that says so, once the analysis has read it. */
const periodsCompared = `
  WITH journaled AS (
    SELECT DISTINCT ON (j.account_id, data->>'period') j.account_id, data->>'period' AS period, data->>'country' AS country,
      j.id AS entry_id, (body->>'timestamp')::timestamptz AS closed_at
    FROM (SELECT id, seq, account_id, body::jsonb AS body, body::jsonb->'data' AS data FROM journal
        WHERE psp_id = $1 AND kind = 'cdr.period_closed' AND body IS JSON OBJECT) j
    WHERE j.seq <= (SELECT c.seq FROM journal_cursors c WHERE c.psp_id = $1 AND c.reader = $2)
      AND NOT EXISTS (SELECT FROM journal_set_aside a WHERE a.psp_id = $1 AND a.reader = $2 AND a.seq = j.seq)
    ORDER BY j.account_id, data->>'period', j.seq
  )
  SELECT account_id AS account, period FROM (SELECT * FROM cdr_periods WHERE psp_id = $1) p FULL JOIN journaled t USING (account_id, period)
  WHERE (p.country, p.entry_id, p.closed_at) IS DISTINCT FROM (t.country, t.entry_id, t.closed_at) LIMIT ${most}`;

interface ComparedLine {
  readonly account: string;
  readonly period: string;
  readonly class: string;
  readonly currency: string;
  readonly rule: string;
  readonly tax: string | null;
  readonly made: string | null;
  readonly records: number;
  readonly madeRecords: number;
}

export async function compareCallTaxes(db: Database, psp: PspId): Promise<CallFinding[]> {
  const lines = await db.query<ComparedLine>(totalsCompared, [psp, (await archivedBefore(db)) ?? null]);
  const analyses = await db.query<{ id: string; missing: boolean }>(analysesCompared, [
    psp,
    analysisName,
    [...analysedKinds],
  ]);
  const periods = await db.query<{ account: string; period: string }>(periodsCompared, [psp, analysisName]);
  return [
    ...lines.map((l): CallFinding => {
      const of = `${l.class} in ${l.currency}${l.rule === '' ? '' : ` by ${l.rule}`}`;
      const what = `its calls of ${l.period}, ${of}, are not the sum of their analyses: ${l.records} with a tax of ${l.tax ?? '0'} are stored, the analyses make it ${l.madeRecords} with ${l.made ?? '0'}`;
      return { table: 'cdr_totals', id: l.account, what };
    }),
    ...analyses.map(({ id, missing }): CallFinding => {
      const what = missing
        ? 'its analysis is missing'
        : `its analysis is not one of the record ${toWire('cdr', id)} as it is stored`;
      return { table: 'cdr_analyses', id, what };
    }),
    ...periods.map(({ account, period }): CallFinding => {
      const what = `the journal does not say that its month ${period} was closed as it is stored`;
      return { table: 'cdr_periods', id: account, what };
    }),
  ];
}
