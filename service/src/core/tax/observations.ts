// Warnings about the rules behind a tax: a rate that was not found, a decree that expired without a successor on
// record. Pure.
import type { TaxPlan } from './book.ts';
import { isUnknown, type TaxRule } from './rule.ts';

/** As attached to a transaction: a code, the field it is about and a sentence. */
export interface TaxObservation {
  readonly code: 'TAX_RATE_UNKNOWN' | 'TAX_SUNSET_PASSED';
  readonly field: string;
  readonly message: string;
}

/** One sentence per rule; empty if there is nothing to warn about. */
export function taxObservations(plan: TaxPlan): TaxObservation[] {
  const rules: TaxRule[] = [
    ...[...plan.inclusive, ...plan.added, ...plan.fees, ...plan.others].map((c) => c.rule),
    ...plan.accruals,
  ];
  return rules.flatMap((r): TaxObservation[] => {
    if (isUnknown(r))
      return [
        {
          code: 'TAX_RATE_UNKNOWN',
          field: 'countryCode',
          message: `the rate of ${r.taxCode} by ${r.ruleId} is not known; none was worked out, which is no exemption`,
        },
      ];
    if (r.sunsetOn !== undefined && plan.date > r.sunsetOn)
      return [
        {
          code: 'TAX_SUNSET_PASSED',
          field: 'countryCode',
          message: `${r.ruleId} ended on ${r.sunsetOn} unless renewed, and no renewal is on record; its rate was used for ${plan.date}`,
        },
      ];
    return [];
  });
}
