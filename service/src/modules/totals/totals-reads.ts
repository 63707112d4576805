// Reads daily totals: sums over days and cells, by the requested dimensions.
import { addDays } from '../../core/calendar.ts';
import type { PspId } from '../../core/ids.ts';
import type { OverseenKind as RecordKind } from '../../core/oversight.ts';
import type { MethodNotHeld } from '../../core/payments.ts';
import { type TotalVerdict, totalKinds } from '../../core/totals/figures.ts';
import { type Database, only } from '../../platform/database.ts';
import { countSetAside } from '../../platform/entries-set-aside.ts';
import { countedKinds, totalsReader } from './count-entries.ts';
import { figureColumns, viewOf } from './totals-store.ts';

export interface TotalsFilter {
  readonly psp: PspId;
  /** First and last day, both inclusive. */
  readonly from: string;
  readonly to: string;
  readonly account?: string | undefined;
  readonly country?: string | undefined;
  readonly currency?: string | undefined;
  readonly kind?: string | undefined;
  readonly verdict?: string | undefined;
  readonly productLine?: string | undefined;
  readonly rule?: string | undefined;
}

export const totalDimensions = [
  'day',
  'country',
  'account',
  'currency',
  'kind',
  'verdict',
  'productLine',
  'rule',
] as const;
export type TotalDimension = (typeof totalDimensions)[number];

const columnOf: Readonly<Record<TotalDimension, string>> = {
  day: 'day::text',
  country: 'country',
  account: 'account_id',
  currency: 'currency',
  kind: 'kind',
  verdict: 'verdict',
  productLine: 'product_line',
  rule: 'rule',
};

/** Sums by the requested dimensions; currencies are kept apart only if they are one of them. */
function sums<R extends { readonly count: number }>(
  db: Database,
  part: 'amounts' | 'taxes' | 'accruals',
  f: TotalsFilter,
  by: readonly TotalDimension[],
  more: { readonly groups: readonly string[]; readonly values: readonly unknown[] } = { groups: [], values: [] },
): Promise<R[]> {
  const groups = [...by.map((d) => `${columnOf[d]} AS "${d}"`), ...more.groups];
  const order = groups.map((_, i) => i + 1).join(', ');
  return db.query(
    `SELECT ${[...groups, 'sum(count)::bigint AS count', ...sumsOf(part)].join(', ')} FROM ${viewOf[part]}
     WHERE psp_id = $1 AND day BETWEEN $2 AND $3 AND ($4::uuid IS NULL OR account_id = $4)
       AND ($5::text IS NULL OR country = $5) AND ($6::text IS NULL OR currency = $6) AND ($7::text IS NULL OR kind = $7)
       AND ($8::text IS NULL OR verdict = $8) AND ($9::text IS NULL OR product_line = $9)
       AND ($10::text IS NULL OR rule = $10)
     ${order === '' ? '' : `GROUP BY ${order}`} HAVING sum(count) > 0 ${order === '' ? '' : `ORDER BY ${order}`}`,
    [f.psp, f.from, f.to, f.account, f.country, f.currency, f.kind, f.verdict, f.productLine, f.rule, ...more.values],
  );
}

/** Periods of returns: sums of each, in one statement. */
export interface Spans {
  /** In order; none overlaps another. */
  readonly periods: readonly { readonly first: string; readonly last: string }[];
  /** In other currencies sums are by day. */
  readonly currency: string;
  /** Rules whose sums are by day too. */
  readonly daily: readonly string[];
}

interface OfSpan {
  /** Place of the period in the list. */
  readonly span: number;
  readonly dayOf: string | null;
}

/** Sums of several periods by the dimensions, with the day where it is needed. */
async function spanSums<R extends OfSpan & { readonly count: number }>(
  db: Database,
  part: 'taxes' | 'accruals',
  f: Omit<TotalsFilter, 'from' | 'to'>,
  by: readonly TotalDimension[],
  { periods, currency, daily }: Spans,
): Promise<R[]> {
  const [first, last] = [periods[0]?.first, periods.at(-1)?.last];
  if (first === undefined || last === undefined) return [];
  // Each period has two bounds, so that a day between two periods is after an even number of them.
  const groups = [
    'width_bucket(day, $11::date[]) AS span',
    `CASE WHEN currency <> $12 OR rule = ANY ($13::text[]) THEN day::text END AS "dayOf"`,
  ];
  const values = [periods.flatMap((p) => [p.first, addDays(p.last, 1)]), currency, daily];
  const rows = await sums<R>(db, part, { ...f, from: first, to: last }, by, { groups, values });
  return rows.flatMap((r) => (r.span % 2 === 1 ? [{ ...r, span: (r.span - 1) / 2 }] : []));
}

/** Taxes of returns. */
export const taxesOfSpans = (db: Database, f: Omit<TotalsFilter, 'from' | 'to'>, of: Spans) =>
  spanSums<TaxSums<'currency' | 'kind' | 'verdict' | 'rule'> & OfSpan>(
    db,
    'taxes',
    f,
    ['currency', 'kind', 'verdict', 'rule'],
    of,
  );

/** Contributions to the bases of returns. */
export const accrualsOfSpans = (db: Database, f: Omit<TotalsFilter, 'from' | 'to'>, of: Spans) =>
  spanSums<AccrualSums<'account' | 'currency' | 'rule'> & OfSpan>(
    db,
    'accruals',
    f,
    ['account', 'currency', 'rule'],
    of,
  );

/** Values of the requested dimensions. */
type Group<B extends TotalDimension> = Readonly<Partial<Record<TotalDimension, string>>> &
  Readonly<Record<B, string>> & { readonly count: number };

/** Figures are decimal text. */
export type AmountSums<B extends TotalDimension = never> = Group<B> & Amounts;

/** Decimal text. The amounts by payment method are those that the PSP does not hold. */
export interface Amounts extends Readonly<Record<MethodNotHeld, string>> {
  readonly gross: string;
  readonly vat: string;
  readonly processingFee: string;
  readonly transactionFee: string;
  readonly transactionVat: string;
  readonly net: string;
}

/** SQL of the sums, exact and without trailing zeros. */
export const sumsOf = (part: 'amounts' | 'taxes' | 'accruals'): string[] =>
  figureColumns[part].map(
    (c) => `trim_scale(sum(${c})) AS "${c.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())}"`,
  );

export type TaxSums<B extends TotalDimension = never> = Group<B> & { readonly taxable: string; readonly tax: string };
export type AccrualSums<B extends TotalDimension = never> = Group<B> & { readonly contribution: string };

/** Amounts and fees; `rule` is the fee row. */
export const amountTotals = <const B extends TotalDimension>(
  db: Database,
  f: TotalsFilter,
  by: readonly B[],
): Promise<AmountSums<B>[]> => sums(db, 'amounts', f, by);

/** Taxes by rule. */
export const taxTotals = <const B extends TotalDimension>(
  db: Database,
  f: TotalsFilter,
  by: readonly B[],
): Promise<TaxSums<B>[]> => sums(db, 'taxes', f, by);

/** Contributions to the bases of taxes due by periodic return; payouts reduce gross gaming revenue. */
export const accrualTotals = <const B extends TotalDimension>(
  db: Database,
  f: TotalsFilter,
  by: readonly B[],
): Promise<AccrualSums<B>[]> => sums(db, 'accruals', f, by);

/** Journal entries of one PSP that are not in the totals yet, including those set aside. */
export async function totalsLag(db: Database, psp: PspId): Promise<number> {
  const counts = await db.query<{ lag: number }>(
    `SELECT count(*) AS lag FROM journal WHERE psp_id = $1 AND kind = ANY ($3)
       AND seq > coalesce((SELECT seq FROM journal_cursors WHERE psp_id = $1 AND reader = $2), 0)`,
    [psp, totalsReader, countedKinds],
  );
  return only(counts).lag + (await countSetAside(db, totalsReader, [psp]));
}

/** Numbers of approved transactions and of plays in a country, of all PSPs but test ones. */
export const recordCounts = (
  db: Database,
  of: { readonly country: string; readonly from: string; readonly to: string },
): Promise<{ readonly psp: PspId; readonly day: string; readonly kind: string; readonly count: number }[]> =>
  db.query(
    `SELECT t.psp_id AS psp, t.day::text AS day, t.kind, sum(t.count)::bigint AS count
     FROM totals_by_fee t JOIN accounts a ON a.psp_id = t.psp_id AND a.id = t.psp_id
     WHERE t.country = $1 AND t.day BETWEEN $2 AND $3 AND t.verdict IN ('APPROVED', 'RECORDED') AND a.test_of IS NULL
     GROUP BY t.psp_id, t.day, t.kind HAVING sum(t.count) > 0 ORDER BY t.psp_id, t.day, t.kind`,
    [of.country, of.from, of.to],
  );

interface OfCountry {
  readonly psps: readonly PspId[];
  readonly country: string;
  readonly from: string;
  readonly to: string;
  readonly kinds: readonly RecordKind[];
  readonly account?: string | undefined;
}

const kindsOf = (kinds: readonly RecordKind[]) =>
  totalKinds.filter((k) =>
    kinds.includes(k === 'captureWager' ? 'wager' : k === 'capturePayout' ? 'payout' : 'transaction'),
  );

/** Taxes in a country by account, tax, currency and verdict. @param codes tax codes by rule; other rules are left out */
export const countryTaxes = (db: Database, f: OfCountry & { readonly codes: ReadonlyMap<string, string> }) =>
  db.query<{
    readonly psp: PspId;
    readonly account: string;
    readonly code: string;
    readonly currency: string;
    readonly verdict: TotalVerdict;
    readonly count: number;
    readonly taxable: string;
    readonly tax: string;
  }>(
    `SELECT t.psp_id AS psp, t.account_id AS account, r.code, t.currency, t.verdict, sum(t.count)::bigint AS count,
       ${sumsOf('taxes').join(', ')}
     FROM ${viewOf.taxes} t JOIN unnest($6::text[], $7::text[]) AS r(id, code) ON r.id = t.rule
     WHERE t.psp_id = ANY ($1::uuid[]) AND t.country = $2 AND t.day BETWEEN $3 AND $4 AND t.kind = ANY ($5)
       AND ($8::uuid IS NULL OR t.account_id = $8)
     GROUP BY 1, 2, 3, 4, 5 HAVING sum(t.count) > 0 ORDER BY 1, 2, 3, 4, 5`,
    [
      ...[f.psps, f.country, f.from, f.to, kindsOf(f.kinds)],
      ...[[...f.codes.keys()], [...f.codes.values()], f.account ?? null],
    ],
  );

/**
 * Those of the PSPs that have records of a country dated to these days, by their totals; and those whose totals do not
 * have all entries yet, since nobody knows.
 */
export async function pspsOfDays(
  db: Database,
  f: Pick<OfCountry, 'psps' | 'country' | 'from' | 'to'>,
): Promise<readonly PspId[]> {
  // There all of them are asked: one statement per server cannot search within each PSP.
  if (db.distributed) return f.psps;
  const rows = await db.query<{ id: PspId }>(
    `SELECT p.id FROM unnest($1::uuid[]) AS p(id)
     WHERE EXISTS (SELECT FROM daily_cells c WHERE c.psp_id = p.id AND c.day BETWEEN $3 AND $4 AND c.country = $2)
       OR EXISTS (SELECT FROM journal j WHERE j.psp_id = p.id AND j.kind = ANY ($6)
         AND j.seq > coalesce((SELECT seq FROM journal_cursors r WHERE r.psp_id = p.id AND r.reader = $5), 0))
       OR EXISTS (SELECT FROM journal_set_aside s WHERE s.psp_id = p.id AND s.reader = $5)`,
    [f.psps, f.country, f.from, f.to, totalsReader, countedKinds],
  );
  return rows.map((r) => r.id);
}

/** How many records of these kinds each PSP has in a country: those that were not charged back or reversed since. */
export const recordsOfPsps = (db: Database, f: OfCountry) =>
  db.query<{ readonly psp: PspId; readonly count: number }>(
    `SELECT t.psp_id AS psp, sum(t.count)::bigint AS count FROM ${viewOf.amounts} t
     WHERE t.psp_id = ANY ($1::uuid[]) AND t.country = $2 AND t.day BETWEEN $3 AND $4 AND t.kind = ANY ($5)
       AND t.verdict <> ALL ('{CHARGED_BACK,REVERSED}')
     GROUP BY t.psp_id HAVING sum(t.count) > 0 ORDER BY t.psp_id`,
    [f.psps, f.country, f.from, f.to, kindsOf(f.kinds)],
  );
