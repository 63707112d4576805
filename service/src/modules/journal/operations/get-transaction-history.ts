import { historySteps } from '../../../core/history.ts';
import { viewerOf } from '../../accounts/index.ts';
import { ownRecordAsked } from '../../kernel/asked.ts';
import { Named, type Needs, Nullable, operation, Type } from '../../kernel/operation.ts';
import { findTransaction } from '../../transactions/index.ts';
import { Actor, Change } from '../entry-resource.ts';
import { historyOf } from '../history.ts';

const Item = Named('TransactionStep', 'A step in the history of a transaction.', {
  at: Type.String(),
  step: Type.Enum(historySteps, {
    description:
      'VERIFIED: the pending transaction was decided. DECIDED_ANEW: the ref was verified again. NETTED: an amount of a chargeback was set off. NETTING_RELEASED: that amount is outstanding again, because the later transaction no longer settles it or the chargeback was reversed. CHARGEBACK_REVERSED: a dispute was won. ADJUSTED: taxes were corrected; the record itself does not change. UNKNOWN: a newer version of the service wrote the entry.',
  }),
  actor: Actor,
  revision: Nullable(Type.Integer(), 'Revision of the transaction after the step; null if the step did not change it.'),
  reason: Nullable(Type.String(), 'Reason.'),
  changes: Type.Array(Change),
  resourceId: Nullable(Type.String(), 'Id of the transaction, netting, dispute, adjustment or review.'),
  eventId: Nullable(Type.String(), 'Id of the journal entry; null if the step follows from another.'),
  seq: Nullable(Type.Integer(), "Number of the entry in the PSP's journal."),
  data: Type.Unknown({ description: 'The resource after the step, without personal data.' }),
});

export const getTransactionHistory = operation({
  id: 'getTransactionHistory',
  method: 'GET',
  path: '/v1/transaction/:transactionId/history',
  tag: 'Transactions',
  summary: 'History of a transaction',
  description: 'Oldest first, from the journal. Reviews are included for PSPs and operators, not for clients.',
  audience: ['psp', 'client'],
  content: Named('TransactionHistory', 'The history of a transaction, oldest step first.', {
    transactionId: Type.String(),
    items: Type.Array(Item),
  }),
  refusals: ['NOT_FOUND'],
  async handle({ principal, onBehalfOf, params }, s: Needs<'db'>) {
    const t = await ownRecordAsked({ principal, onBehalfOf }, 'transaction', params.transactionId, (id) =>
      findTransaction(s.db, principal.psp, id),
    );
    const named = principal.staff ? undefined : principal.psp;
    const items = await historyOf(s, t, named, principal.kind !== 'client', viewerOf(principal));
    return { message: 'history', content: { transactionId: params.transactionId, items } };
  },
});
