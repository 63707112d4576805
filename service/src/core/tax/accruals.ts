// What a wager or payout contributes to the base of taxes due by periodic return (on gross gaming revenue, stakes or
// winnings). A return sums these; none of it is part of a split or a reply.
import { decimal, unitsAt } from '../money.ts';
import type { TaxPlan } from './book.ts';
import type { TaxBase } from './rule.ts';

/** One contribution, as stored: a return sums them by rule and product line. */
export interface Accrual {
  readonly rule: string;
  readonly taxCode: string;
  readonly base: TaxBase;
  /** Percent as text, as in the rule; of brackets, all of theirs. */
  readonly rate: string;
  /** Lower case; the product line the rule was chosen for. */
  readonly productLine: string;
  /** Decimal text with every decimal of the amount; a payout reduces the gross gaming revenue. */
  readonly contribution: string;
}

/** Amounts of the event as plain decimal text; a wager has a stake, a payout the other two. */
export interface GamingAmounts {
  readonly stake?: string | undefined;
  readonly payout?: string | undefined;
  /** Payout minus its wager, never negative. */
  readonly winnings?: string | undefined;
  /** The same of earlier payouts of the wager. */
  readonly paidBefore?: string | undefined;
  readonly wonBefore?: string | undefined;
  /** In place of a payout: the stake of a void wager, given back. It is no win, and takes its wager out of the gross gaming revenue. */
  readonly returned?: string | undefined;
}

/** The event's contributions to the plan's accruals; none for a base the event lacks. */
export function accrualsOf(plan: TaxPlan, productLine: string, amounts: GamingAmounts): Accrual[] {
  return plan.accruals.flatMap((r) => {
    const amount = contribution(r.base, amounts);
    const rate = r.rate ?? r.brackets?.map((b) => b.rate).join(' / ');
    if (amount === undefined || rate === undefined) return [];
    // A threshold applies to the single event, unless the base itself covers a period.
    const below = r.base !== 'GGR_PERIOD' && r.threshold !== undefined && !isAbove(amount, r.threshold);
    return [
      {
        rule: r.ruleId,
        taxCode: r.taxCode,
        base: r.base,
        rate,
        productLine,
        contribution: below ? '0' : amount,
      },
    ];
  });
}

function contribution(base: TaxBase, { stake, payout, winnings, returned }: GamingAmounts): string | undefined {
  switch (base) {
    case 'GGR_PERIOD':
      return stake ?? (payout && negated(returned ?? payout));
    case 'STAKE':
    case 'STAKE_INCLUSIVE':
      return stake;
    case 'PAYOUT':
      return payout;
    case 'WINNINGS':
      return winnings;
    default:
      return undefined;
  }
}

/** Zero stays without a sign. */
const negated = (amount: string): string => (decimal(amount).units === 0n ? '0' : `-${amount}`);

function isAbove(amount: string, threshold: string): boolean {
  const [a, t] = [decimal(amount), decimal(threshold)];
  const scale = Math.max(a.scale, t.scale);
  return (unitsAt(a, scale) as bigint) > (unitsAt(t, scale) as bigint);
}
