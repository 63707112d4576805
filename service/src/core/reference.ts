// Currencies, crypto assets, countries and merchant category codes: lookups in the data files, and refusals for unknown
// codes.
import { shownPlainly } from './characters.ts';
import { type Decimal, unitsAt } from './money.ts';
import { type Refusal, refuse, said } from './refusal.ts';

export interface Currency {
  readonly code: string;
  readonly decimals: number;
  readonly name: string;
  /** First day in use, ISO date; null = before any date the service handles. */
  readonly validFrom: string | null;
  /** First day after its use ended. */
  readonly validTo: string | null;
}

export interface CryptoAsset {
  readonly symbol: string;
  readonly network: string;
  readonly decimals: number;
  readonly name: string;
  readonly default?: boolean;
  /** Whether staff added it to the shipped ones. */
  readonly added?: boolean;
}

export interface Country {
  readonly alpha2: string;
  readonly alpha3: string | null;
  readonly name: string;
  readonly currency: string | null;
  readonly timeZone: string | null;
  readonly callingCode: string | null;
}

interface MccRow {
  readonly mcc?: string;
  readonly from?: string;
  readonly to?: string;
  readonly name: string;
}

export interface ReferenceData {
  readonly currencies: readonly Currency[];
  readonly assets: readonly CryptoAsset[];
  readonly countries: readonly Country[];
  readonly aliases: Readonly<Record<string, string>>;
  readonly mccs: readonly MccRow[];
}

/** The unit of an amount: a currency or a crypto asset, with its number of decimals. */
export interface Asset {
  readonly code: string;
  readonly decimals: number;
  /** The decimals of the network with the fewest, where its networks differ or staff added one. */
  readonly fewest?: number;
  /** The decimals of a crypto asset as shipped, in which amounts are that do not say theirs. */
  readonly shipped?: number;
}

/**
 * The same with the decimals that its parts are worked out in: what is worked out of amounts that any of its networks can
 * carry can be sent on any of them too.
 * @param amounts as given
 */
export function workedOutIn(asset: Asset, amounts: readonly (Decimal | undefined)[]): Asset {
  const { fewest } = asset;
  const fits = (d: Decimal | undefined) => d === undefined || unitsAt(d, fewest ?? 0) !== undefined;
  return fewest !== undefined && amounts.every(fits) ? { ...asset, decimals: fewest } : asset;
}

const noNetworks: readonly string[] = [];

/** A code in capitals. Letters outside ASCII stay as they are: ſ and ı would become S and I. */
export const capitals = (code: string): string => code.replace(/[a-z]+/g, (letters) => letters.toUpperCase());

export class Reference {
  readonly countries: readonly Country[];
  readonly currencies: readonly Currency[];
  readonly #currencies: Map<string, Currency>;
  /** By symbol, then by network. */
  readonly #onNetworks = new Map<string, Map<string, CryptoAsset>>();
  readonly #assets = new Map<string, Asset>();
  readonly #networks = new Map<string, readonly string[]>();
  readonly #countries = new Map<string, Country>();
  readonly #mccs = new Set<string>();
  readonly #mccRanges: (readonly [string, string])[] = [];

  constructor(data: ReferenceData) {
    this.countries = data.countries;
    this.currencies = data.currencies;
    this.#currencies = new Map(data.currencies.map((c) => [c.code, c]));
    for (const a of data.assets) this.addAsset(a);
    for (const c of data.countries) {
      this.#countries.set(c.alpha2, c);
      if (c.alpha3) this.#countries.set(c.alpha3, c);
    }
    for (const [alias, code] of Object.entries(data.aliases)) {
      const c = this.#countries.get(code);
      if (c) this.#countries.set(alias, c);
    }
    for (const m of data.mccs) {
      if (m.mcc) this.#mccs.add(m.mcc);
      else if (m.from && m.to) this.#mccRanges.push([m.from, m.to]);
    }
  }

  /** One for each network of an asset. */
  get assets(): readonly CryptoAsset[] {
    return [...this.#onNetworks.values()].flatMap((on) => [...on.values()]);
  }

  /** Adds an asset, or a network of one. One that is known there keeps its row, unless the new one has more decimals. */
  addAsset(added: CryptoAsset): void {
    const { symbol } = added;
    const on = this.#onNetworks.get(symbol) ?? new Map<string, CryptoAsset>();
    const known = on.get(added.network);
    if (known && known.decimals >= added.decimals) return;
    on.set(added.network, added);
    this.#onNetworks.set(symbol, on);
    // A symbol without a network takes the most decimals any of its networks has, so that no exact amount is refused
    // because the wire format has no network field.
    const all = [...on.values()].map((a) => a.decimals);
    const [fewest, decimals] = [Math.min(...all), Math.max(...all)];
    const shipped = added.added ? this.#assets.get(symbol)?.shipped : decimals;
    this.#assets.set(symbol, {
      ...{ code: symbol, decimals },
      ...(fewest === decimals && !added.added ? {} : { fewest }),
      ...(shipped === undefined ? {} : { shipped }),
    });
    this.#networks.set(symbol, [...on.keys()]);
  }

  /** Whether a code is one of ISO 4217, in use or not. */
  isCurrency(code: string): boolean {
    return this.#currencies.has(code);
  }

  /** ISO 3166-1 alpha-2 or alpha-3, any case, or a VAT alias such as EL. */
  country(text: string, field = 'countryCode'): Country | Refusal {
    const found = text.length <= 3 ? this.#countries.get(capitals(text)) : undefined;
    return (
      found ?? refuse('UNKNOWN_COUNTRY', said`the field '${field}' is not an ISO 3166-1 country code: '${clip(text)}'`)
    );
  }

  /**
   * ISO 4217 code in use on `date`, or (if `crypto`) a known asset symbol; any case.
   * @param date ISO date; a withdrawn code is refused from the day it ends
   */
  asset(text: string, date: string, crypto: boolean, field = 'currency'): Asset | Refusal {
    const code = capitals(text);
    const c = code.length === 3 ? this.#currencies.get(code) : undefined;
    if (c) {
      if ((c.validFrom && date < c.validFrom) || (c.validTo && date >= c.validTo)) {
        const when =
          c.validTo && date >= c.validTo ? said`was withdrawn on ${c.validTo}` : said`is in use from ${c.validFrom}`;
        return refuse('UNKNOWN_CURRENCY', said`the field '${field}' names '${code}', which ${when}`);
      }
      return c;
    }
    const a = crypto && code.length <= 12 ? this.#assets.get(code) : undefined;
    const kinds = crypto ? said`an ISO 4217 currency code or a known crypto asset` : said`an ISO 4217 currency code`;
    return a ?? refuse('UNKNOWN_CURRENCY', said`the field '${field}' is not ${kinds}: '${clip(text)}'`);
  }

  /** Networks of a crypto asset, always in the same order; empty for a currency. */
  networks(code: string): readonly string[] {
    return (this.#currencies.has(code) ? undefined : this.#networks.get(code)) ?? noNetworks;
  }

  mcc(text: string): string | Refusal {
    if (/^\d{4}$/.test(text)) {
      if (this.#mccs.has(text) || this.#mccRanges.some(([from, to]) => text >= from && text <= to)) return text;
    }
    return refuse('UNKNOWN_MCC', said`the field 'mcc' is not a merchant category code (ISO 18245): '${clip(text)}'`);
  }
}

/** Shortens a caller's text and writes out characters that would steer a screen, before a message quotes it. */
export function clip(text: string): string {
  return shownPlainly(text.length <= 40 ? text : `${text.slice(0, 40)}…`);
}
