// The inputs of the tax report: files and single records of the month, and the versions of rules and number ranges they
// were analysed with. All are read from the report's own snapshot.
import { dayMs } from '../../../core/calendar.ts';
import type { Tally } from '../../../core/cdr/file-findings.ts';
import { fromWire, type PspId } from '../../../core/ids.ts';
import { readEntry } from '../../../entries/read.ts';
import { type Database, valuesOf } from '../../../platform/database.ts';
import { notWithdrawn } from '../findings/slice.ts';

export interface Asked {
  readonly psp: PspId;
  /** The account (uuid) to report on; undefined for the PSP and all its clients. */
  readonly only: string | undefined;
  /** YYYY-MM. */
  readonly period: string;
}

export interface InputFile {
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly sha256: string | null;
  readonly state: string;
  readonly pickedUpAt: string;
  readonly counts: { readonly accepted: number; readonly rejected: number; readonly duplicate: number };
  /** Number of its accepted records that count in the month. */
  readonly inMonth: number;
}

interface Portion {
  readonly file: string;
  readonly account: string;
  readonly first: string;
  readonly last: string;
  readonly at: string;
}

/** Most portions in one statement. */
const portionsAtOnce = 2_000;

/** Files with records that count in the month, in the order they were picked up. */
export async function inputFiles(db: Database, a: Asked, from: number): Promise<InputFile[]> {
  const portions = await portionsSince(db, a, from);
  const inMonth = new Map<string, number>();
  for (let i = 0; i < portions.length; i += portionsAtOnce)
    for (const [file, n] of await countInMonth(db, a, portions.slice(i, i + portionsAtOnce)))
      inMonth.set(file, (inMonth.get(file) ?? 0) + n);
  const rows = await db.query<Omit<InputFile, 'counts' | 'inMonth'> & { tally: string }>(
    `SELECT id, account_id AS account, name, sha256, state, picked_up_at AS "pickedUpAt", tally FROM cdr_files
     WHERE psp_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id`,
    [a.psp, [...inMonth.keys()]],
  );
  return rows.map(({ tally, ...file }) => ({
    ...file,
    counts: (JSON.parse(tally) as Tally).counts,
    inMonth: inMonth.get(file.id) ?? 0,
  }));
}

/**
 * Portions journalled since a day before the month. A record is journalled at most some minutes before its call begins,
 * so earlier portions have no record that counts in the month.
 */
async function portionsSince(db: Database, a: Asked, from: number): Promise<Portion[]> {
  const rows = await db.query<{ file: string; account: string; body: string }>(
    `SELECT resource_id AS file, account_id AS account, body FROM journal
     WHERE psp_id = $1 AND kind = 'cdr.file_portion' AND ($2::uuid IS NULL OR account_id = $2)
       AND id >= uuid_floor($3::timestamptz) ORDER BY seq`,
    [a.psp, a.only ?? null, new Date(from - dayMs).toISOString()],
  );
  return rows.flatMap(({ file, account, body }) => {
    const { timestamp, data } = readEntry(body, ['cdr.file_portion/1']);
    const [first, last] = [fromWire('cdr', data.firstCdrId ?? ''), fromWire('cdr', data.lastCdrId ?? '')];
    if (!first || !last) return [];
    return [{ file, account, first, last, at: timestamp }];
  });
}

/** Counts records of portions. Records that came alone may have ids in between, but other times of creation. */
async function countInMonth(db: Database, a: Asked, portions: readonly Portion[]): Promise<Map<string, number>> {
  const rows = await db.query<{ file: string; n: number }>(
    `SELECT p.file, count(*) AS n FROM unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[], $7::timestamptz[])
       AS p(file, account, first, last, at)
     JOIN cdr_analyses a ON a.psp_id = $1 AND a.account_id = p.account AND a.period = $2
       AND a.withdrawn_in IS DISTINCT FROM a.period
       AND a.cdr_id BETWEEN p.first AND p.last
     JOIN cdrs c ON c.psp_id = $1 AND c.id = a.cdr_id AND c.created_at = p.at
     GROUP BY p.file`,
    [a.psp, a.period, ...valuesOf(portions, 'file', 'account', 'first', 'last', 'at')],
  );
  return new Map(rows.map((r) => [r.file, r.n]));
}

export interface AnalysedWith {
  /** Version of the tax rules; `ranges` is that of the number ranges. */
  readonly dataset: string;
  readonly ranges: string;
  readonly records: number;
}

/** Versions of rules and ranges, those with most records first. */
export const analysedWith = (db: Database, a: Asked): Promise<AnalysedWith[]> =>
  db.query(
    `SELECT dataset, ranges, count(*) AS records FROM cdr_analyses
     WHERE psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND period = $3
       AND withdrawn_in IS DISTINCT FROM period
     GROUP BY dataset, ranges ORDER BY records DESC, dataset, ranges`,
    [a.psp, a.only, a.period],
  );

export interface OperatorRow {
  readonly account: string;
  readonly name: string;
  /** When the month was closed; null while it is open. */
  readonly closedAt: string | null;
}

/** The operators of the report: the one requested, or all that have records or a declaration in the month. */
export const operatorsOf = (db: Database, a: Asked): Promise<OperatorRow[]> =>
  db.query(
    `SELECT c.id AS account, c.name, p.closed_at AS "closedAt" FROM accounts c
     LEFT JOIN cdr_periods p ON p.psp_id = c.psp_id AND p.account_id = c.id AND p.period = $3
     WHERE c.psp_id = $1 AND (c.id = $2 OR $2::uuid IS NULL AND (
       EXISTS (SELECT 1 FROM cdr_totals t WHERE t.psp_id = $1 AND t.account_id = c.id AND t.period = $3)
       OR EXISTS (SELECT 1 FROM cdr_declarations d WHERE d.psp_id = $1 AND d.account_id = c.id AND d.period = $3)))
     ORDER BY c.name, c.id`,
    [a.psp, a.only, a.period],
  );

export interface DayCount {
  readonly account: string;
  /** ISO date in the period's time zone. */
  readonly day: string;
  readonly records: number;
}

/** Number of records of calls in the month by day of the call, including late records. */
export const recordsByDay = (
  db: Database,
  a: Asked,
  span: { readonly from: number; readonly to: number; readonly timeZone: string },
): Promise<DayCount[]> =>
  db.query(
    `SELECT account_id AS account, to_char(call_start AT TIME ZONE $5, 'YYYY-MM-DD') AS day, count(*) AS records FROM cdrs
     WHERE psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND call_start >= $3::timestamptz
       AND call_start < $4::timestamptz AND id >= (SELECT uuid_floor($3::timestamptz - interval '10 minutes'))
       AND ${notWithdrawn}
     GROUP BY 1, 2 ORDER BY 2, 1`,
    [a.psp, a.only, new Date(span.from).toISOString(), new Date(span.to).toISOString(), span.timeZone],
  );
