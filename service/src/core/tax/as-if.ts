// A proposed country file as if its change had been in force from an earlier day on: to say what it would have done to
// records of days before it begins. Pure.
import { type CountryTax, ruleSlot, type TaxRule } from './rule.ts';

interface Dated {
  readonly validFrom: string;
  readonly validTo: string | null;
}

export interface AsIf {
  readonly country: CountryTax;
  /** Rows that the proposal adds, changes or removes, as they are in force and as proposed; not those whose words alone change. */
  readonly changed: readonly TaxRule[];
  /** Whether something is changed that decides a tax, rows or facts on discounts. */
  readonly decides: boolean;
  /** The first day of the change after `from`, which was moved to `from`; undefined if it has no such day. */
  readonly begins: string | undefined;
}

const words = new Set([
  ...['source', 'legalRef', 'authority', 'confidence', 'note', 'says', 'example', 'sunsetOn', 'validFromKnown'],
]);
/** What decides taxes of a row or fact, as text. */
const deciding = (item: object): string =>
  JSON.stringify(
    Object.entries(item)
      .filter(([name]) => !words.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

interface Change<T> {
  readonly was: T | undefined;
  readonly is: T | undefined;
}

function changesOf<T extends object>(was: readonly T[], is: readonly T[], key: (item: T) => string): Change<T>[] {
  const before = new Map(was.map((i) => [key(i), i]));
  const after = new Map(is.map((i) => [key(i), i]));
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((k) => {
    const change = { was: before.get(k), is: after.get(k) };
    return change.was && change.is && deciding(change.was) === deciding(change.is) ? [] : [change];
  });
}

/** Whether an item is new from its first day on, and not one that only ends otherwise. */
const isOther = ({ was, is }: Change<Dated>): boolean =>
  !was || (is !== undefined && deciding({ ...was, validTo: null }) !== deciding({ ...is, validTo: null }));

/** Days after `from` on which a change begins. */
const boundaries = (c: Change<Dated>, from: string): string[] =>
  [isOther(c) ? c.is?.validFrom : undefined, c.is?.validTo === c.was?.validTo ? undefined : c.is?.validTo].filter(
    (d) => d != null && d > from,
  ) as string[];

/**
 * The proposed file, with the first day of its change moved to `from`: rows that begin then begin at `from`, and those
 * that end then end there. Later steps of the change stay where they are, and so does what the proposal does not change.
 */
export function asIfInForce(inForce: CountryTax, proposed: CountryTax, from: string): AsIf {
  const rules = changesOf(inForce.rules, proposed.rules, (r) => r.ruleId);
  const discounts = changesOf(
    inForce.discounts ?? [],
    proposed.discounts ?? [],
    (d) => `${d.treatment} ${d.validFrom}`,
  );
  const begins = [...rules, ...discounts].flatMap((c) => boundaries(c, from)).sort()[0];
  const changed = new Set<object>([...rules, ...discounts].flatMap((c) => c.is ?? []));
  const slots = new Set(
    rules.flatMap((c) => (c.is && c.is.validFrom === begins && isOther(c) ? [ruleSlot(c.is)] : [])),
  );
  const at = (day: string) => (day === begins ? from : day);
  const move = <T extends Dated>(item: T, starts: boolean): T => ({
    ...item,
    ...(starts ? { validFrom: at(item.validFrom) } : {}),
    validTo: item.validTo === null ? null : at(item.validTo),
  });
  const moved = <T extends Dated>(items: readonly T[], giveWay: (item: T) => boolean): T[] =>
    items
      .map((item) => (changed.has(item) ? move(item, true) : giveWay(item) ? move(item, false) : item))
      .filter((i) => i.validTo === null || i.validTo > i.validFrom);
  return {
    // A row that a moved one follows makes room for it, changed or not.
    country: {
      ...proposed,
      rules: moved(proposed.rules, (r) => r.validTo === begins && slots.has(ruleSlot(r))),
      ...(proposed.discounts ? { discounts: moved(proposed.discounts, () => false) } : {}),
    },
    changed: rules.flatMap((c) => [c.was, c.is].filter((r) => r !== undefined)),
    decides: rules.length + discounts.length > 0,
    begins,
  };
}
