// Collects what a published file says, and refuses what could be read in two ways. Rates stay decimal text as published.
import { isDate } from '../calendar.ts';
import { ratio } from '../money.ts';
import { phrase, type Said, said } from '../said.ts';
import type { PublisherId, RateKind } from './publishers.ts';

/** A published rate. */
export interface Quote {
  readonly currency: string;
  /** The day, or the first day of the month. */
  readonly day: string;
  /** CURRENCY: `units` of the currency cost `rate` of the base. BASE: `units` of the base cost `rate` of the currency. */
  readonly per: 'CURRENCY' | 'BASE';
  readonly units: number;
  /** Decimal text as published, with a point. */
  readonly rate: string;
}

export interface RateFile {
  readonly publisher: PublisherId;
  readonly kind: RateKind;
  /** In the order of currency and day. */
  readonly quotes: readonly Quote[];
}

/** Why a file is refused. Thrown by the readers and returned by `readRateFile`. */
export class FileFault extends Error {
  /** Offset in the text; undefined where the fault has no place. */
  readonly at: number | undefined;

  /** Why, in words that have their French. */
  readonly said: Said;

  constructor(why: Said | string, at?: number) {
    super(String(why));
    this.name = 'FileFault';
    this.said = phrase(why);
    this.at = at;
  }
}

const rateText = /^(?:0|[1-9]\d{0,11})(?:\.\d{1,12})?$/;
const unitsAllowed = new Set([1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]);

/** Whether two rates have the same value, in whatever units they are quoted. */
export function isSameRate(a: Omit<Quote, 'currency' | 'day'>, b: Omit<Quote, 'currency' | 'day'>): boolean {
  const [x, y] = [ratio(a.rate), ratio(b.rate)];
  return a.per === b.per && x.n * y.d * BigInt(b.units) === y.n * x.d * BigInt(a.units);
}

export class Quotes {
  readonly #from: string;
  readonly #base: string;
  readonly #found = new Map<string, Quote>();

  /** @param from first day that is read; earlier rows are passed over */
  constructor(base: string, from: string) {
    this.#base = base;
    this.#from = from;
  }

  /** Whether rows of the day are read. @throws FileFault if it is no day */
  takes(day: string | undefined, at?: number): day is string {
    if (day === undefined || !isDate(day)) throw new FileFault(said`the day is not a date`, at);
    return day >= this.#from;
  }

  /** @throws FileFault if the rate cannot be used, or another one was given for the same day */
  add(quote: Quote, at?: number): void {
    const { currency, day, units, rate } = quote;
    if (!/^[A-Z]{3}$/.test(currency)) throw new FileFault(said`'${currency.slice(0, 20)}' is not a currency code`, at);
    if (currency === this.#base) throw new FileFault(said`it quotes its own currency, ${currency}`, at);
    if (!rateText.test(rate))
      throw new FileFault(said`the rate '${rate.slice(0, 30)}' of ${currency} is not a decimal`, at);
    if (/^[0.]+$/.test(rate)) throw new FileFault(said`the rate of ${currency} is 0`, at);
    if (Number.isNaN(units)) throw new FileFault(said`the units of ${currency} are not a whole number`, at);
    if (!unitsAllowed.has(units))
      throw new FileFault(said`${currency} is quoted for ${units} units, not 1, 10, 100 …`, at);
    const key = `${currency} ${day}`;
    const other = this.#found.get(key);
    if (other && !isSameRate(other, quote))
      throw new FileFault(said`${currency} has two rates for ${day}: ${other.rate} and ${rate}`, at);
    if (!other) this.#found.set(key, quote);
  }

  all(): Quote[] {
    return [...this.#found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, quote]) => quote);
  }
}
