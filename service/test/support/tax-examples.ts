// Asks the rule book what a row's example asks: the tax of that row alone, as text.
import { decimal, formatUnits, unitsAt } from '../../src/core/money.ts';
import type { RuleBook } from '../../src/core/tax/book.ts';
import { dutyOn, isDueByReturn } from '../../src/core/tax/duty.ts';
import { HISTORY_FROM } from '../../src/core/tax/problems.ts';
import type { TaxExample, TaxRule } from '../../src/core/tax/rule.ts';
import { dutiesDue, gamingTaxes, splitMovement, type TaxLine } from '../../src/core/tax/split.ts';
import { mccRangesOf } from '../../src/core/tax/supplies.ts';
import { telecomTaxes } from '../../src/core/tax/telecom.ts';

/** Decimals of the amounts asked for: more than any currency has, so that a tax is compared before it is rounded. */
const decimals = 4;

const telecomKinds: Readonly<Record<string, 'voice' | 'sms' | 'data'>> = { telecom_sms: 'sms', telecom_data: 'data' };

/** The row's tax on its example, and on which day; what is wrong, if the row is not the one that answers. */
export function exampleTax(book: RuleBook, jurisdiction: string, rule: TaxRule, example: TaxExample): string {
  const supply = rule.supplies?.[0];
  const ranges = supply === undefined ? rule.mccRanges : mccRangesOf(supply);
  const plan = book.plan({
    jurisdiction,
    operation: rule.operations[0] as TaxRule['operations'][number],
    classification: rule.classifications[0] ?? '',
    mcc: example.mcc ?? ranges[0]?.slice(0, 4),
    productLine: rule.productLines?.[0],
    customer: rule.customer,
    client: rule.client,
    subdivision: rule.subdivision,
    date: rule.validFrom > HISTORY_FROM ? rule.validFrom : HISTORY_FROM,
  });
  if (!plan) return 'no plan';
  const amount = unitsAt(decimal(example.amount), decimals) as bigint;
  const asset = { code: rule.currency ?? book.country(jurisdiction)?.currency ?? '', decimals };
  if (rule.base === 'CALL_COST') {
    const use = {
      kind: telecomKinds[rule.category] ?? 'voice',
      currency: asset.code,
      cost: amount,
      durationS: 60,
      isOutgoing: rule.category === 'telecom_outgoing',
    };
    const own = telecomTaxes(plan, use, () => decimals).lines.find((l) => l.ruleId === rule.ruleId);
    return own === undefined ? 'answered by others' : formatUnits(own.tax, decimals);
  }
  if (rule.base === 'GGR_PERIOD' && plan.accruals.includes(rule))
    return dutyOn(rule, example.amount, decimals) ?? 'none';
  const lines: readonly TaxLine[] = isDueByReturn(rule)
    ? dutiesDue(plan, amount, amount, asset)
    : rule.base === 'FEE'
      ? splitMovement(plan, amount * 1_000_000n, amount, 0n, asset).lines
      : plan.others.length > 0
        ? gamingTaxes(plan, { stake: amount, payout: amount, winnings: amount }, asset)
        : splitMovement(plan, amount, 0n, 0n, asset).lines;
  const line = lines.find((l) => l.ruleId === rule.ruleId);
  return line === undefined ? `answered by ${lines.map((l) => l.ruleId).join(', ')}` : formatUnits(line.tax, decimals);
}
