// The return of the one-stop shop of the European Union (Directive 2006/112/EC, articles 364 to 367 and 369f to 369i): VAT on
// sales to consumers in other Member States, by state and rate, with corrections of earlier quarters. Pure.
import { convert } from '../exchange/convert.ts';
import { groupedBy } from '../grouped.ts';
import { quarterEnd } from '../reports/quarter.ts';
import { isNegative, isZero, plain, sumOf } from '../sums.ts';
import { type AppliedRate, type RateOf, sums } from './lines.ts';

/** The tax of a rule in a Member State, in the currency it was charged in; negative for what was given back. */
export interface ShopPart {
  /** Alpha-2, of the Member State of consumption. */
  readonly country: string;
  /** Quarter of the sale: 2026-Q3. */
  readonly quarter: string;
  readonly rule: string;
  readonly currency: string;
  readonly taxable: string;
  readonly tax: string;
}

/** A part in the currency of the return. */
export interface ShopLine extends ShopPart {
  readonly foreignTaxable: string;
  readonly foreignTax: string;
  readonly exchange: AppliedRate | undefined;
}

export interface ShopRate {
  readonly rateType: 'STANDARD' | 'REDUCED';
  readonly rate: string;
}

export interface ShopSupply extends ShopRate {
  readonly country: string;
  readonly taxable: string;
  readonly tax: string;
}

export interface ShopBalance {
  readonly country: string;
  readonly supplies: string;
  readonly corrections: string;
  readonly balance: string;
}

export interface ShopReturn {
  /** Of all quarters, in the order of their states. */
  readonly lines: readonly ShopLine[];
  /** Parts without a rate of exchange: they are in no figure. */
  readonly notConverted: readonly ShopPart[];
  /** Sales of the quarter. */
  readonly supplies: readonly ShopSupply[];
  /** What changed of the VAT of earlier quarters. */
  readonly corrections: readonly { readonly country: string; readonly quarter: string; readonly tax: string }[];
  readonly balances: readonly ShopBalance[];
  /** Sum of the balances above zero: a state's negative balance is not set off against what another is owed. */
  readonly payable: string;
}

const total = (rows: readonly { readonly tax: string }[]): string => sumOf(rows.map((r) => r.tax));

/** Cents are kept: amounts are not rounded to whole units (Implementing Regulation 282/2011, article 60). */
const cents = (amount: string, by: AppliedRate | undefined): string =>
  plain(by === undefined ? amount : convert(amount, by.exact, 2));

/**
 * @param parts of the quarter, and of earlier ones what came back of them in the quarter
 * @param rateOf into euros, of a quarter's last day, which counts
 */
export function shopReturn(
  quarter: string,
  parts: readonly ShopPart[],
  rateOf: RateOf,
  rateTypeOf: (rule: string) => ShopRate | undefined,
): ShopReturn {
  const lines: ShopLine[] = [];
  const notConverted: ShopPart[] = [];
  const inOrder = groupedBy(parts, ['country', 'quarter', 'rule', 'currency']).sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const { rows, key: _, ...of } of inOrder) {
    const part: ShopPart = { ...of, ...sums(rows, 'taxable', 'tax') };
    if (isZero(part.taxable) && isZero(part.tax)) continue;
    const exchange = part.currency === 'EUR' ? undefined : rateOf(part.currency, quarterEnd(part.quarter));
    if (part.currency !== 'EUR' && exchange === undefined) notConverted.push(part);
    else
      lines.push({
        ...part,
        foreignTaxable: plain(part.taxable),
        foreignTax: plain(part.tax),
        taxable: cents(part.taxable, exchange),
        tax: cents(part.tax, exchange),
        exchange,
      });
  }
  const rated = lines.flatMap((l) => {
    const rate = l.quarter === quarter ? rateTypeOf(l.rule) : undefined;
    return rate ? [{ ...l, ...rate }] : [];
  });
  const supplies = groupedBy(rated, ['country', 'rateType', 'rate']).map(
    ({ country, rateType, rate, rows }): ShopSupply => ({ country, rateType, rate, ...sums(rows, 'taxable', 'tax') }),
  );
  const earlier = lines.filter((l) => l.quarter !== quarter);
  const corrections = groupedBy(earlier, ['country', 'quarter'])
    .map(({ country, quarter: of, rows }) => ({ country, quarter: of, ...sums(rows, 'tax') }))
    .filter((c) => !isZero(c.tax));
  const states = [...new Set([...supplies, ...corrections].map((r) => r.country))].sort();
  const balances = states.map((country): ShopBalance => {
    const [ours, corrected] = [supplies, corrections].map((list) =>
      total(list.filter((r: { readonly country: string }) => r.country === country)),
    ) as [string, string];
    return { country, supplies: ours, corrections: corrected, balance: sumOf([ours, corrected]) };
  });
  return {
    lines,
    notConverted,
    supplies,
    corrections,
    balances,
    payable: sumOf(balances.map((b) => b.balance).filter((b) => !isNegative(b))),
  };
}
