// A review as shown to people and kept in the journal.
import { Type } from 'typebox';
import { toWire } from '../../core/ids.ts';
import { type Review, reviewOutcomes, reviewStates } from '../../core/risk/review.ts';
import { accountWire } from '../../core/transaction.ts';
import { Named } from '../kernel/operation.ts';
import { Observations } from '../transactions/index.ts';

const Nullable = <T extends Type.TSchema>(t: T, description: string) => Type.Union([t, Type.Null()], { description });

export const ReviewResource = Named('Review', 'A review of a transaction by a person.', {
  reviewId: Type.String(),
  pspId: Type.String(),
  clientId: Type.String(),
  transactionId: Type.String(),
  rule: Type.String({ description: 'The rule that opened it, or BY_HAND.' }),
  reason: Type.String({ description: 'Why it was opened.' }),
  findings: Observations,
  state: Type.Enum([...reviewStates]),
  assignee: Nullable(Type.String(), 'Who has it in hand: `usr_…`, `key_…`.'),
  outcome: Nullable(Type.Enum([...reviewOutcomes]), 'CLEARED: nothing is wrong. CONFIRMED: something is.'),
  notes: Type.Array(
    Named('ReviewNote', 'A note on a review.', { at: Type.String(), by: Type.String(), text: Type.String() }),
  ),
  openedBy: Type.String({ description: 'Who opened it; `rule` where a rule did.' }),
  version: Type.Integer(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
});

export const reviewResource = (r: Review) => ({
  reviewId: toWire('review', r.id),
  pspId: toWire('psp', r.psp),
  clientId: accountWire(r.psp, r.account),
  transactionId: toWire('transaction', r.transaction),
  rule: r.rule,
  reason: r.reason,
  findings: r.findings,
  state: r.state,
  assignee: r.assignee,
  outcome: r.outcome,
  notes: r.notes,
  openedBy: r.openedBy,
  version: r.version,
  createdAt: r.createdAt,
  updatedAt: r.updatedAt,
});
