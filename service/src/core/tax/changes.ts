// Which rules change when: the days on which a rule starts, replaces another, ends or expires. Pure.
import { addDays } from '../calendar.ts';
import { chargedBy, type RuleBook, type TaxPlan } from './book.ts';
import { HISTORY_FROM } from './problems.ts';
import {
  type CountryTax,
  contest,
  isChoosable,
  mccRange,
  ruleSlot,
  type TaxRule,
  type TaxSource,
  telecomKind,
} from './rule.ts';
import { rateText } from './terms.ts';

/**
 * STARTS: a tax where none was. CHANGES: another rate than before. CONTINUES: the same rate by another rule, such as one
 * of a new law. ENDS: a rule ends without a successor. EXPIRES: a rule ends unless it is renewed.
 */
export const taxChangeKinds = ['STARTS', 'CHANGES', 'CONTINUES', 'ENDS', 'EXPIRES'] as const;
type TaxChangeKind = (typeof taxChangeKinds)[number];

/** A rule on one side of a change. */
export interface TaxTerm {
  readonly ruleId: string;
  /** By `rateText`. */
  readonly rate: string;
  /** Why a rate is 0. */
  readonly reason: string | null;
}

export interface TaxChange {
  /** The same for the same change in every version of the data. */
  readonly changeId: string;
  readonly kind: TaxChangeKind;
  /** Local calendar date: the first day it is different; of EXPIRES the last day that is certain. */
  readonly day: string;
  readonly country: CountryTax;
  /** The rule that starts, ends or expires. */
  readonly rule: TaxRule;
  /** False if the rule is a reduced rate that is published, but never applied by itself. */
  readonly applied: boolean;
  /** What the rule's questions were answered with the day before; empty if no such tax was due. */
  readonly before: readonly TaxTerm[];
  /** What they are answered with from that day on; empty if no such tax is due, or if nobody knows. */
  readonly after: readonly TaxTerm[];
  readonly source: TaxSource | null;
  /** The latest day on which a source of the rules from that day on was read. */
  readonly readOn: string;
}

export interface ChangesAsked {
  /** Local calendar dates, both included. */
  readonly since: string;
  readonly until?: string | undefined;
  /** ISO 3166-1 alpha-2; all countries without it. */
  readonly country?: string | undefined;
}

/** The changes from one day to another, by day, country and rule; none before HISTORY_FROM, where the data begins. */
export function taxChanges(book: RuleBook, asked: ChangesAsked): TaxChange[] {
  const only = asked.country === undefined ? undefined : book.country(asked.country);
  const countries = asked.country === undefined ? [...book.countries()] : only ? [only] : [];
  const within = (day: string) =>
    day >= HISTORY_FROM && day >= asked.since && (asked.until === undefined || day <= asked.until);
  const key = (c: TaxChange) => `${c.day} ${c.country.jurisdiction} ${c.changeId}`;
  return countries.flatMap((country) => changesOf(book, country, within)).sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function changesOf(book: RuleBook, country: CountryTax, within: (day: string) => boolean): TaxChange[] {
  const made = (
    event: string,
    kind: TaxChangeKind,
    day: string,
    rule: TaxRule,
    before: TaxRule[],
    after: TaxRule[],
  ) => ({
    changeId: `${rule.ruleId}.${event}`,
    kind,
    day,
    country,
    rule,
    applied: isChoosable(rule),
    before: before.map((r) => termOf(r, country)),
    after: after.map((r) => termOf(r, country)),
    source: country.sources[rule.source] ?? null,
    readOn: lastReading([rule, ...after].map((r) => country.sources[r.source])),
  });
  return country.rules.flatMap((r): TaxChange[] => {
    const found: TaxChange[] = [];
    if (isSaid(r) && within(r.validFrom)) {
      const before = replacedBy(book, country, r);
      const same = before.every((b) => sayRate(b, country) === sayRate(r, country));
      if (before.length > 0) found.push(made('start', same ? 'CONTINUES' : 'CHANGES', r.validFrom, r, before, [r]));
      else if (r.validFrom > HISTORY_FROM) found.push(made('start', 'STARTS', r.validFrom, r, [], [r]));
    }
    if (r.validTo !== null && within(r.validTo)) {
      const after = answersOn(book, country, r, r.validTo);
      const same = after.length > 0 && after.every((a) => sayRate(a, country) === sayRate(r, country));
      if (!isSucceeded(book, country, r, after))
        found.push(made('end', same ? 'CONTINUES' : 'ENDS', r.validTo, r, [r], after));
    }
    // A row that ends anyway says so by its end.
    if (r.sunsetOn !== undefined && r.validTo === null && within(r.sunsetOn))
      found.push(made('sunset', 'EXPIRES', r.sunsetOn, r, [r], []));
    return found;
  });
}

/**
 * Whether the start of a rule is a change. If nobody looked up its first day it is one where the rule answers otherwise from a day
 * within the data on; the first day of the data only says how far back it answers.
 */
const isSaid = (r: TaxRule): boolean => r.validFromKnown !== false || (r.validFrom > HISTORY_FROM && isChoosable(r));

/** The latest day on which one of the sources was read; where there is none, the day the data begins. */
export const lastReading = (sources: readonly (TaxSource | undefined)[]): string =>
  sources.reduce((last, s) => (s !== undefined && s.retrievedOn > last ? s.retrievedOn : last), HISTORY_FROM);

const termOf = (r: TaxRule, country: CountryTax): TaxTerm => ({
  ruleId: r.ruleId,
  rate: rateText(r, country.currency),
  reason: r.reason ?? null,
});

/** An exemption and a rate of 0, or a contained and an added tax, are not the same. */
const sayRate = (r: TaxRule, country: CountryTax): string =>
  [rateText(r, country.currency), r.reason ?? '', r.base].join('|');

/**
 * The rules a rule replaces on its first day: that of its slot, else those its questions were answered with. The latter is
 * not known of the first day of the data, before which it has few rules.
 */
function replacedBy(book: RuleBook, country: CountryTax, r: TaxRule): TaxRule[] {
  const slot = ruleSlot(r);
  const ended = country.rules.filter((o) => o.validTo === r.validFrom && ruleSlot(o) === slot);
  return ended.length > 0 || r.validFrom <= HISTORY_FROM
    ? ended
    : answersOn(book, country, r, addDays(r.validFrom, -1));
}

/** Whether every question of a rule that ends is answered by one that starts that day in its place. */
const isSucceeded = (book: RuleBook, country: CountryTax, r: TaxRule, after: readonly TaxRule[]): boolean =>
  country.rules.some((o) => o.validFrom === r.validTo && ruleSlot(o) === ruleSlot(r)) ||
  (after.length > 0 && after.every((a) => a.validFrom === r.validTo && replacedBy(book, country, a).includes(r)));

/** The rules of the same tax that answer a rule's questions on a day, by id. A rule that is never chosen has none. */
function answersOn(book: RuleBook, country: CountryTax, r: TaxRule, day: string): TaxRule[] {
  if (!isChoosable(r)) return [];
  const found = new Set<TaxRule>();
  const each = <T>(items: readonly T[] | undefined): readonly (T | undefined)[] =>
    items?.length ? items : [undefined];
  for (const operation of r.operations)
    for (const supply of each(r.supplies))
      for (const range of each(r.mccRanges))
        for (const classification of each(r.classifications))
          for (const productLine of each(r.productLines)) {
            const plan = book.plan({
              jurisdiction: country.jurisdiction,
              operation,
              classification: classification ?? '',
              mcc: range === undefined ? undefined : String(mccRange(range)[0]).padStart(4, '0'),
              supply,
              customer: r.customer,
              client: r.client,
              subdivision: r.subdivision,
              productLine,
              date: day,
            });
            for (const o of plan ? rulesOf(plan) : []) if (isSameTax(o, r)) found.add(o);
          }
  return [...found].sort((a, b) => (a.ruleId < b.ruleId ? -1 : 1));
}

const rulesOf = (plan: TaxPlan): TaxRule[] => [...chargedBy(plan).map((c) => c.rule), ...plan.accruals];

const isSameTax = (a: TaxRule, b: TaxRule): boolean =>
  a.taxCode === b.taxCode &&
  a.inTransaction === b.inTransaction &&
  contest(a.base) === contest(b.base) &&
  telecomKind(a) === telecomKind(b);
