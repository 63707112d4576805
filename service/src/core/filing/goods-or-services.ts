// Whether what was sold was goods or services, which the return of the one-stop shop keeps apart (Directive 2006/112/EC, article
// 369g): by what the caller said, else by what is sold, else by the code of the merchant. Decides no tax. Pure.
import { isDate } from '../calendar.ts';
import { mccRange } from '../tax/rule.ts';
import { type GoodsCategory, type Supply, supplies } from '../tax/supplies.ts';

export const supplyKinds = ['GOODS', 'SERVICES'] as const;
export type SupplyKind = (typeof supplyKinds)[number];

/**
 * Why nobody knows: the code stands for both, or for nothing that is sold; no code was given; a basket has goods and services;
 * or the sale is in the totals and not among the transactions, as of entries that were not counted yet.
 */
export const unknownKinds = ['CODE_OF_BOTH', 'NO_CODE', 'BASKET_OF_BOTH', 'NOT_READ'] as const;
export type UnknownKind = (typeof unknownKinds)[number];
export type KindFound = SupplyKind | UnknownKind;

export const isKnown = (found: KindFound): found is SupplyKind => found === 'GOODS' || found === 'SERVICES';

interface KindSource {
  readonly title: string;
  readonly publisher: string;
  readonly url: string;
  readonly publishedOn: string;
  readonly retrievedOn: string;
  readonly says: string;
}

interface KindRow {
  readonly kind: SupplyKind | 'BOTH';
  readonly source: string;
  readonly legalRef: string;
}

/** The data file: merchants by their code, and what the caller or a tax profile may say of what is sold. */
export interface KindTable {
  readonly sources: Readonly<Record<string, KindSource>>;
  readonly codes: readonly (KindRow & { readonly mccRanges: readonly string[]; readonly says: string })[];
  readonly supplies: readonly (KindRow & { readonly supply: Supply })[];
}

const codesOf = (ranges: readonly string[]): number[] =>
  ranges.map(mccRange).flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i));

/** What is wrong with the table, one sentence each; none if nothing is. */
export function kindProblems({ sources, codes, supplies: sold }: KindTable): string[] {
  const named = codes.flatMap((r) => codesOf(r.mccRanges));
  const rows = [...codes, ...sold];
  return [
    ...Object.entries(sources).flatMap(([key, s]) => [
      ...(isDate(s.publishedOn) && isDate(s.retrievedOn) ? [] : [`${key}: its days must be dates`]),
      ...(s.url.startsWith('https://') && s.says.length > 20
        ? []
        : [`${key}: must say where it was read, and what it says`]),
      ...(rows.some((r) => r.source === key) ? [] : [`${key}: no row rests on it`]),
    ]),
    ...rows.flatMap((r, i) => [
      ...(r.source in sources ? [] : [`row ${i + 1}: no source ${r.source}`]),
      ...([...supplyKinds, 'BOTH'].includes(r.kind) ? [] : [`row ${i + 1}: no kind ${r.kind}`]),
      ...(r.legalRef.length > 3 ? [] : [`row ${i + 1}: the provision must be named`]),
    ]),
    ...named.filter((code, i) => named.indexOf(code) < i).map((code) => `code ${code} stands in two rows`),
    ...supplies
      .filter((s) => sold.filter((r) => r.supply === s).length !== 1)
      .map((s) => `${s} must stand in one row of supplies`),
  ];
}

/** What a record says of what was sold. */
export interface SaidOfSale {
  /** By the caller: `taxDetails.kind`. */
  readonly told?: SupplyKind | undefined;
  /** What is sold, by the caller or the tax profile. */
  readonly supply?: Supply | undefined;
  /** Of a basket whose lines have categories, one of each; undefined for what the sale as a whole is of. */
  readonly goods?: readonly (GoodsCategory | undefined)[] | undefined;
  readonly mcc?: string | undefined;
}

export class SupplyKinds {
  readonly #codes = new Map<number, KindRow['kind']>();
  readonly #supplies: ReadonlyMap<Supply, KindRow['kind']>;

  constructor({ codes, supplies: sold }: KindTable) {
    for (const r of codes) for (const code of codesOf(r.mccRanges)) this.#codes.set(code, r.kind);
    this.#supplies = new Map(sold.map((r) => [r.supply, r.kind]));
  }

  /** What merchants of a code sell; undefined for a code that no row names. */
  ofCode = (mcc: string): KindRow['kind'] | undefined => this.#codes.get(Number(mcc));

  of({ told, supply, goods, mcc }: SaidOfSale): KindFound {
    if (told !== undefined) return told;
    if (goods === undefined) return this.#one(supply, mcc);
    const found = [...new Set(goods.map((g) => this.#one(g === undefined ? supply : g, mcc)))];
    const [first] = found;
    if (first === undefined || found.length === 1) return first ?? this.#one(supply, mcc);
    return found.find((k) => !isKnown(k)) ?? 'BASKET_OF_BOTH';
  }

  #one(sold: GoodsCategory | undefined, mcc: string | undefined): KindFound {
    const said = sold === undefined || sold === 'other' ? undefined : this.#supplies.get(sold);
    if (said !== undefined && said !== 'BOTH') return said;
    if (mcc === undefined) return said === undefined ? 'NO_CODE' : 'CODE_OF_BOTH';
    const kind = this.ofCode(mcc);
    return kind === undefined || kind === 'BOTH' ? 'CODE_OF_BOTH' : kind;
  }
}
