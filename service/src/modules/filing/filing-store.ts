// All SQL on filed returns, and their wire form.
import { accountWire, type PspId, toWire } from '../../core/ids.ts';
import { plain } from '../../core/sums.ts';
import { FilingResource } from '../../entries/filings.ts';
import { resourceOf } from '../../entries/schema.ts';
import type { Database } from '../../platform/database.ts';
import { filings } from '../../records/filings.ts';
import { type RecordOf, tableOf } from '../../records/table.ts';
import { row } from '../kernel/journal.ts';
import type { StaffListFilter } from '../kernel/list-filter.ts';

const table = tableOf(filings);
export type Filing = RecordOf<typeof filings>;

export const filingRow = (f: Filing) => row('filings', table.toRow(f));

/** A form of a taxpayer. */
export interface Series {
  readonly psp: PspId;
  readonly account: string;
  readonly form: string;
}

/** Serialises the filing of a form of a taxpayer until the transaction ends. */
export async function lockFilings(tx: Database, of: Series): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `filing|${of.psp}|${of.account}|${of.form}`,
  ]);
}

/** All returns of a form that a taxpayer filed, by period. */
export const filingsOf = (db: Database, of: Series): Promise<Filing[]> =>
  table.read(db, 'WHERE psp_id = $1 AND account_id = $2 AND form = $3 ORDER BY first_day', [
    of.psp,
    of.account,
    of.form,
  ]);

/** All returns that a taxpayer filed, by period. */
export const filingsOfAccount = (db: Database, of: Omit<Series, 'form'>): Promise<Filing[]> =>
  table.read(db, 'WHERE psp_id = $1 AND account_id = $2 ORDER BY first_day', [of.psp, of.account]);

/** The period of a return that was filed after an entry of the journal; undefined if none was. */
export async function filedAfter(db: Database, of: Series, seq: number): Promise<string | undefined> {
  const [found] = await db.query<{ period: string }>(
    `SELECT f.period FROM filings f JOIN journal j ON j.psp_id = f.psp_id AND j.resource_id = f.id AND j.seq > $4
     WHERE f.psp_id = $1 AND f.account_id = $2 AND f.form = $3 ORDER BY f.first_day LIMIT 1`,
    [of.psp, of.account, of.form, seq],
  );
  return found?.period;
}

export async function filingsOfReports(
  db: Database,
  reports: readonly { readonly psp: PspId; readonly id: string }[],
): Promise<ReadonlyMap<string, Filing>> {
  if (reports.length === 0) return new Map();
  const found = await table.read(
    db,
    'JOIN unnest($1::uuid[], $2::uuid[]) AS k(p, r) ON filings.psp_id = k.p AND filings.report_id = k.r',
    [reports.map((r) => r.psp), reports.map((r) => r.id)],
  );
  return new Map(found.map((f) => [f.report, f]));
}

export interface FiledWithin {
  readonly country: string;
  readonly psps: readonly PspId[];
  readonly forms: readonly string[];
  readonly from: string;
  readonly to: string | null;
}

export interface FilingFilter extends StaffListFilter<'form' | 'country' | 'period'> {
  /** Only of these forms and PSPs, for periods within these days. */
  readonly within?: FiledWithin | undefined;
}

/** Newest first. */
export const listFilings = (db: Database, f: FilingFilter): Promise<Filing[]> =>
  table.read(
    db,
    `WHERE ($1::uuid IS NULL OR psp_id = $1) AND ($2::uuid IS NULL OR account_id = $2)
       AND ($3::text IS NULL OR form = $3) AND ($4::text IS NULL OR country = $4) AND ($5::text IS NULL OR period = $5)
       AND ($6::uuid IS NULL OR id < $6) AND ($8::uuid[] IS NULL OR psp_id = ANY ($8)) AND ($9::text[] IS NULL OR form = ANY ($9))
       AND ($12::text IS NULL OR country = $12)
       AND ($10::date IS NULL OR first_day >= $10) AND ($11::date IS NULL OR last_day <= $11) ORDER BY id DESC LIMIT $7`,
    [
      ...[
        f.psp ?? null,
        f.account ?? null,
        f.form ?? null,
        f.country ?? null,
        f.period ?? null,
        f.before ?? null,
        f.limit,
      ],
      ...[f.within?.psps, f.within?.forms, f.within?.from, f.within?.to, f.within?.country].map((v) => v ?? null),
    ],
  );

/** The return of a report, of any PSP. */
export const filingOfReport = (db: Database, report: string): Promise<Filing | undefined> =>
  table.find(db, 'WHERE report_id = $1', [report]);

export const filingResource = (f: Filing) =>
  resourceOf(FilingResource, f, {
    filingId: toWire('filing', f.id),
    clientId: accountWire(f.psp, f.account),
    reportId: toWire('report', f.report),
    countryCode: f.country,
    payable: plain(f.payable),
    boxes: f.boxes.map(({ box, figure }) => ({ box, figure })),
  });
