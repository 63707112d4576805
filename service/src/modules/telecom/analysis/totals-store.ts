// All SQL on the totals of analyses.
import type { PspId } from '../../../core/ids.ts';
import type { TaxDebtor } from '../../../core/tax/rule.ts';
import { commitForm } from '../../../platform/batch-parameters.ts';
import { rowTypeOf } from '../../../platform/catalogue.ts';
import type { Database } from '../../../platform/database.ts';
import { columnsOf, encodeRows } from '../../../platform/row-encoder.ts';
import { cdrTotals } from '../../../records/cdr-totals.ts';
import type { RowOf } from '../../../records/define.ts';
import { tableOf } from '../../../records/table.ts';
import type { TotalLine } from './sums.ts';

const table = tableOf(cdrTotals, { rule_id: 'ruleId' });
const columns = columnsOf(cdrTotals.columns);
const names = Object.keys(cdrTotals.columns).join(', ');

export async function addTotals(tx: Database, lines: readonly TotalLine[]): Promise<void> {
  if (lines.length === 0) return;
  await tx.query(
    `INSERT INTO cdr_totals AS t (${names}) SELECT r.* FROM unnest($1::${commitForm.function.rowType('cdr_totals')}[]) r
     ON CONFLICT (${cdrTotals.key.join(', ')}) DO UPDATE SET
       records = t.records + excluded.records, answered = t.answered + excluded.answered,
       seconds = t.seconds + excluded.seconds, data_kb = t.data_kb + excluded.data_kb, cost = t.cost + excluded.cost,
       taxable = t.taxable + excluded.taxable, quantity = t.quantity + excluded.quantity, tax = t.tax + excluded.tax`,
    [encodeRows(columns, await rowTypeOf(tx, 'cdr_totals'), lines.map(table.toRow))],
  );
}

/** Removes the lines of which withdrawals left nothing. */
export async function removeEmptied(tx: Database, psp: PspId, accounts: readonly string[]): Promise<void> {
  await tx.query(
    `DELETE FROM cdr_totals WHERE psp_id = $1 AND account_id = ANY ($2::uuid[]) AND records = 0 AND answered = 0
       AND seconds = 0 AND data_kb = 0 AND cost = 0 AND taxable = 0 AND quantity = 0 AND tax = 0`,
    [psp, accounts],
  );
}

/**
 * The totals of a period, including late adjustments.
 * @param account undefined for all accounts of the PSP
 * @returns for each figure the line of its records (`ruleId` ''), then those of its taxes
 */
export const analysisTotals = (
  db: Database,
  psp: PspId,
  account: string | undefined,
  period: string,
): Promise<TotalLine[]> =>
  table.read(
    db,
    `WHERE psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND period = $3
     ORDER BY account_id, class, currency, call_period, rule_id, tax_currency, reason`,
    [psp, account, period],
  );

/** The fields that identify a figure. Figures are listed in descending order of these fields. */
export interface FigureKey {
  readonly period: string;
  readonly account: string;
  readonly class: string;
  readonly currency: string;
  readonly callPeriod: string;
}

export interface FigureFilter {
  readonly psp: PspId;
  readonly account?: string | undefined;
  readonly period?: string | undefined;
  readonly class?: string | undefined;
  readonly before?: FigureKey | undefined;
  /** Most figures; each is returned with all its lines. */
  readonly limit: number;
}

/** Lines by figure, newest month first; the lines of a figure are adjacent, its records before its taxes. */
export async function listTotals(db: Database, f: FigureFilter): Promise<TotalLine[]> {
  const rows = await db.query<RowOf<typeof cdrTotals>>(
    `WITH figures AS (
       SELECT DISTINCT period, account_id, class, currency, call_period FROM cdr_totals
       WHERE psp_id = $1 AND rule_id = '' AND ($2::uuid IS NULL OR account_id = $2)
         AND ($3::text IS NULL OR period = $3) AND ($4::text IS NULL OR class = $4)
         AND ($5::text IS NULL
           OR (period, account_id, class, currency, call_period) < ($5::text, $6::uuid, $7::text, $8::text, $9::text))
       ORDER BY period DESC, account_id DESC, class DESC, currency DESC, call_period DESC LIMIT $10
     )
     SELECT ${table.columns('t')} FROM figures f JOIN cdr_totals t
       ON t.psp_id = $1 AND t.account_id = f.account_id AND t.period = f.period AND t.class = f.class
         AND t.currency = f.currency AND t.call_period = f.call_period
     ORDER BY t.period DESC, t.account_id DESC, t.class DESC, t.currency DESC, t.call_period DESC,
       t.rule_id, t.tax_currency, t.reason`,
    [
      f.psp,
      f.account,
      f.period,
      f.class,
      f.before?.period,
      f.before?.account,
      f.before?.class,
      f.before?.currency,
      f.before?.callPeriod,
      f.limit,
    ],
  );
  return rows.map(table.fromRow);
}

/** What a tax is on the calls of an operator that count in a month. Decimal text. */
export interface OperatorTaxes {
  readonly psp: PspId;
  readonly account: string;
  readonly period: string;
  readonly code: string;
  readonly currency: string;
  /** Who owes it by a return of the period; '' where the calls bear it. */
  readonly owedBy: TaxDebtor | '';
  readonly records: number;
  readonly zero: number;
  readonly taxable: string;
  readonly tax: string;
}

/** Taxes of a country by operator, month, tax, currency and whether a return owes it. Months are inclusive. @param codes undefined for all taxes */
export const operatorTaxes = (
  db: Database,
  f: {
    readonly psps: readonly PspId[];
    readonly country: string;
    readonly first: string;
    readonly last: string;
    readonly account?: string | undefined;
    readonly codes?: readonly string[] | undefined;
  },
): Promise<OperatorTaxes[]> =>
  db.query(
    `SELECT psp_id AS psp, account_id AS account, period, tax_code AS code, tax_currency AS currency, owed_by AS "owedBy",
       sum(records)::bigint AS records, coalesce(sum(records) FILTER (WHERE reason <> ''), 0)::bigint AS zero,
       trim_scale(sum(taxable))::text AS taxable, trim_scale(sum(tax))::text AS tax
     FROM cdr_totals
     WHERE psp_id = ANY ($1::uuid[]) AND country = $2 AND period BETWEEN $3 AND $4 AND rule_id <> ''
       AND ($5::uuid IS NULL OR account_id = $5) AND ($6::text[] IS NULL OR tax_code = ANY ($6))
     GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY period DESC, 1, 2, 4, 5, 6`,
    [f.psps, f.country, f.first, f.last, f.account, f.codes],
  );

/** The countries of operators with records, ISO 3166-1 alpha-2. */
export const countriesOfCalls = async (db: Database, psp: PspId): Promise<string[]> =>
  (
    await db.query<{ country: string }>('SELECT DISTINCT country FROM cdr_totals WHERE psp_id = $1 ORDER BY country', [
      psp,
    ])
  ).map((r) => r.country);

/** Taxes of a rule on the records that count in a month. */
export interface CallTaxes {
  readonly country: string;
  readonly rule: string;
  readonly currency: string;
  readonly period: string;
  /** '0' for a tax charged per minute, record or megabyte. */
  readonly taxable: string;
  readonly tax: string;
}

/** Taxes by rule, currency and month, exact: with more decimals than the currency has. Months are inclusive. */
export const callTaxes = (
  db: Database,
  of: { readonly psp: PspId; readonly account?: string | undefined; readonly country?: string | undefined },
  first: string,
  last: string,
): Promise<CallTaxes[]> =>
  db.query(
    `SELECT country, rule_id AS rule, tax_currency AS currency, period, trim_scale(sum(taxable))::text AS taxable,
       trim_scale(sum(tax))::text AS tax
     FROM cdr_totals
     WHERE psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND ($3::text IS NULL OR country = $3) AND period BETWEEN $4 AND $5
       AND rule_id <> ''
     GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
    [of.psp, of.account, of.country, first, last],
  );
