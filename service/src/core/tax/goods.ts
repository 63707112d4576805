// What is sold in one sale, where it is of several kinds: the lines of a basket. Each kind bears the contained taxes of its
// own rules; all other taxes are those of the sale. Pure; amounts are integers in the asset's smallest unit.
import { allocate } from '../money.ts';
import type { Asset } from '../reference.ts';
import type { TaxPlan } from './book.ts';
import { addedTaxes, containedTaxes, type Taxes, type TaxLine } from './split.ts';
import type { GoodsCategory } from './supplies.ts';

/** Goods of one kind. */
export interface Goods {
  /** What they are; undefined for what the sale as a whole is of. */
  readonly category?: GoodsCategory | undefined;
  /** The part of the gross that bears VAT. */
  readonly taxable: bigint;
}

/** Goods with the rules for them. */
export interface TaxedGoods extends Pick<Goods, 'category'> {
  readonly plan: TaxPlan;
  readonly gross: bigint;
}

export const grossOf = (goods: readonly TaxedGoods[]): bigint => goods.reduce((sum, g) => sum + g.gross, 0n);

interface Together extends Pick<TaxedGoods, 'plan' | 'gross'> {
  readonly of: readonly TaxedGoods[];
}

/** Goods that bear the same rates, which are taxed together: an invoice rounds the tax of a rate once. */
function byRates(goods: readonly TaxedGoods[]): readonly Together[] {
  const found = new Map<string, Together>();
  for (const g of goods) {
    const rates = g.plan.inclusive.map(({ rule }) => `${rule.taxCode} ${rule.rate} ${rule.rounding}`).sort();
    const before = found.get(rates.join());
    const gross = (before?.gross ?? 0n) + g.gross;
    found.set(rates.join(), { plan: g.plan, gross, of: [...(before?.of ?? []), g] });
  }
  return [...found.values()];
}

/** Taxes contained in goods, one line for each rule. */
export function containedIn(goods: readonly TaxedGoods[], taxes = containedTaxes): Taxes {
  const [first] = goods;
  if (first !== undefined && goods.length === 1) return taxes(first.plan, first.gross);
  let total = 0n;
  const lines = new Map<string, TaxLine>();
  for (const { plan, gross, of } of byRates(goods)) {
    const contained = taxes(plan, gross);
    total += contained.total;
    const weights = of.map((g) => g.gross);
    for (const [n, l] of contained.lines.entries()) {
      // Each line is that of the rule in its place.
      const code = plan.inclusive[n]?.rule.taxCode;
      const [taxable, tax] = [allocate(l.taxable, weights), allocate(l.tax, weights)];
      for (const [i, g] of of.entries()) {
        const ruleId = g.plan.inclusive.find((c) => c.rule.taxCode === code)?.rule.ruleId as string;
        const before = lines.get(ruleId) ?? { taxable: 0n, tax: 0n };
        lines.set(ruleId, {
          ruleId,
          taxable: before.taxable + (taxable[i] as bigint),
          tax: before.tax + (tax[i] as bigint),
        });
      }
    }
  }
  return { total, lines: [...lines.values()] };
}

interface Line {
  readonly subTotal: bigint;
  /** Bears no VAT. */
  readonly exempt: boolean;
  readonly category?: GoodsCategory | undefined;
}

interface SharedLines {
  /** One of each kind, in the order of the lines. */
  readonly goods: readonly Goods[];
  /** The part of the total that is each line's. */
  readonly shares: readonly bigint[];
  /** The part of each line that bears VAT. */
  readonly taxed: readonly bigint[];
}

/** Allocates a basket's total to its lines by their subtotals, and finds which part bears VAT. */
export function shareLines(total: bigint, lines: readonly Line[]): SharedLines {
  const weight = lines.reduce((a, l) => a + l.subTotal, 0n);
  // If all lines are free of charge there are no weights, so they get equal shares.
  const shares = allocate(
    total,
    lines.map((l) => (weight === 0n ? 1n : l.subTotal)),
  );
  const taxed = shares.map((s, i) => (lines[i]?.exempt ? 0n : s));
  const goods = new Map<GoodsCategory | undefined, bigint>();
  for (const [i, { category, exempt }] of lines.entries())
    if (!exempt) goods.set(category, (goods.get(category) ?? 0n) + (taxed[i] as bigint));
  const found = [...goods].map(([category, taxable]) => ({ category, taxable }));
  return { goods: found.length === 0 ? [{ taxable: 0n }] : found, shares, taxed };
}

/**
 * The tax of each line. The tax of goods is shared over their lines, and levies on the payment over all, exempt ones too.
 * @param moved what is paid through the PSP
 */
export function taxOfLines(
  lines: readonly Line[],
  { shares, taxed }: Pick<SharedLines, 'shares' | 'taxed'>,
  plan: TaxPlan,
  goods: readonly TaxedGoods[],
  moved: bigint,
  asset: Asset,
): bigint[] {
  const each = taxed.map(() => 0n);
  const share = (tax: bigint, weights: readonly bigint[]) => {
    if (weights.every((w) => w === 0n)) return;
    for (const [i, part] of allocate(tax, weights).entries()) each[i] = (each[i] as bigint) + part;
  };
  for (const { plan: own, gross, of } of byRates(goods)) {
    const isOne = (l: Line | undefined) => of.some((g) => g.category === l?.category);
    share(
      containedTaxes(own, gross).total,
      taxed.map((t, i) => (isOne(lines[i]) ? t : 0n)),
    );
  }
  share(addedTaxes(plan.added, moved, asset).total, shares);
  return each;
}
