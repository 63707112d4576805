// The return of the one-stop shop of the European Union (Directive 2006/112/EC, articles 364 to 367 and 369f to 369i): VAT on
// sales to consumers in other Member States, by state, goods or services and rate, with corrections of earlier quarters. Pure.
import { convert } from '../exchange/convert.ts';
import { byKey, groupedBy } from '../grouped.ts';
import { quarterEnd } from '../reports/quarter.ts';
import { differenceOf, isNegative, isZero, negated, plain, sumOf } from '../sums.ts';
import { contest, type TaxRule } from '../tax/rule.ts';
import { correctionsOf, type FiledReturn } from './adjust.ts';
import { type FilingForm, isRated } from './form.ts';
import { isKnown, type KindFound, type SupplyKind } from './goods-or-services.ts';
import { type AppliedRate, type RateOf, sums } from './lines.ts';

/** The form that a filed return of the one-stop shop is of. */
export const shopForm = 'EU-OSS';

/** Whether the shop declares what a rule of another Member State charges: VAT above zero on sales. */
export const isOfShop = (r: TaxRule): boolean => r.taxCode === 'VAT' && contest(r.base) === 'sale' && isRated(r);

/** Its quarters and the day they are due, as a form has them (articles 364 and 369f). */
export const shopRhythm = {
  form: shopForm,
  validFrom: '2021-07-01',
  validTo: null,
  periods: [{ months: 3, who: 'all who are registered for the scheme' }],
  due: { monthsAfter: 1, day: 'LAST' },
} as const satisfies Pick<FilingForm, 'form' | 'validFrom' | 'validTo' | 'periods' | 'due'>;

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
interface ShopLine extends ShopPart {
  readonly foreignTaxable: string;
  readonly foreignTax: string;
  readonly exchange: AppliedRate | undefined;
}

export interface ShopRate {
  readonly rateType: 'STANDARD' | 'REDUCED';
  readonly rate: string;
}

/** Sales of a quarter, as divided by what its records say: a part of the tax of a rule in a Member State. */
export interface KindOfSales extends Omit<ShopPart, 'quarter'> {
  readonly kind: KindFound;
  /** Alpha-2 of the Member State that goods are sent from, or services supplied from; undefined if nobody said. */
  readonly from: string | undefined;
  /** Code of the merchant, where the kind is not known; undefined if there was none. */
  readonly mcc: string | undefined;
}

/** A line of the return: article 369g, paragraphs 1 to 3. */
export interface ShopSupply extends ShopRate, Pick<KindOfSales, 'country' | 'from' | 'taxable' | 'tax'> {
  readonly kind: SupplyKind | 'UNKNOWN';
}

/** Of supplies of an unknown kind, why nobody knows. */
export interface ShopUnknown extends ShopRate, Omit<KindOfSales, 'rule' | 'currency' | 'from'> {}

interface ShopBalance {
  readonly country: string;
  readonly supplies: string;
  readonly corrections: string;
  readonly balance: string;
}

export interface ShopCorrection {
  readonly country: string;
  readonly quarter: string;
  readonly tax: string;
}

export interface ShopReturn {
  /** Of all quarters, in the order of their states. */
  readonly lines: readonly ShopLine[];
  /** Parts without a rate of exchange: they are in no figure. */
  readonly notConverted: readonly ShopPart[];
  /** Sales of the quarter. */
  readonly supplies: readonly ShopSupply[];
  /** Those of them that are of an unknown kind. */
  readonly unknown: readonly ShopUnknown[];
  /** What changed of the VAT of earlier quarters. */
  readonly corrections: readonly ShopCorrection[];
  /** What changed in quarters that are too old for a later return: each goes to its state itself. */
  readonly tooOld: readonly ShopCorrection[];
  readonly balances: readonly ShopBalance[];
  /** Sum of the balances above zero: a state's negative balance is not set off against what another is owed. */
  readonly payable: string;
}

const total = (rows: readonly { readonly tax: string }[]): string => sumOf(rows.map((r) => r.tax));

/** Cents are kept: amounts are not rounded to whole units (Implementing Regulation 282/2011, article 60). */
const cents = (amount: string, by: AppliedRate | undefined): string =>
  plain(by === undefined ? amount : convert(amount, by.exact, 2));

const quarterNumber = (name: string): number => Number(name.slice(0, 4)) * 4 + Number(name.slice(6));

/** A later return corrects an earlier one within three years of the day that was due (article 61): in twelve quarters. */
export const isCorrectable = (quarter: string, by: string): boolean => quarterNumber(by) - quarterNumber(quarter) <= 12;

export interface ShopAsked {
  readonly quarter: string;
  /** Of the quarter; of earlier ones that are followed all there is of them today, and of others what changed in the quarter. */
  readonly parts: readonly ShopPart[];
  /** Returns filed before. */
  readonly filings: readonly FiledReturn[];
  /** Quarters that were filed, which are corrected by what differs from what was declared. */
  readonly followed: ReadonlySet<string>;
  /** Into euros, of a quarter's last day, which counts. */
  readonly rateOf: RateOf;
  readonly rateTypeOf: (rule: string) => ShopRate | undefined;
  /** The sales of the quarter, divided; what it lacks of the parts is of an unknown kind. */
  readonly kinds: readonly KindOfSales[];
  readonly countryOf: (rule: string) => string;
}

export function shopReturn({ quarter, parts, rateOf, rateTypeOf, ...of }: ShopAsked): ShopReturn {
  const today: ShopLine[] = [];
  const notConverted: ShopPart[] = [];
  const inOrder = groupedBy(parts, ['country', 'quarter', 'rule', 'currency']).sort(byKey);
  for (const { rows, key: _, ...group } of inOrder) {
    const part: ShopPart = { ...group, ...sums(rows, 'taxable', 'tax') };
    if (isZero(part.taxable) && isZero(part.tax)) continue;
    const exchange = part.currency === 'EUR' ? undefined : rateOf(part.currency, quarterEnd(part.quarter));
    if (part.currency !== 'EUR' && exchange === undefined) notConverted.push(part);
    else
      today.push({
        ...part,
        foreignTaxable: plain(part.taxable),
        foreignTax: plain(part.tax),
        taxable: cents(part.taxable, exchange),
        tax: cents(part.tax, exchange),
        exchange,
      });
  }
  const changed = [...of.followed].flatMap((name) => {
    const lines = today.filter((l) => l.quarter === name);
    const figures = lines.map(({ country: _, quarter: __, exchange: ___, ...line }) => line);
    return correctionsOf(name, figures, of.filings).map(({ period, operation: _, ...c }): ShopLine => {
      const exchange = lines.find((l) => l.rule === c.rule && l.currency === c.currency)?.exchange;
      return { ...c, country: of.countryOf(c.rule), quarter: period, exchange };
    });
  });
  const all = [...today.filter((l) => !of.followed.has(l.quarter)), ...changed];
  const lines = all.filter((l) => isCorrectable(l.quarter, quarter));
  const rated = lines.flatMap((l) => {
    const rate = l.quarter === quarter ? rateTypeOf(l.rule) : undefined;
    return rate ? divided(l, of.kinds).map((part) => ({ ...part, ...rate })) : [];
  });
  const supplies = suppliesOf(rated);
  const corrections = correctionsIn(lines.filter((l) => l.quarter !== quarter));
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
    unknown: unknownOf(rated),
    corrections,
    tooOld: correctionsIn(all.filter((l) => !isCorrectable(l.quarter, quarter))),
    balances,
    payable: payableOf(balances.map((b) => b.balance)),
  };
}

/** A line by goods and services, in the currency of the return: the parts add up to the line. */
function divided(line: ShopLine, kinds: readonly KindOfSales[]): KindOfSales[] {
  const { country, rule, currency, exchange } = line;
  const own = kinds.filter((k) => k.country === country && k.rule === rule && k.currency === currency);
  const lacks = {
    taxable: differenceOf(line.foreignTaxable, sumOf(own.map((k) => k.taxable))),
    tax: differenceOf(line.foreignTax, sumOf(own.map((k) => k.tax))),
  };
  const parts = [
    ...own,
    { country, rule, currency, kind: 'NOT_READ' as const, from: undefined, mcc: undefined, ...lacks },
  ]
    .filter((k) => !isZero(k.taxable) || !isZero(k.tax))
    .map((k) => ({ ...k, taxable: cents(k.taxable, exchange), tax: cents(k.tax, exchange) }));
  const [first, ...more] = parts;
  if (first === undefined) return [];
  const largest = more.reduce((most, p) => (isLess(most.taxable, p.taxable) ? p : most), first);
  const others = parts.filter((p) => p !== largest);
  // What the rounding of each part leaves goes with the largest.
  const rest = (of: 'taxable' | 'tax') => differenceOf(line[of], sumOf(others.map((k) => k[of])));
  return [{ ...largest, taxable: rest('taxable'), tax: rest('tax') }, ...others];
}

/** By their amounts, whatever the signs. */
const isLess = (a: string, b: string): boolean => isNegative(differenceOf(size(a), size(b)));
const size = (amount: string): string => (isNegative(amount) ? negated(amount) : amount);

type RatedKind = KindOfSales & ShopRate;
const kindOrder = ['GOODS', 'SERVICES', 'UNKNOWN'] as const satisfies readonly ShopSupply['kind'][];

/** In the order of the form: by state, goods before services, and where they are supplied from. */
const suppliesOf = (parts: readonly RatedKind[]): ShopSupply[] =>
  groupedBy(
    parts.map((p) => ({ ...p, kind: isKnown(p.kind) ? p.kind : ('UNKNOWN' as const) })),
    ['country', 'kind', 'from', 'rateType', 'rate'],
  )
    .map(({ key: _, rows, ...line }): ShopSupply => ({ ...line, ...sums(rows, 'taxable', 'tax') }))
    .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));

const placeOf = (s: ShopSupply): string =>
  [s.country, kindOrder.indexOf(s.kind), s.from ?? '', s.rateType === 'STANDARD' ? 0 : 1, s.rate.padStart(9)].join();

const unknownOf = (parts: readonly RatedKind[]): ShopUnknown[] =>
  groupedBy(
    parts.filter((p) => !isKnown(p.kind)),
    ['country', 'kind', 'mcc', 'rateType', 'rate'],
  )
    .sort(byKey)
    .map(({ key: _, rows, ...line }) => ({ ...line, ...sums(rows, 'taxable', 'tax') }));

/** Sum of the balances above zero. */
export const payableOf = (balances: readonly string[]): string => sumOf(balances.filter((b) => !isNegative(b)));

const correctionsIn = (lines: readonly ShopLine[]): ShopCorrection[] =>
  groupedBy(lines, ['country', 'quarter'])
    .map(({ country, quarter, rows }) => ({ country, quarter, ...sums(rows, 'tax') }))
    .filter((c) => !isZero(c.tax));
