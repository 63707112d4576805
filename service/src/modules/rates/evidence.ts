// The evidence for a split: each tax with its rule, rate, base and source, as in the dataset the split was made with;
// what accrues for periodic returns; and the fee row.
import { wireNumber } from '../../core/money.ts';
import { debtorOf, isDueByReturn } from '../../core/tax/duty.ts';
import { type CountryTax, isUnknown, type TaxRule } from '../../core/tax/rule.ts';
import { taxName } from '../../core/tax/tax-names.ts';
import { endsSoon, rateText } from '../../core/tax/terms.ts';
import type { Evidence } from '../../core/transaction.ts';
import type { HasRateKeeper } from './rate-keeper.ts';

/** For each tax: rate, base, amount, whether it is contained or added, and the source of the rule. */
export async function taxEvidence(s: HasRateKeeper, evidence: Evidence): Promise<unknown[]> {
  const rules = await s.rateKeeper.rulesAt(
    evidence.dataset,
    evidence.tax.map((t) => t.rule),
  );
  return evidence.tax.map((line) => {
    const found = rules.get(line.rule);
    const rule = found?.rule;
    return {
      ...identity(line.rule, found),
      // A rate that was not found is null, not 0.
      rate: rule === undefined || isUnknown(rule) ? null : (rule.rate ?? null),
      terms: found ? rateText(found.rule, found.country.currency) : null,
      method: methodOf(rule),
      owedBy: (rule && debtorOf(rule)) ?? null,
      base: rule?.base ?? null,
      taxableAmount: wireNumber(line.taxable),
      tax: wireNumber(line.tax),
      ...grounds(found, evidence.date),
      // Why the client owes nothing is not the rule's own reason.
      ...(rule?.base === 'GROSS_INCLUSIVE' && rule.customer !== 'BUSINESS_AT_HOME' && isRelief(evidence.supplier)
        ? { reason: evidence.supplier }
        : {}),
      ...(evidence.stakeReturned ? { reason: 'STAKE_RETURNED' } : {}),
      dataset: evidence.dataset,
    };
  });
}

function methodOf(rule: TaxRule | undefined): 'CONTAINED' | 'ADDED' | 'BY_RETURN' {
  if (rule && isDueByReturn(rule)) return 'BY_RETURN';
  return rule?.base === 'GROSS_INCLUSIVE' || rule?.base === 'STAKE_INCLUSIVE' ? 'CONTAINED' : 'ADDED';
}

const isRelief = (supplier: Evidence['supplier']): boolean => supplier !== undefined && supplier !== 'REGISTERED';

/** For each tax due by periodic return: its rate and the event's contribution to its base; no tax is calculated here. */
export async function accrualEvidence(s: HasRateKeeper, evidence: Evidence): Promise<unknown[]> {
  const accruals = evidence.accruals ?? [];
  const rules = await s.rateKeeper.rulesAt(
    evidence.dataset,
    accruals.map((a) => a.rule),
  );
  return accruals.map((a) => {
    const found = rules.get(a.rule);
    return {
      ...identity(a.rule, found),
      rate: found?.rule.brackets ? null : a.rate,
      terms: found ? rateText(found.rule, found.country.currency) : null,
      base: a.base,
      productLine: a.productLine,
      contribution: wireNumber(a.contribution),
      ...grounds(found, evidence.date),
      dataset: evidence.dataset,
    };
  });
}

type Found = { readonly rule: TaxRule; readonly country: CountryTax } | undefined;

const identity = (ruleId: string, found: Found) => ({
  jurisdiction: found?.country.jurisdiction ?? null,
  taxCode: found?.rule.taxCode ?? null,
  taxName: found ? taxName(found.rule.taxCode).name : null,
  category: found?.rule.category ?? null,
  supplies: found?.rule.supplies ?? [],
  subdivision: found?.rule.subdivision ?? null,
  ruleId,
});

/** A rule's source, its dates, and how far it was checked. @param date day of the record */
const grounds = (found: Found, date: string) => ({
  // Null if nobody has researched the first day.
  validFrom: found === undefined || found.rule.validFromKnown === false ? null : found.rule.validFrom,
  validTo: found?.rule.validTo ?? null,
  // Last day of a decree that ends unless renewed.
  sunsetOn: found?.rule.sunsetOn ?? null,
  endsSoon: found === undefined ? null : (endsSoon(found.rule, date) ?? null),
  reason: found?.rule.reason ?? null,
  bearer: found?.rule.bearer ?? null,
  source: found?.country.sources[found.rule.source] ?? null,
  legalRef: found?.rule.legalRef ?? null,
  confidence: found?.rule.confidence ?? null,
  says: found?.rule.says ?? null,
  note: found?.rule.note ?? null,
});

/** The fee row a split was made with. */
export async function feeEvidence(
  s: HasRateKeeper,
  t: { evidence: Evidence; processingFee: string },
): Promise<unknown> {
  const rule = t.evidence.fee === null ? undefined : await s.rateKeeper.feeById(t.evidence.fee);
  return {
    feeId: t.evidence.fee,
    percent: rule?.percent ?? null,
    fixed: rule?.fixed ?? null,
    min: rule?.min ?? null,
    max: rule?.max ?? null,
    currency: rule?.currency ?? null,
    validFrom: rule?.validFrom ?? null,
    ofThisPsp: rule?.psp !== undefined,
    processingFee: wireNumber(t.processingFee),
  };
}
