// What a country's rules distinguish of a question: questions that no rule distinguishes share a key, and with it their
// answer. Pure.
import type { TaxQuestion } from './book.ts';
import type { Range } from './narrowest.ts';
import { type CountryTax, clientKinds, customers, mccRange, taxedOperations } from './rule.ts';
import { onTheSpotMccs, type Supply, supplies } from './supplies.ts';

/** Whether one of the ranges contains the code. */
export const isWithin = (ranges: readonly Range[], code: number): boolean =>
  ranges.some(([from, to]) => code >= from && code <= to);

/** The place of each text in the list, from 1 on: 0 is for all others. */
const placesOf = (texts: Iterable<string>): ReadonlyMap<string, number> =>
  new Map([...new Set(texts)].map((text, i) => [text, i + 1]));

const operationPlaces = placesOf(taxedOperations);
const supplyPlaces = placesOf(supplies);
const customerPlaces = placesOf(customers);
const clientPlaces = placesOf(clientKinds);
/** Merchant codes have four digits. */
const codes = 10_000;

/** Digits of a key: how many values each can have, in the order in which they are written. */
const size = (places: ReadonlyMap<string, number>): number => places.size + 1;

export class Distinctions {
  readonly #classifications: ReadonlyMap<string, number>;
  readonly #productLines: ReadonlyMap<string, number>;
  readonly #subdivisions: ReadonlyMap<string, number>;
  readonly #ranges: readonly Range[];
  /** By merchant code, its place; filled as codes are asked for. */
  readonly #codes = new Map<string, number>();
  /** Days on which a rule or fact begins or has ended, in order. */
  readonly #days: readonly string[];
  #day = '';
  #span = 0;

  constructor({ rules, discounts = [], gaming = [] }: CountryTax) {
    this.#classifications = placesOf(rules.flatMap((r) => r.classifications));
    this.#productLines = placesOf(rules.flatMap((r) => r.productLines ?? []));
    this.#subdivisions = placesOf(rules.flatMap((r) => r.subdivision ?? []));
    const ranges = rules.flatMap((r) => [...r.mccRanges, ...(r.exceptOnTheSpot ? onTheSpotMccs : [])]);
    this.#ranges = [...new Set(ranges)].map(mccRange);
    const days = [...rules, ...discounts, ...gaming].flatMap((r) => [
      r.validFrom,
      ...(r.validTo === null ? [] : [r.validTo]),
    ]);
    this.#days = [...new Set(days)].sort();
  }

  /** Whether a rule names a range with this merchant code. */
  knowsCode = (mcc: string): boolean => this.#placeOfCode(mcc) > 0;

  /**
   * A number for each question that the rules distinguish. What is seldom given is written first, so that most numbers are
   * small.
   * @param supply what is sold, by the caller or by the merchant code
   */
  keyOf(q: TaxQuestion, supply: Supply | undefined): number {
    // What the caller says of the supply is narrower than the code of the merchant.
    let key = q.mcc === undefined || q.supply !== undefined ? 0 : this.#placeOfCode(q.mcc);
    key = key * size(this.#subdivisions) + placeIn(this.#subdivisions, q.subdivision);
    key = key * size(this.#productLines) + placeIn(this.#productLines, q.productLine);
    key = key * size(customerPlaces) + placeIn(customerPlaces, q.customer);
    key = key * size(clientPlaces) + placeIn(clientPlaces, q.client);
    key = key * size(this.#classifications) + placeIn(this.#classifications, q.classification);
    key = key * size(supplyPlaces) + placeIn(supplyPlaces, supply);
    key = key * size(operationPlaces) + placeIn(operationPlaces, q.operation);
    return key * (this.#days.length + 1) + this.#spanOf(q.date);
  }

  #placeOfCode(mcc: string): number {
    const known = this.#codes.get(mcc);
    if (known !== undefined) return known;
    const code = Number(mcc);
    const place = code < codes && isWithin(this.#ranges, code) ? code + 1 : 0;
    this.#codes.set(mcc, place);
    return place;
  }

  /** How many days on which rules change are not after this one. Most questions are of one day. */
  #spanOf(day: string): number {
    if (day === this.#day) return this.#span;
    let [from, to] = [0, this.#days.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#days[middle] as string) <= day) from = middle + 1;
      else to = middle;
    }
    this.#day = day;
    this.#span = from;
    return from;
  }
}

const placeIn = (places: ReadonlyMap<string, number>, text: string | undefined): number =>
  text === undefined ? 0 : (places.get(text) ?? 0);
