// Sums what a change of rules would have made of records: by operation and currency, with the records it would have
// changed most as examples. Pure; amounts are decimal text.
import { differenceOf, isNegative, isZero, negated, plain, sumOf } from '../sums.ts';
import type { Accrual } from './accruals.ts';
import { dutyOn } from './duty.ts';
import type { TaxRule } from './rule.ts';

/** A record by the rules in force and by those proposed. */
export interface Compared {
  readonly operation: string;
  readonly currency: string;
  /** As on the wire. */
  readonly id: string;
  readonly pspId: string;
  readonly account: string;
  readonly date: string;
  readonly amount: string;
  readonly now: string;
  readonly proposed: string;
  /** Whether any of its taxes differs, even if their sum does not. */
  readonly differs: boolean;
}

export interface EffectLine {
  readonly operation: string;
  readonly currency: string;
  readonly records: number;
  readonly changed: number;
  readonly taxNow: string;
  readonly taxProposed: string;
  readonly difference: string;
}

const mostExamples = 10;
const size = (c: Compared): string => {
  const d = differenceOf(c.proposed, c.now);
  return isNegative(d) ? negated(d) : d;
};
const bySize = (a: Compared, b: Compared): number => {
  const d = differenceOf(size(b), size(a));
  return isZero(d) ? (a.id < b.id ? -1 : 1) : isNegative(d) ? -1 : 1;
};

interface Group {
  readonly operation: string;
  readonly currency: string;
  records: number;
  changed: number;
  now: string;
  proposed: string;
  largest: readonly Compared[];
}

export class EffectSums {
  readonly #groups = new Map<string, Group>();

  add(c: Compared): void {
    const key = `${c.operation} ${c.currency}`;
    let g = this.#groups.get(key);
    if (!g) {
      g = {
        ...{ operation: c.operation, currency: c.currency },
        ...{ records: 0, changed: 0, now: '0', proposed: '0', largest: [] },
      };
      this.#groups.set(key, g);
    }
    g.records++;
    g.now = sumOf([g.now, c.now]);
    g.proposed = sumOf([g.proposed, c.proposed]);
    if (!c.differs) return;
    g.changed++;
    g.largest = [...g.largest, c].sort(bySize).slice(0, mostExamples);
  }

  /** By operation and currency. */
  lines(): EffectLine[] {
    return this.#sorted().map(({ operation, currency, records, changed, now, proposed }) => ({
      ...{ operation, currency, records, changed },
      ...{ taxNow: plain(now), taxProposed: plain(proposed), difference: differenceOf(proposed, now) },
    }));
  }

  /** At most ten of the changed records: of each line in turn the one that changes most, then the next. */
  examples(): Compared[] {
    const lists = this.#sorted().map((g) => g.largest);
    const out: Compared[] = [];
    for (let i = 0; i < mostExamples; i++) out.push(...lists.flatMap((l) => l[i] ?? []));
    return out.slice(0, mostExamples);
  }

  #sorted(): Group[] {
    return [...this.#groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, g]) => g);
  }
}

/** What a play adds to the base of a duty by periodic return. */
interface Contribution extends Accrual {
  readonly account: string;
  readonly currency: string;
  readonly decimals: number;
  readonly rounding: TaxRule['rounding'];
  readonly brackets?: NonNullable<TaxRule['brackets']>;
}

export interface DutyLine {
  readonly currency: string;
  readonly taxNow: string;
  readonly taxProposed: string;
  readonly difference: string;
}

/**
 * Duties by periodic return on the summed contributions, as returns and the report ggrDuty have them: each account and
 * rule by itself, so that no loss of one reduces the duty of another.
 */
export class DutySums {
  readonly #sides = { now: new Map<string, Contribution>(), proposed: new Map<string, Contribution>() };

  add(side: 'now' | 'proposed', c: Contribution): void {
    const key = `${c.account} ${c.rule} ${c.currency}`;
    const before = this.#sides[side].get(key)?.contribution ?? '0';
    this.#sides[side].set(key, { ...c, contribution: sumOf([before, c.contribution]) });
  }

  /** By currency. */
  lines(): DutyLine[] {
    const of = (side: 'now' | 'proposed', currency: string): string =>
      sumOf(
        [...this.#sides[side].values()]
          .filter((c) => c.currency === currency)
          .map((c) => dutyOn(c, c.contribution, c.decimals) ?? '0'),
      );
    const all = [...this.#sides.now.values(), ...this.#sides.proposed.values()].map((c) => c.currency);
    return [...new Set(all)].sort().map((currency) => {
      const [taxNow, taxProposed] = [of('now', currency), of('proposed', currency)];
      return { currency, taxNow, taxProposed, difference: differenceOf(taxProposed, taxNow) };
    });
  }
}

/** Records of one kind, and how many of them to read. */
export type Share<T> = T & { readonly take: number };

/**
 * Divides a number of readings among lists of records in proportion to their lengths: all of them where there are enough
 * readings. Of too many lists the longest are read.
 */
export function shares<T extends { readonly count: number }>(
  lists: readonly T[],
  readings: number,
  most: number,
): Share<T>[] {
  const read = lists.toSorted((a, b) => b.count - a.count).slice(0, most);
  const total = read.reduce((n, l) => n + l.count, 0);
  let before = 0;
  return read.flatMap((l) => {
    const upTo = (n: number): number => (total <= readings ? n : Math.floor((n * readings) / total));
    const take = upTo(before + l.count) - upTo(before);
    before += l.count;
    return take === 0 ? [] : [{ ...l, take }];
  });
}
