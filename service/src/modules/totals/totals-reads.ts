// Reading daily totals: sums over days and cells, by whatever one asks for.
import type { Database, Row } from '../../platform/database.ts';
import { countSetAside } from '../../platform/entries-set-aside.ts';
import { countedKinds, totalsReader } from './count-entries.ts';
import { figureColumns, tableOf } from './totals-store.ts';

export interface TotalsFilter {
  readonly psp: string;
  /** First and last day, both counted. */
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

/** Sums by the dimensions asked for; of amounts of one currency each only where it is among them. */
function sums(
  db: Database,
  part: 'amounts' | 'taxes' | 'accruals',
  f: TotalsFilter,
  by: readonly TotalDimension[],
): Promise<Row[]> {
  const groups = by.map((d) => `${columnOf[d]} AS "${d}"`);
  const order = by.map((_, i) => i + 1).join(', ');
  return db.query(
    `SELECT ${[...groups, 'sum(count)::bigint AS count', ...sumsOf(part)].join(', ')} FROM ${tableOf[part]}
     WHERE psp_id = $1 AND day BETWEEN $2 AND $3 AND ($4::uuid IS NULL OR account_id = $4)
       AND ($5::text IS NULL OR country = $5) AND ($6::text IS NULL OR currency = $6) AND ($7::text IS NULL OR kind = $7)
       AND ($8::text IS NULL OR verdict = $8) AND ($9::text IS NULL OR product_line = $9)
       AND ($10::text IS NULL OR rule = $10)
     ${order === '' ? '' : `GROUP BY ${order}`} HAVING sum(count) > 0 ${order === '' ? '' : `ORDER BY ${order}`}`,
    [
      f.psp,
      f.from,
      f.to,
      f.account ?? null,
      f.country ?? null,
      f.currency ?? null,
      f.kind ?? null,
      f.verdict ?? null,
      f.productLine ?? null,
      f.rule ?? null,
    ],
  );
}

type Group = Readonly<Partial<Record<TotalDimension, string>>> & { readonly count: number };

/** Figures are decimal text. */
export type AmountSums = Group & Amounts;

/** Decimal text. */
export interface Amounts {
  readonly gross: string;
  readonly vat: string;
  readonly processingFee: string;
  readonly transactionFee: string;
  readonly transactionVat: string;
  readonly net: string;
}

export const amountsOf = (r: Row): Amounts => ({
  gross: r.gross as string,
  vat: r.vat as string,
  processingFee: r.processing_fee as string,
  transactionFee: r.transaction_fee as string,
  transactionVat: r.transaction_vat as string,
  net: r.net as string,
});

/** Their sums, exact and without needless zeros. */
export const sumsOf = (part: 'amounts' | 'taxes' | 'accruals'): string[] =>
  figureColumns[part].map((c) => `trim_scale(sum(${c})) AS ${c}`);

export type TaxSums = Group & { readonly taxable: string; readonly tax: string };
export type AccrualSums = Group & { readonly contribution: string };

const groupOf = (r: Row, by: readonly TotalDimension[]): Group => ({
  ...Object.fromEntries(by.map((d) => [d, r[d]])),
  count: r.count as number,
});

/** Amounts and fees; `rule` is the fee row. */
export async function amountTotals(
  db: Database,
  f: TotalsFilter,
  by: readonly TotalDimension[],
): Promise<AmountSums[]> {
  return (await sums(db, 'amounts', f, by)).map((r) => ({
    ...groupOf(r, by),
    ...amountsOf(r),
  }));
}

/** Taxes by rule. */
export async function taxTotals(db: Database, f: TotalsFilter, by: readonly TotalDimension[]): Promise<TaxSums[]> {
  return (await sums(db, 'taxes', f, by)).map((r) => ({
    ...groupOf(r, by),
    taxable: r.taxable as string,
    tax: r.tax as string,
  }));
}

/** What was contributed to the bases of taxes due by periodic return; payouts take from gross gaming revenue. */
export async function accrualTotals(
  db: Database,
  f: TotalsFilter,
  by: readonly TotalDimension[],
): Promise<AccrualSums[]> {
  return (await sums(db, 'accruals', f, by)).map((r) => ({
    ...groupOf(r, by),
    contribution: r.contribution as string,
  }));
}

/** Journal entries of one PSP that belong into totals and are not in them yet, those that were set aside among them. */
export async function totalsLag(db: Database, psp: string): Promise<number> {
  const [r] = await db.query(
    `SELECT count(*) AS lag FROM journal WHERE psp_id = $1 AND kind = ANY ($3)
       AND seq > coalesce((SELECT seq FROM journal_cursors WHERE psp_id = $1 AND reader = $2), 0)`,
    [psp, totalsReader, countedKinds],
  );
  return (r?.lag as number) + (await countSetAside(db, totalsReader, [psp]));
}
