// Why a split is what it is: each tax with its rule, rate, base and source, as the rule stood in the dataset
// the split was made with; and the fee row.
import { wireNumber } from '../../core/money.ts';
import type { Evidence } from '../../core/transaction.ts';
import type { Services } from '../kernel/services.ts';

/** Per tax: rate, base, amount, whether contained or added, and where the rule comes from. */
export async function taxEvidence(s: Services, evidence: Evidence): Promise<unknown[]> {
  const rules = await s.rateKeeper.rulesAt(
    evidence.dataset,
    evidence.tax.map((t) => t.rule),
  );
  return evidence.tax.map((line) => {
    const found = rules.get(line.rule);
    const rule = found?.rule;
    return {
      jurisdiction: found?.country.jurisdiction ?? null,
      taxCode: rule?.taxCode ?? null,
      category: rule?.category ?? null,
      ruleId: line.rule,
      rate: rule?.rate ?? null,
      method: rule?.base === 'GROSS_INCLUSIVE' || rule?.base === 'STAKE_INCLUSIVE' ? 'CONTAINED' : 'ADDED',
      base: rule?.base ?? null,
      taxableAmount: wireNumber(line.taxable),
      tax: wireNumber(line.tax),
      reason: rule?.reason ?? null,
      bearer: rule?.bearer ?? null,
      source: (rule && found?.country.sources[rule.source]) ?? null,
      legalRef: rule?.legalRef ?? null,
      confidence: rule?.confidence ?? null,
      note: rule?.note ?? null,
      dataset: evidence.dataset,
    };
  });
}

/** The fee row a split was made with. */
export async function feeEvidence(s: Services, t: { evidence: Evidence; processingFee: string }): Promise<unknown> {
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
