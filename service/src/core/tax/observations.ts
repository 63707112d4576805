// Warnings about the rules behind a tax: a rate that was not found, a decree that expired without a successor on
// record. Pure.

import { decimal } from '../money.ts';
import type { Asset } from '../reference.ts';
import { stored } from '../said.ts';
import type { ChosenRule, TaxPlan } from './book.ts';
import { inUnits, isComparable } from './charge.ts';
import { type Customer, isUnknown, type TaxRule } from './rule.ts';
import { isCounted } from './running.ts';
import type { TaxLine } from './split.ts';

/** As attached to a transaction: a code, the field it is about and a sentence. */
export interface TaxObservation {
  readonly code:
    | 'TAX_RATE_UNKNOWN'
    | 'TAX_SUNSET_PASSED'
    | 'TAX_CATEGORY_ASSUMED'
    | 'TAX_CATEGORY_MIXED'
    | 'TAX_SUBDIVISION_UNKNOWN'
    | 'TAX_NOT_CONVERTED'
    | 'TAX_OF_A_SUM'
    | 'REVERSE_CHARGE_NOT_APPLIED';
  readonly field: string;
  readonly message: string;
}

/**
 * One sentence per rule; empty if there is nothing to warn about.
 * @param date the local day that decided which rules apply
 * @param sumsKnown whether what came before was counted
 * @param due the taxes by return that were worked out
 * @param goods what is sold, if it is of several kinds
 * @param customer whom the law treats otherwise
 */
export function taxObservations(
  plan: TaxPlan,
  date: string,
  asset: Asset,
  sumsKnown = false,
  due: readonly TaxLine[] = [],
  goods: readonly { readonly plan: TaxPlan }[] = [{ plan }],
  customer?: Customer,
): TaxObservation[] {
  const plans = [...new Set(goods.map((g) => g.plan))];
  // What the client does not owe needs no rate.
  const contained = plan.relief === undefined ? [...new Set(plans.flatMap((p) => p.inclusive))] : [];
  const chosen = [...contained, ...plan.added, ...plan.withheld, ...plan.fees, ...plan.others];
  const rules: TaxRule[] = [...chosen.map((c) => c.rule), ...plan.accruals];
  const ofRules = rules.flatMap((r): TaxObservation[] => {
    if (isUnknown(r))
      return [
        {
          code: 'TAX_RATE_UNKNOWN',
          field: 'countryCode',
          message: stored`the rate of ${r.taxCode} by ${r.ruleId} is not known; none was worked out, which is no exemption`,
        },
      ];
    if (r.sunsetOn !== undefined && date > r.sunsetOn)
      return [
        {
          code: 'TAX_SUNSET_PASSED',
          field: 'countryCode',
          message: stored`${r.ruleId} ended on ${r.sunsetOn} unless renewed, and no renewal is on record; its rate was used for ${date}`,
        },
      ];
    if (isCounted(r))
      return sumsKnown
        ? []
        : [
            {
              code: 'TAX_OF_A_SUM',
              field: 'totalAmount',
              message: stored`${r.ruleId} counts what came before in the same ${r.summedOver.per.toLowerCase()}; this was worked out as if nothing had`,
            },
          ];
    if (r.summedOver !== undefined && r.inTransaction)
      return [
        {
          code: 'TAX_OF_A_SUM',
          field: 'amount',
          message: stored`${r.ruleId} counts what a person wins in a ${r.summedOver.per.toLowerCase()}; this record was taxed by itself, and the report personSums has the difference`,
        },
      ];
    return [];
  });
  // Of duties on payments there is often a row for each currency.
  const owed = plan.due.some((c) => isComparable(c, asset)) ? [] : plan.due;
  const other = [...chosen, ...owed].filter((c) => !isComparable(c, asset));
  return [
    ...ofRules,
    ...other.map((c) => notConverted(c, asset)),
    ...ceilingObservations(plan, due, asset),
    ...plans.flatMap(supplyObservations),
    ...(customer === undefined ? [] : plans.flatMap((p) => chargedAll(p, customer))),
  ];
}

const notConverted = ({ rule, currency }: ChosenRule, asset: Asset): TaxObservation => ({
  code: 'TAX_NOT_CONVERTED',
  field: 'currency',
  message: stored`${rule.ruleId} names amounts in ${currency}; in ${asset.code} it was not worked out, which is no exemption`,
});

/**
 * Of taxes by return whose law caps them in another currency. That currency is taken to be worth no less than the record's, so
 * that a tax of no more units is below the cap.
 */
const ceilingObservations = (plan: Pick<TaxPlan, 'due'>, due: readonly TaxLine[], asset: Asset): TaxObservation[] =>
  plan.due.flatMap(({ rule: { ruleId, ceiling } }): TaxObservation[] => {
    const tax = due.find((l) => l.ruleId === ruleId)?.tax ?? 0n;
    if (ceiling === undefined || tax <= inUnits(decimal(ceiling.amount), asset.decimals)) return [];
    const { amount, currency } = ceiling;
    return [
      {
        code: 'TAX_NOT_CONVERTED',
        field: 'currency',
        message: stored`${ruleId} is at most the equivalent of ${amount} ${currency}, which was not converted; less may be due`,
      },
    ];
  });

/** A business was charged as a consumer is: that the law treats it otherwise is not on record for this, or was not looked up. */
const chargedAll = (
  { jurisdiction, inclusive, inclusiveRate, relief }: TaxPlan,
  customer: Customer,
): TaxObservation[] =>
  relief !== undefined || inclusiveRate.n === 0n || inclusive.some((c) => c.rule.customer === customer)
    ? []
    : [
        {
          code: 'REVERSE_CHARGE_NOT_APPLIED',
          field: 'taxDetails.customerTaxNumber',
          message:
            customer === 'BUSINESS_AT_HOME'
              ? stored`the customer is a business in ${jurisdiction} and the client is of another country; that the customer owes the tax itself is on record only for services that the mcc names, so that it was charged`
              : stored`the customer is a business abroad; no rule on record frees this sale in ${jurisdiction}, so that it was charged as one at home`,
        },
      ];

/**
 * Whether the rate of a sale is that of what is sold. Where the country has no row for it the standard rate was taken,
 * which is no finding that it applies.
 */
function supplyObservations(plan: TaxPlan): TaxObservation[] {
  if (plan.relief !== undefined) return [];
  if (plan.incomplete)
    return [
      {
        code: 'TAX_SUBDIVISION_UNKNOWN',
        field: 'taxDetails.customerSubdivision',
        message: stored`parts of ${plan.jurisdiction} have a tax of their own on this; none whose tax is known was named, and none is worked out`,
      },
    ];
  if (plan.supply === undefined) return [];
  const sale = [...plan.inclusive, ...plan.added].map((c) => c.rule).filter((r) => r.category !== 'none');
  const own = sale.filter((r) => r.supplies !== undefined || r.mccRanges.length > 0);
  const mixed = own.find((r) => r.mixed);
  if (mixed)
    return [
      {
        code: 'TAX_CATEGORY_MIXED',
        field: 'mcc',
        message: stored`${plan.supply} bear several rates in ${plan.jurisdiction}; that of most of them was used, by ${mixed.ruleId}`,
      },
    ];
  if (sale.length === 0 || own.length > 0) return [];
  return [
    {
      code: 'TAX_CATEGORY_ASSUMED',
      field: 'mcc',
      message: stored`what ${plan.supply} bear in ${plan.jurisdiction} was not looked up; the standard rate was used`,
    },
  ];
}
