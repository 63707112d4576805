// Chooses the published rates that convert one currency into another on a day: directly, inverted, or crossed through the
// publisher's own currency. Nothing is estimated: without a published rate there is no conversion.
import { addDays, isDate, lastDayOf } from '../calendar.ts';
import { addRatio, decimal, divideRounded, formatUnits, mulRatio, pow10, type Ratio, ratio } from '../money.ts';
import { plainOf } from '../sums.ts';
import type { RateKind } from './publishers.ts';
import type { Quote } from './quotes.ts';

/**
 * The rate that counts. DAY: of the day, or the last one published before it. DAY_BEFORE: the last one published before
 * the day. MONTH: the authority's rate for the month. MONTH_AVERAGE: the mean of the rates published in the month.
 */
export const rateRules = ['DAY', 'DAY_BEFORE', 'MONTH', 'MONTH_AVERAGE'] as const;
export type RateRule = (typeof rateRules)[number];

export const kindOfRule = (rule: RateRule): RateKind => (rule === 'MONTH' ? 'MONTH' : 'DAY');

/** The longest gap that is bridged: the longest public holidays with their weekends leave nine days without a rate. */
const longestGapDays = 10;

export interface Conversion {
  readonly from: string;
  readonly to: string;
  /** What one unit is worth in the other currency, exactly. */
  readonly ratio: Ratio;
  /** The same as text: decimal as published, or a fraction of two decimals such as 1/1.0956. */
  readonly rate: string;
  /** Day of the rate, YYYY-MM-DD; month, YYYY-MM, of a month's rate. */
  readonly day: string;
  readonly publisher: string;
  readonly how: 'SAME' | 'DIRECT' | 'INVERSE' | 'CROSS';
  /** The published rates that were used, such as '1 EUR = 1.0956 USD'. */
  readonly published: readonly string[];
}

/** @returns undefined where no rate was published */
export type Conversions = (currency: string, day: string) => Conversion | undefined;

const monthOf = (day: string): string => day.slice(0, 7);

/** Days whose rates conversions of a range of days may need. */
export function daysNeeded(
  rule: RateRule,
  first: string,
  last: string,
): { readonly from: string; readonly to: string } {
  if (rule === 'DAY' || rule === 'DAY_BEFORE') return { from: addDays(first, -longestGapDays), to: last };
  return { from: `${monthOf(first)}-01`, to: lastDayOf(monthOf(last)) };
}

type Rated = Omit<Quote, 'day' | 'currency'>;
type ByDay = ReadonlyMap<string, Rated>;

/** Value of one unit of the currency in the base. */
function inBase({ per, units, rate }: Rated): Ratio {
  const r = ratio(rate);
  const n = BigInt(units);
  return per === 'CURRENCY' ? { n: r.n, d: r.d * n } : { n: r.d * n, d: r.n };
}

const one: Ratio = { n: 1n, d: 1n };
const inverse = ({ n, d }: Ratio): Ratio => ({ n: d, d: n });

/** Product of two decimals; a factor of 1 leaves the other one as published. */
function multiplied(a: string, b: string): string {
  if (a === '1' || b === '1') return a === '1' ? b : a;
  const [x, y] = [decimal(a), decimal(b)];
  return plainOf({ units: x.units * y.units, scale: x.scale + y.scale });
}

/** Decimal texts above and below the line of the currency's value in the base. */
const overUnder = ({ per, units, rate }: Rated): readonly [string, string] =>
  per === 'CURRENCY' ? [rate, String(units)] : [String(units), rate];

/** A fraction as text: decimal if what is below the line is a power of ten. */
function fraction(above: string, below: string): string {
  if (!/^10*$/.test(below)) return `${above}/${below}`;
  if (below === '1') return above;
  const { units, scale } = decimal(above);
  return plainOf({ units, scale: scale + below.length - 1 });
}

const publishedText = (currency: string, base: string, { per, units, rate }: Rated): string =>
  per === 'CURRENCY' ? `${units} ${currency} = ${rate} ${base}` : `${units} ${base} = ${rate} ${currency}`;

const decimalsOf = (text: string): number => text.length - (text.indexOf('.') + 1 || text.length);

/** The mean of a month's rates, rounded half up to the decimals they are published with. */
function mean(rates: readonly Rated[]): Rated | undefined {
  const last = rates.at(-1);
  if (!last) return undefined;
  const alike = rates.filter((r) => r.per === last.per);
  const sum = alike
    .map(({ rate, units }) => ({ n: ratio(rate).n * BigInt(last.units), d: ratio(rate).d * BigInt(units) }))
    .reduce(addRatio, { n: 0n, d: 1n });
  const decimals = Math.max(...alike.filter((r) => r.units === last.units).map((r) => decimalsOf(r.rate)));
  const units = divideRounded(sum.n * pow10(decimals), sum.d * BigInt(alike.length), 'HALF_UP');
  return { ...last, rate: formatUnits(units, decimals) };
}

function averages(days: ByDay): ByDay {
  const months = Map.groupBy([...days].sort(), ([day]) => monthOf(day));
  return new Map(
    [...months].flatMap(([month, of]) => {
      const rate = mean(of.map(([, r]) => r));
      return rate ? [[`${month}-01`, rate] as const] : [];
    }),
  );
}

/** Days to look at, the best first. */
function candidates(rule: RateRule, day: string): readonly string[] {
  if (rule === 'MONTH' || rule === 'MONTH_AVERAGE') return [`${monthOf(day)}-01`];
  const first = rule === 'DAY' ? 0 : 1;
  return Array.from({ length: longestGapDays + 1 - first }, (_, i) => addDays(day, -(first + i)));
}

/**
 * @param to the currency to convert into
 * @param quotes rates of the publisher: of days, or with MONTH of months; one for each currency and day
 */
export function conversionsOf(
  from: { readonly publisher: string; readonly base: string },
  rule: RateRule,
  to: string,
  quotes: readonly Quote[],
): Conversions {
  const { publisher, base } = from;
  const published = new Map(
    [...Map.groupBy(quotes, (q) => q.currency)].map(([currency, of]) => {
      const days: ByDay = new Map(of.map((q) => [q.day, q]));
      return [currency, rule === 'MONTH_AVERAGE' ? averages(days) : days] as const;
    }),
  );
  const shown = (day: string) => (rule === 'DAY' || rule === 'DAY_BEFORE' ? day : monthOf(day));

  const find = (currency: string, day: string): Conversion | undefined => {
    if (currency === to) return { from: to, to, ratio: one, rate: '1', day, publisher, how: 'SAME', published: [] };
    const sides = [currency, to].filter((c) => c !== base);
    const on = candidates(rule, day).find((d) => sides.every((c) => published.get(c)?.has(d)));
    if (on === undefined) return undefined;
    const [own, other] = [published.get(currency)?.get(on), published.get(to)?.get(on)];
    const [ownAbove, ownBelow] = own ? overUnder(own) : ['1', '1'];
    const [otherAbove, otherBelow] = other ? overUnder(other) : ['1', '1'];
    const direct = own ? own.per === 'CURRENCY' : other?.per === 'BASE';
    return {
      from: currency,
      to,
      ratio: mulRatio(own ? inBase(own) : one, other ? inverse(inBase(other)) : one),
      rate: fraction(multiplied(ownAbove, otherBelow), multiplied(ownBelow, otherAbove)),
      day: shown(on),
      publisher,
      how: own && other ? 'CROSS' : direct ? 'DIRECT' : 'INVERSE',
      published: [
        ...(own ? [publishedText(currency, base, own)] : []),
        ...(other ? [publishedText(to, base, other)] : []),
      ],
    };
  };

  const known = new Map<string, Conversion | undefined>();
  return (currency, day) => {
    if (!isDate(day)) throw new Error(`not a day: ${day}`);
    const key = `${currency} ${day}`;
    if (!known.has(key)) known.set(key, find(currency, day));
    return known.get(key);
  };
}
