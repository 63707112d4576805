// All SQL on analyses of call detail records, one row per record, and on the records as the analysis reads them.

import type { AnalysedCall, RecordTax } from '../../../core/cdr/analyse.ts';
import { cdrClasses } from '../../../core/cdr/classify.ts';
import type { PspId } from '../../../core/ids.ts';
import { negated } from '../../../core/sums.ts';
import type { TaxDebtor } from '../../../core/tax/rule.ts';
import { commitForm } from '../../../platform/batch-parameters.ts';
import { rowTypeOf } from '../../../platform/catalogue.ts';
import type { Database } from '../../../platform/database.ts';
import { columnsOf, encodeRows } from '../../../platform/row-encoder.ts';
import { cdrAnalyses } from '../../../records/cdr-analyses.ts';
import type { RowOf } from '../../../records/define.ts';
import { type RecordOf, tableOf } from '../../../records/table.ts';

/** A record to be analysed. */
export interface RecordRead extends AnalysedCall {
  readonly id: string;
  readonly account: string;
}

const table = tableOf(cdrAnalyses);
const columns = columnsOf(cdrAnalyses.columns);
const names = Object.keys(cdrAnalyses.columns).join(', ');

/**
 * The analysis of a record as stored. `period` is the month in which it counts and `callPeriod` the month of its call
 * (YYYY-MM); they differ if the record is late.
 */
export interface CdrAnalysisRow extends Omit<RecordOf<typeof cdrAnalyses>, 'answered' | 'taxes'> {
  readonly answered: boolean;
  readonly taxes: readonly StoredTax[];
}

/** A tax without its code and base, which are those of its rule. */
type StoredTax = Omit<RecordTax, 'taxCode' | 'base'>;

const toRow = (a: CdrAnalysisRow) =>
  table.toRow({
    ...a,
    answered: a.answered ? 1 : 0,
    taxes: a.taxes.map((t) => {
      const rest = [t.taxable, t.quantity, t.reason, t.owedBy];
      while (rest.at(-1) === null) rest.pop();
      return [t.ruleId, t.tax, t.currency, ...rest];
    }),
  });

const fromRow = (r: RowOf<typeof cdrAnalyses>): CdrAnalysisRow => {
  const a = table.fromRow(r);
  return {
    ...a,
    answered: a.answered === 1,
    taxes: a.taxes.map(([ruleId, tax, currency, taxable = null, quantity = null, reason = null, owedBy = null]) => ({
      ruleId,
      tax,
      currency,
      taxable,
      quantity,
      reason,
      owedBy: owedBy as TaxDebtor | null,
    })),
  };
};

const readColumns = `c.id, c.account_id AS account, c.call_type AS type, c.call_type_sent AS "typeWord",
  coalesce(c.caller_mask, c.caller_number) AS caller,
  coalesce(c.receiver_mask, c.receiver_number) AS receiver, c.network_provider AS provider,
  (extract(epoch FROM c.call_start) * 1000)::bigint AS "startMs", c.duration_s AS "durationS", c.call_status AS status,
  coalesce(c.cost, 0) AS cost, coalesce(c.currency, 'XXX') AS currency, c.data_kb AS "dataKb"`;

export async function recordsById(db: Database, psp: PspId, ids: readonly string[]): Promise<RecordRead[]> {
  if (ids.length === 0) return [];
  return db.query<RecordRead>(`SELECT ${readColumns} FROM cdrs c WHERE c.psp_id = $1 AND c.id = ANY ($2::uuid[])`, [
    psp,
    ids,
  ]);
}

/** The taxes of an analysis as rows of SQL; text that is no list was not written by the service, and has none. */
export const taxLines = (taxes: string): string =>
  `jsonb_array_elements(CASE WHEN ${taxes} IS JSON ARRAY THEN ${taxes}::jsonb ELSE '[]' END)`;

/** A portion of a file, as described by its journal entry. */
export interface PortionOfRecords {
  readonly account: string;
  readonly firstId: string;
  readonly lastId: string;
  /**
   * The time at which all its records were made. Other records of the account with ids between them have other times,
   * unless two writers met in one millisecond: those are found too, and analysed slightly early.
   */
  readonly at: string;
}

/**
 * Reads records in the order of their ids, which is that of the lines.
 * @param page.after id of the last record read
 */
export const recordsOfPortion = (
  db: Database,
  psp: PspId,
  p: PortionOfRecords,
  page: { after: string | undefined; most: number },
): Promise<RecordRead[]> =>
  db.query<RecordRead>(
    `SELECT ${readColumns} FROM cdrs c
     WHERE c.psp_id = $1 AND c.account_id = $2 AND c.id BETWEEN $3 AND $4 AND c.created_at = $5
       AND c.id IS DISTINCT FROM $6 ORDER BY c.id LIMIT $7`,
    [psp, p.account, page.after ?? p.firstId, p.lastId, p.at, page.after, page.most],
  );

/**
 * Records of a country's operators whose analyses have nothing that is due by return, in the order of their ids.
 * @param page.after id of the last record read
 */
export const recordsWithoutDuty = (
  db: Database,
  psp: PspId,
  country: string,
  page: { after: string | null; most: number },
): Promise<RecordRead[]> =>
  db.query<RecordRead>(
    `SELECT ${readColumns} FROM cdr_analyses a JOIN cdrs c ON c.psp_id = $1 AND c.id = a.cdr_id
     WHERE a.psp_id = $1 AND a.country = $2 AND a.withdrawn_in IS NULL AND ($3::uuid IS NULL OR a.cdr_id > $3)
       AND NOT EXISTS (SELECT FROM ${taxLines('a.taxes')} AS t
         WHERE t->>6 IS NOT NULL)
     ORDER BY a.cdr_id LIMIT $4`,
    [psp, country, page.after, page.most],
  );

/** Stores analyses of records that have none yet. @returns the ids of these records */
export async function insertAnalyses(tx: Database, rows: readonly CdrAnalysisRow[]): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const added = await tx.query<{ cdr_id: string }>(
    `INSERT INTO cdr_analyses (${names}) SELECT r.* FROM unnest($1::${commitForm.function.rowType('cdr_analyses')}[]) r
     ON CONFLICT DO NOTHING RETURNING cdr_id`,
    [encodeRows(columns, await rowTypeOf(tx, 'cdr_analyses'), rows.map(toRow))],
  );
  return new Set(added.map((r) => r.cdr_id));
}

export async function findAnalysis(
  db: Database,
  psps: readonly PspId[],
  cdr: string,
): Promise<CdrAnalysisRow | undefined> {
  const [r] = await db.query<RowOf<typeof cdrAnalyses>>(
    `SELECT ${table.columns()} FROM cdr_analyses WHERE psp_id = ANY ($1::uuid[]) AND cdr_id = $2`,
    [psps, cdr],
  );
  return r && fromRow(r);
}

/** A record's figures with the opposite sign, as its withdrawal counts them in a later month than its own. */
export function takenOff(a: CdrAnalysisRow): CdrAnalysisRow {
  const unlessNull = (amount: string | null) => (amount === null ? null : negated(amount));
  return {
    ...a,
    period: a.withdrawnIn as string,
    durationS: -a.durationS,
    dataKb: negated(a.dataKb),
    cost: negated(a.cost),
    tax: negated(a.tax),
    taxes: a.taxes.map((t) => ({
      ...t,
      tax: negated(t.tax),
      taxable: unlessNull(t.taxable),
      quantity: unlessNull(t.quantity),
    })),
  };
}

/** Analyses of these records that no withdrawal is noted of, locked until the transaction ends. */
export async function lockAnalyses(tx: Database, psp: PspId, cdrs: readonly string[]): Promise<CdrAnalysisRow[]> {
  const rows = await tx.query<RowOf<typeof cdrAnalyses>>(
    `SELECT ${table.columns()} FROM cdr_analyses WHERE psp_id = $1 AND cdr_id = ANY ($2::uuid[])
       AND withdrawn_in IS NULL ORDER BY cdr_id FOR UPDATE`,
    [psp, cdrs],
  );
  return rows.map(fromRow);
}

export async function noteWithdrawn(tx: Database, psp: PspId, rows: readonly CdrAnalysisRow[]): Promise<void> {
  await tx.query(
    `UPDATE cdr_analyses a SET withdrawn_in = w.period FROM unnest($2::uuid[], $3::text[]) AS w(id, period)
     WHERE a.psp_id = $1 AND a.cdr_id = w.id`,
    [psp, rows.map((r) => r.cdr), rows.map((r) => r.withdrawnIn)],
  );
}

/** Selects the records behind one figure of the totals. */
export interface AnalysisFilter {
  readonly psp: PspId;
  readonly account?: string | undefined;
  readonly period: string;
  readonly callPeriod?: string | undefined;
  readonly class?: string | undefined;
  readonly currency?: string | undefined;
  readonly ruleId?: string | undefined;
  /** The reason why the rule's tax is zero; '' for taxes without a reason. Requires `ruleId`. */
  readonly reason?: string | undefined;
  readonly finding?: string | undefined;
  readonly country?: string | undefined;
  /** Ids of rules of which one must have been applied. */
  readonly rules?: readonly string[] | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/**
 * Newest first: of each class the first rows, as the index has them, and of these the first. A record that was withdrawn
 * in the month, and counts in an earlier one, is there with its figures taken off.
 */
export async function listAnalyses(db: Database, f: AnalysisFilter): Promise<CdrAnalysisRow[]> {
  const some = (counting: string) => `(SELECT ${table.columns()} FROM cdr_analyses
     WHERE psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND ${counting}
       AND ($4::text IS NULL OR call_period = $4) AND class = k.class
       AND ($6::text IS NULL OR currency = $6) AND ($7::text IS NULL OR position('["' || $7 || '",' IN taxes) > 0)
       AND ($11::text IS NULL OR EXISTS (
         SELECT FROM jsonb_array_elements(taxes::jsonb) AS t WHERE t->>0 = $7 AND coalesce(t->>5, '') = $11))
       AND ($8::text IS NULL OR finding = $8) AND ($9::uuid IS NULL OR cdr_id < $9)
       AND ($12::text IS NULL OR country = $12)
       AND ($13::text[] IS NULL OR EXISTS (
         SELECT FROM jsonb_array_elements(taxes::jsonb) AS t WHERE t->>0 = ANY ($13)))
     ORDER BY cdr_id DESC LIMIT $10)`;
  const rows = await db.query<RowOf<typeof cdrAnalyses>>(
    `SELECT a.* FROM unnest($5::text[]) AS k(class) CROSS JOIN LATERAL (
       ${some('period = $3 AND withdrawn_in IS DISTINCT FROM $3')} UNION ALL ${some('withdrawn_in = $3 AND period <> $3')}
     ) a ORDER BY a.cdr_id DESC LIMIT $10`,
    [
      f.psp,
      f.account,
      f.period,
      f.callPeriod,
      f.class === undefined ? cdrClasses : [f.class],
      f.currency,
      f.ruleId,
      f.finding,
      f.before,
      f.limit,
      f.reason,
      f.country,
      f.rules,
    ],
  );
  return rows.map(fromRow).map((a) => (a.period === f.period ? a : takenOff(a)));
}
