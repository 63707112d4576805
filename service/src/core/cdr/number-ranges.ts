// Finds the network that a national number was assigned to, and the network that a provider's name means. Prefixes show
// the network to which a range was assigned, not the one that serves a number that was ported since.

interface NetworkRanges {
  /** Name of the network in its country, the same in all its rows. */
  readonly network: string;
  /** Names that providers use for it, without legal form and country. */
  readonly names: readonly string[];
  /** Digits after the calling code. */
  readonly prefixes: readonly string[];
  readonly source: string;
  readonly confidence: 'official' | 'secondary' | 'unverified';
}

export interface NumberRangeData {
  readonly sources: Readonly<Record<string, { readonly title: string }>>;
  readonly countries: readonly {
    /** ISO 3166-1 alpha-2. */
    readonly country: string;
    readonly callingCode: string;
    readonly networks: readonly NetworkRanges[];
  }[];
}

export interface Network {
  readonly country: string;
  readonly network: string;
}

/** Words of a provider's name that do not distinguish networks. */
const legalForms = new Set('LTD LIMITED PLC SA INC CO LLC COMMUNICATIONS NETWORKS NETWORK'.split(' '));
/** Most provider names in the cache, which is cleared when it is full. Names differ by file, not by record. */
const mostNames = 10_000;

const words = (text: string): string[] => text.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? [];

export class NumberRanges {
  /** Version of the data, stored with every analysis. */
  readonly version: string;
  readonly #prefixes = new Map<string, string>();
  readonly #longest = new Map<string, number>();
  readonly #names = new Map<string, string>();
  readonly #countryNames: readonly { readonly country: string; readonly words: readonly string[] }[];
  readonly #asked = new Map<string, Network | undefined>();

  /** @param countries codes and names of countries that may occur in a provider's name */
  constructor(
    version: string,
    data: NumberRangeData,
    countries: readonly { readonly alpha2: string; readonly alpha3: string | null; readonly name: string }[],
  ) {
    this.version = version;
    for (const c of data.countries)
      for (const n of c.networks) {
        for (const p of n.prefixes) {
          this.#prefixes.set(`${c.country}+${c.callingCode}${p}`, n.network);
          const length = 1 + c.callingCode.length + p.length;
          this.#longest.set(c.country, Math.max(length, this.#longest.get(c.country) ?? 0));
        }
        for (const name of n.names) this.#names.set(`${c.country}|${words(name).join(' ')}`, n.network);
      }
    this.#countryNames = countries.flatMap((c) =>
      [c.name, c.alpha2, ...(c.alpha3 ? [c.alpha3] : [])].map((n) => ({ country: c.alpha2, words: words(n) })),
    );
  }

  /** Whether the data has ranges of the country. */
  covers(country: string): boolean {
    return this.#longest.has(country);
  }

  /** The network a number of the country was assigned to. @param number E.164 with +, or its mask */
  networkOf(number: string, country: string): string | undefined {
    for (let n = this.#longest.get(country) ?? 0; n > 1; n--) {
      const found = this.#prefixes.get(`${country}${number.slice(0, n)}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /**
   * The network that a provider's name means. Brands exist in several countries: without a country, the name means a
   * network in the operator's own country, and only with one a network abroad.
   */
  networkNamed(provider: string, own: string): Network | undefined {
    const key = `${own}|${provider}`;
    if (this.#asked.has(key)) return this.#asked.get(key);
    const found = this.#named(provider, own);
    if (this.#asked.size >= mostNames) this.#asked.clear();
    this.#asked.set(key, found);
    return found;
  }

  #named(provider: string, own: string): Network | undefined {
    const all = words(provider).filter((w) => !legalForms.has(w));
    const of = (country: string, brand: readonly string[]): Network | undefined => {
      const network = this.#names.get(`${country}|${brand.join(' ')}`);
      return network === undefined ? undefined : { country, network };
    };
    const plain = of(own, all);
    if (plain) return plain;
    for (const { country, words: last } of this.#countryNames) {
      const brand = all.slice(0, -last.length);
      if (brand.length === 0 || all.slice(-last.length).join(' ') !== last.join(' ')) continue;
      const found = of(country, brand);
      if (found) return found;
    }
    return undefined;
  }
}

/** The errors in the data; empty if there are none. */
export function rangeProblems(data: NumberRangeData): string[] {
  const problems: string[] = [];
  const held = new Map<string, string>();
  for (const c of data.countries)
    for (const n of c.networks) {
      const where = `${c.country} ${n.network}`;
      if (!data.sources[n.source]) problems.push(`${where}: the source '${n.source}' is not listed`);
      for (const p of n.prefixes) {
        if (!/^\d{1,6}$/.test(p)) problems.push(`${where}: '${p}' is no prefix`);
        const before = held.get(`${c.callingCode}${p}`);
        if (before !== undefined) problems.push(`${where}: the prefix ${p} stands under ${before} too`);
        held.set(`${c.callingCode}${p}`, n.network);
      }
    }
  return problems;
}
