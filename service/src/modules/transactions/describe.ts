// A transaction as shown, with the parts asked for by `?expand=`.

import { wireNumber } from '../../core/money.ts';
import { refuse } from '../../core/refusal.ts';
import { type TransactionRecord, transactionResource } from '../../core/transaction.ts';
import { need } from '../../platform/committer.ts';
import type { Services } from '../kernel/services.ts';
import { openPersonal } from '../kernel/subjects.ts';
import { listRevisions } from './transaction-store.ts';

const parts = ['tax', 'fees', 'decision', 'revisions', 'customer'] as const;

export async function describeTransaction(
  s: Services,
  t: TransactionRecord,
  expand: string | undefined,
): Promise<Record<string, unknown>> {
  const asked = new Set(
    (expand ?? '')
      .split(',')
      .map((p) => p.trim())
      .filter(Boolean),
  );
  for (const p of asked)
    if (!(parts as readonly string[]).includes(p))
      throw refuse('QUERY_INVALID', `the query parameter 'expand' knows ${parts.join(', ')}; not '${p.slice(0, 40)}'`);
  return {
    ...transactionResource(t),
    ...(asked.has('tax') ? { tax: taxEvidence(s, t) } : {}),
    ...(asked.has('fees') ? { fees: feeEvidence(s, t) } : {}),
    ...(asked.has('decision')
      ? { decision: { status: t.status, reason: t.reason, taxDataset: t.evidence.dataset, localDate: t.evidence.date } }
      : {}),
    ...(asked.has('revisions')
      ? { revisions: (await listRevisions(s.db, t.psp, t.id)).map((r) => transactionResource(r)) }
      : {}),
    ...(asked.has('customer') ? { customer: await personal(s, t) } : {}),
  };
}

/** Per tax: rate, base, amount, whether contained or added, and where the rule comes from. */
export function taxEvidence(s: Services, t: Pick<TransactionRecord, 'evidence'>): unknown[] {
  return t.evidence.tax.map((line) => {
    const found = s.rates.book.rule(line.rule);
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
      dataset: t.evidence.dataset,
    };
  });
}

function feeEvidence(s: Services, t: TransactionRecord): unknown {
  const rule = t.evidence.fee === null ? undefined : s.rates.fees.rule(t.evidence.fee);
  return {
    feeId: t.evidence.fee,
    percent: rule?.percent ?? null,
    fixed: rule?.fixed ?? null,
    min: rule?.min ?? null,
    max: rule?.max ?? null,
    validFrom: rule?.validFrom ?? null,
    processingFee: wireNumber(t.processingFee),
  };
}

async function personal(s: Services, t: TransactionRecord): Promise<unknown> {
  if (!t.subject) return null;
  const id = { psp: t.psp, subject: t.subject };
  const key = (await s.subjects.load(s.db, [id])).get(need(s.subjects, id).loader.text(id));
  return openPersonal(key?.fresh ? undefined : key, t.sealed) ?? null;
}
