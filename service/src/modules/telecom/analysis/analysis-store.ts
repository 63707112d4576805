// All SQL on what was made of call detail records, one row per record, and on the records as the analysis reads them.

import type { AnalysedCall, AnalysisFinding, RecordTax } from '../../../core/cdr/analyse.ts';
import type { CallType } from '../../../core/cdr/call-types.ts';
import type { CdrClass } from '../../../core/cdr/classify.ts';
import type { Database, Row } from '../../../platform/database.ts';
import { type Columns, encodeRows } from '../../../platform/row-encoder.ts';

/** A record to be analysed. */
export interface RecordRead extends AnalysedCall {
  readonly id: string;
  readonly account: string;
}

/** A record's analysis as stored. */
export interface CdrAnalysisRow {
  readonly psp: string;
  readonly cdr: string;
  readonly account: string;
  readonly country: string;
  /** YYYY-MM it counts in, and that of its call; a late record has two that differ. */
  readonly period: string;
  readonly callPeriod: string;
  readonly class: CdrClass;
  readonly otherCountry: string | null;
  readonly currency: string;
  readonly cost: string;
  readonly durationS: number;
  readonly dataKb: string;
  readonly answered: boolean;
  readonly tax: string;
  readonly taxes: readonly StoredTax[];
  readonly finding: AnalysisFinding | null;
  readonly dataset: string;
  readonly ranges: string;
}

/** Its tax code and base are its rule's. */
export type StoredTax = Omit<RecordTax, 'taxCode' | 'base'>;

/** Columns in the table's order, as rows are sent in binary form. */
const columns: Columns = [
  ['psp_id', 'uuid'],
  ['cdr_id', 'uuid'],
  ['account_id', 'uuid'],
  ['country', 'text'],
  ['period', 'text'],
  ['call_period', 'text'],
  ['class', 'text'],
  ['other_country', 'text'],
  ['currency', 'text'],
  ['cost', 'numeric'],
  ['duration_s', 'int4'],
  ['data_kb', 'numeric'],
  ['answered', 'int4'],
  ['tax', 'numeric'],
  ['taxes', 'text'],
  ['finding', 'text'],
  ['dataset', 'text'],
  ['ranges', 'text'],
];

const toRow = (a: CdrAnalysisRow) => ({
  psp_id: a.psp,
  cdr_id: a.cdr,
  account_id: a.account,
  country: a.country,
  period: a.period,
  call_period: a.callPeriod,
  class: a.class,
  other_country: a.otherCountry,
  currency: a.currency,
  cost: a.cost,
  duration_s: a.durationS,
  data_kb: a.dataKb,
  answered: a.answered ? 1 : 0,
  tax: a.tax,
  taxes: JSON.stringify(
    a.taxes.map((t) => {
      const list = [t.ruleId, t.tax, t.currency, t.taxable, t.quantity, t.reason];
      while (list.at(-1) === null) list.pop();
      return list;
    }),
  ),
  finding: a.finding,
  dataset: a.dataset,
  ranges: a.ranges,
});

const fromRow = (r: Row): CdrAnalysisRow => ({
  psp: r.psp_id as string,
  cdr: r.cdr_id as string,
  account: r.account_id as string,
  country: r.country as string,
  period: r.period as string,
  callPeriod: r.call_period as string,
  class: r.class as CdrClass,
  otherCountry: r.other_country as string | null,
  currency: r.currency as string,
  cost: r.cost as string,
  durationS: r.duration_s as number,
  dataKb: r.data_kb as string,
  answered: r.answered === 1,
  tax: r.tax as string,
  taxes: (JSON.parse(r.taxes as string) as (string | null)[][]).map(
    ([ruleId, tax, currency, taxable, quantity, reason]) => ({
      ruleId: ruleId as string,
      tax: tax as string,
      currency: currency as string,
      taxable: taxable ?? null,
      quantity: quantity ?? null,
      reason: reason ?? null,
    }),
  ),
  finding: r.finding as AnalysisFinding | null,
  dataset: r.dataset as string,
  ranges: r.ranges as string,
});

const readColumns = `c.id, c.account_id, (extract(epoch FROM c.call_start) * 1000)::bigint AS start_ms, c.duration_s,
  c.call_type, c.network_provider, coalesce(c.cost, 0) AS cost, coalesce(c.currency, 'XXX') AS currency,
  c.caller_number, c.receiver_number, c.call_type_sent AS type_word, c.call_status, c.data_kb`;

const recordRead = (r: Row): RecordRead => ({
  id: r.id as string,
  account: r.account_id as string,
  type: r.call_type as CallType,
  typeWord: r.type_word as string,
  caller: r.caller_number as string,
  receiver: r.receiver_number as string,
  provider: r.network_provider as string,
  startMs: r.start_ms as number,
  durationS: r.duration_s as number,
  status: r.call_status as string | null,
  cost: r.cost as string,
  currency: r.currency as string,
  dataKb: r.data_kb as string | null,
});

export async function recordsById(db: Database, psp: string, ids: readonly string[]): Promise<RecordRead[]> {
  if (ids.length === 0) return [];
  const rows = await db.query(`SELECT ${readColumns} FROM cdrs c WHERE c.psp_id = $1 AND c.id = ANY ($2::uuid[])`, [
    psp,
    ids,
  ]);
  return rows.map(recordRead);
}

/** A portion of a file, as its journal entry tells it. */
export interface PortionOfRecords {
  readonly account: string;
  readonly firstId: string;
  readonly lastId: string;
  /**
   * Its records were all made at this moment. Others of the account with ids between them were not, unless two writers
   * met in one millisecond: those are found too, and analysed a little early.
   */
  readonly at: string;
}

/**
 * In the order of their ids, which is that of the lines.
 * @param page.after id of the last one that was read
 */
export async function recordsOfPortion(
  db: Database,
  psp: string,
  p: PortionOfRecords,
  page: { after: string | undefined; most: number },
): Promise<RecordRead[]> {
  const rows = await db.query(
    `SELECT ${readColumns} FROM cdrs c
     WHERE c.psp_id = $1 AND c.account_id = $2 AND c.id BETWEEN $3 AND $4 AND c.created_at = $5
       AND c.id IS DISTINCT FROM $6 ORDER BY c.id LIMIT $7`,
    [psp, p.account, page.after ?? p.firstId, p.lastId, p.at, page.after ?? null, page.most],
  );
  return rows.map(recordRead);
}

/** Writes analyses of records that have none. @returns the records' ids that had none */
export async function insertAnalyses(tx: Database, rows: readonly CdrAnalysisRow[]): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const added = await tx.query(
    `INSERT INTO cdr_analyses SELECT r.* FROM unnest($1::cdr_analyses[]) r ON CONFLICT DO NOTHING RETURNING cdr_id`,
    [encodeRows(columns, await rowTypeOf(tx, 'cdr_analyses'), rows.map(toRow))],
  );
  return new Set(added.map((r) => r.cdr_id as string));
}

/** The number PostgreSQL gave the table's row type; it differs from database to database. */
export async function rowTypeOf(db: Database, table: 'cdr_analyses' | 'cdr_totals'): Promise<number> {
  const [r] = await db.query('SELECT reltype::integer AS o FROM pg_class WHERE oid = $1::regclass', [table]);
  return r?.o as number;
}

export async function findAnalysis(db: Database, psp: string, cdr: string): Promise<CdrAnalysisRow | undefined> {
  const [r] = await db.query('SELECT * FROM cdr_analyses WHERE psp_id = $1 AND cdr_id = $2', [psp, cdr]);
  return r && fromRow(r);
}

/** One figure of the totals: whose records are asked for. */
export interface AnalysisFilter {
  readonly psp: string;
  readonly account?: string | undefined;
  readonly period: string;
  readonly callPeriod?: string | undefined;
  readonly class?: string | undefined;
  readonly currency?: string | undefined;
  readonly ruleId?: string | undefined;
  /** Why the rule's tax is zero; '' for those it is not zero of for a reason. Needs the rule. */
  readonly reason?: string | undefined;
  readonly finding?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Newest first. */
export async function listAnalyses(db: Database, f: AnalysisFilter): Promise<CdrAnalysisRow[]> {
  const rows = await db.query(
    `SELECT * FROM cdr_analyses
     WHERE psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND period = $3
       AND ($4::text IS NULL OR call_period = $4) AND ($5::text IS NULL OR class = $5)
       AND ($6::text IS NULL OR currency = $6) AND ($7::text IS NULL OR position('["' || $7 || '",' IN taxes) > 0)
       AND ($11::text IS NULL OR EXISTS (
         SELECT FROM jsonb_array_elements(taxes::jsonb) AS t WHERE t->>0 = $7 AND coalesce(t->>5, '') = $11))
       AND ($8::text IS NULL OR finding = $8) AND ($9::uuid IS NULL OR cdr_id < $9)
     ORDER BY cdr_id DESC LIMIT $10`,
    [
      f.psp,
      f.account ?? null,
      f.period,
      f.callPeriod ?? null,
      f.class ?? null,
      f.currency ?? null,
      f.ruleId ?? null,
      f.finding ?? null,
      f.before ?? null,
      f.limit,
      f.reason ?? null,
    ],
  );
  return rows.map(fromRow);
}
