// A transaction as returned, with the parts requested by `?expand=`.
import { Type } from 'typebox';
import { wireNumber } from '../../core/money.ts';
import { refuse, said } from '../../core/refusal.ts';
import { type TransactionRecord, transactionResource } from '../../core/transaction.ts';
import { stateOf } from '../../core/transaction-states.ts';
import { asSubmitted } from '../kernel/as-submitted.ts';
import type { HasDecliner } from '../kernel/decliner.ts';
import type { Needs } from '../kernel/needs.ts';
import { readPersonal } from '../kernel/subjects.ts';
import { feeEvidence, type HasRateKeeper, taxEvidence } from '../rates/index.ts';
import { decliningHold } from '../wallets/index.ts';
import { listRevisions, personalFields, personalRow } from './transaction-store.ts';

/** Values of `?expand=`: for the reply to a submission, and for a stored transaction. */
export const submissionParts = ['tax', 'fees', 'decision'] as const;
export const transactionParts = [...submissionParts, 'revisions', 'customer', 'request'] as const;

export const expandQuery = (parts: readonly string[]) =>
  Type.Optional(
    Type.String({ description: `Further parts, separated by commas: ${parts.join(', ')}.`, maxLength: 100 }),
  );

/** @throws QUERY_INVALID for an unknown part */
export function readExpand(expand: string | undefined, known: readonly string[]): ReadonlySet<string> {
  const asked = new Set((expand ?? '').split(',').map((p) => p.trim()));
  asked.delete('');
  for (const p of asked)
    if (!known.includes(p))
      throw refuse(
        'QUERY_INVALID',
        said`the query parameter 'expand' knows ${known.join(', ')}; not '${p.slice(0, 40)}'`,
      );
  return asked;
}

/** The evidence of a decision, as reply parts. */
export async function evidenceParts(
  s: HasRateKeeper,
  t: TransactionRecord,
  asked: ReadonlySet<string>,
): Promise<Record<string, unknown>> {
  return {
    ...(asked.has('tax') ? { tax: await taxEvidence(s, t.evidence) } : {}),
    ...(asked.has('fees') ? { fees: await feeEvidence(s, t) } : {}),
    ...(asked.has('decision') ? { decision: decisionOf(t) } : {}),
  };
}

function decisionOf({ kind, status, reason, evidence, chargeback }: TransactionRecord) {
  const { supply, supplySaidBy, goods, supplier, customer } = evidence;
  const told = {
    supply: supply ?? null,
    supplySaidBy: supplySaidBy ?? null,
    ...(goods ? { goods: goods.map((g) => ({ ...g, taxable: wireNumber(g.taxable) })) } : {}),
    supplier: supplier ?? 'ASSUMED_REGISTERED',
    customer: customer ?? 'CONSUMER',
    untaxed: {
      discounts: wireNumber(evidence.discounts ?? '0'),
      singlePurposeVouchers: wireNumber(evidence.singlePurposeVouchers ?? '0'),
    },
  };
  return {
    status,
    reason,
    taxDataset: evidence.dataset,
    localDate: evidence.date,
    ...(evidence.risk ? { riskCode: evidence.risk.code } : {}),
    standing: evidence.standing
      ? { version: evidence.standing.version, pspVersion: evidence.standing.pspVersion }
      : null,
    // What its recorder declined, no standing would admit.
    wouldChange: stateOf({ status, reason, chargeback }) === 'DECLINED' ? (evidence.standing?.obstacles ?? []) : [],
    ...(kind === 'verifyTransaction' ? told : {}),
  };
}

/** @param own whether the reader is the PSP or staff */
export async function describeTransaction(
  s: Needs<'db' | 'subjects' | 'vault'> & HasRateKeeper & HasDecliner,
  t: TransactionRecord,
  expand: string | undefined,
  own: boolean,
): Promise<Record<string, unknown>> {
  const asked = readExpand(expand, transactionParts);
  const personal =
    asked.has('customer') || asked.has('request') ? await readPersonal(s, t, personalRow(t.id)) : undefined;
  const parts = await evidenceParts(s, t, asked);
  // Which rules matched, or which hold declined, is no business of the client: it would learn what is looked for.
  if (own && asked.has('decision')) {
    const walletHoldId = await decliningHold(s, t.psp, t.id, t.evidence.risk?.matches);
    const riskRules = await s.decliner.matches(s.db, t.psp, t.id);
    Object.assign(parts.decision as object, { riskRules, ...(walletHoldId && { walletHoldId }) });
  }
  return {
    ...transactionResource(t),
    ...parts,
    ...(asked.has('revisions')
      ? { revisions: (await listRevisions(s.db, t.psp, t.id)).map((r) => transactionResource(r)) }
      : {}),
    ...(asked.has('customer') ? { customer: personal ?? null } : {}),
    ...(asked.has('request') ? { request: asSubmitted(t.request, personalFields, personal) } : {}),
  };
}
