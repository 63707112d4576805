// Taxes whose law compares its amounts with what one person won in a day, a month or a year, not with the single record.
// Pure and exact.
import { addDays } from '../calendar.ts';
import { groupedBy } from '../grouped.ts';
import { decimal, formatUnits, pow10 } from '../money.ts';
import { differenceOf, sumOf } from '../sums.ts';
import { charge, percent } from './charge.ts';
import type { SummedOver, TaxRule } from './rule.ts';

/** A record with a tax by a rule that counts sums. Amounts are decimal text. */
export interface PersonRecord {
  readonly rule: string;
  readonly account: string;
  /** Undefined if nobody said who: such a record is a sum of its own. */
  readonly person: string | undefined;
  readonly id: string;
  readonly currency: string;
  /** Local day. */
  readonly day: string;
  /** What the rule is applied to, before what it deducts. */
  readonly base: string;
  /** As worked out for the record by itself. */
  readonly tax: string;
}

/** How the tax of a person's sum differs from the taxes of its records, for the days of the report. */
export interface PersonSum {
  readonly rule: string;
  readonly account: string;
  readonly person: string | undefined;
  readonly currency: string;
  /** First and last day of what the law sums. */
  readonly first: string;
  readonly last: string;
  /** Number of records in the sum, up to the last day of the report. */
  readonly records: number;
  /** What they sum to. */
  readonly base: string;
  /** Tax of the sum as it grew in the days asked for. */
  readonly due: string;
  /** Tax of the records of these days, each by itself. */
  readonly recorded: string;
}

/** A rule with the currency of its amounts and that currency's decimals. */
export interface SummedRule {
  readonly rule: TaxRule;
  readonly currency: string;
  readonly decimals: number;
}

/** The days that a law sums around a day. */
export function sumDays({ per, firstMonth = 1 }: SummedOver, day: string): { first: string; last: string } {
  if (per === 'DAY') return { first: day, last: day };
  const [year, month] = day.split('-').map(Number) as [number, number];
  const first = per === 'MONTH' ? [year, month] : [month < firstMonth ? year - 1 : year, firstMonth];
  const from = (months: number) =>
    new Date(Date.UTC(first[0] as number, (first[1] as number) - 1 + months, 1)).toISOString().slice(0, 10);
  return { first: from(0), last: addDays(from(per === 'MONTH' ? 1 : 12), -1) };
}

/** The tax of a base by a rule, in the currency of its amounts; undefined in another one. */
export function taxOfSum({ rule, currency, decimals }: SummedRule, base: string, of: string): string | undefined {
  const { units, scale } = decimal(base);
  // Digits beyond the smallest unit are dropped, as where the record was taxed.
  const whole = scale <= decimals ? units * pow10(decimals - scale) : units / pow10(scale - decimals);
  const chosen = { rule, currency, ownRate: percent(rule.rate ?? '0') };
  const charged = charge(chosen, whole, { code: of, decimals });
  return charged && formatUnits(charged.tax, decimals);
}

/**
 * The sums that records within some days are in, with what the law takes of them in these days and what was recorded. The
 * differences of all days of a sum are together the tax of the whole sum, less what was recorded.
 * @param records those of the days and the earlier ones of the same sums
 * @param ruleOf undefined for rules that count no sums
 */
export function personSums(
  records: readonly PersonRecord[],
  days: { readonly first: string; readonly last: string },
  ruleOf: (rule: string) => SummedRule | undefined,
): PersonSum[] {
  const dated = records.flatMap((r) => {
    const found = ruleOf(r.rule);
    if (!found?.rule.summedOver || r.day > days.last) return [];
    return [{ ...r, person: r.person, who: r.person ?? r.id, ...sumDays(found.rule.summedOver, r.day) }];
  });
  return groupedBy(dated, ['account', 'rule', 'currency', 'first', 'last', 'who']).flatMap((g): PersonSum[] => {
    const rule = ruleOf(g.rule) as SummedRule;
    const within = g.rows.filter((r) => r.day >= days.first);
    if (within.length === 0) return [];
    const baseOf = (rows: readonly PersonRecord[]) => sumOf(rows.map((r) => r.base));
    const now = taxOfSum(rule, baseOf(g.rows), g.currency);
    const before = taxOfSum(rule, baseOf(g.rows.filter((r) => r.day < days.first)), g.currency);
    if (now === undefined || before === undefined) return [];
    return [
      {
        rule: g.rule,
        account: g.account,
        person: g.rows[0]?.person,
        currency: g.currency,
        first: g.first,
        last: g.last,
        records: g.rows.length,
        base: baseOf(g.rows),
        due: differenceOf(now, before),
        recorded: sumOf(within.map((r) => r.tax)),
      },
    ];
  });
}
