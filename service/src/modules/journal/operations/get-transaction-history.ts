// What happened to one transaction, with who did it.
import { Type } from 'typebox';
import { historySteps } from '../../../core/history.ts';
import { fromWire } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import { viewerOf } from '../../accounts/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { Named, Nullable, operation } from '../../kernel/operation.ts';
import { findTransaction } from '../../transactions/index.ts';
import { Actor, Change } from '../entry-resource.ts';
import { historyOf } from '../history.ts';

const Item = Named('TransactionStep', 'A step in the history of a transaction.', {
  at: Type.String(),
  step: Type.Enum([...historySteps], {
    description:
      'VERIFIED: what was pending was decided. DECIDED_ANEW: the ref was verified again. NETTED: an amount of a chargeback was set off. NETTING_RELEASED: it is outstanding again, because the transaction it was set off against no longer settles it, or its chargeback is reversed. CHARGEBACK_REVERSED: a dispute was won. ADJUSTED: its taxes were corrected, the record itself stays. UNKNOWN: a newer version of the service wrote the entry.',
  }),
  actor: Actor,
  revision: Nullable(Type.Integer(), 'Of the transaction from then on; null where it was not changed itself.'),
  reason: Nullable(Type.String(), 'Why.'),
  changes: Type.Array(Change),
  resourceId: Nullable(
    Type.String(),
    'What the step is about: the transaction, a netting, a dispute, an adjustment, a review.',
  ),
  eventId: Nullable(Type.String(), 'Of its entry in the journal; null where it follows from another.'),
  seq: Nullable(Type.Integer(), "Number of the entry in the PSP's journal."),
  data: Type.Unknown({ description: 'What it was about, as it stood then. Personal data is not in it.' }),
});

export const getTransactionHistory = operation({
  id: 'getTransactionHistory',
  method: 'GET',
  path: '/v1/transaction/:transactionId/history',
  tag: 'Transactions',
  summary: 'What happened to a transaction, and who did it',
  description: 'Oldest first, from the journal. Reviews are among it for PSPs and operators, not for clients.',
  audience: ['psp', 'client'],
  content: Named('TransactionHistory', 'The history of a transaction, oldest step first.', {
    transactionId: Type.String(),
    items: Type.Array(Item),
  }),
  refusals: ['NOT_FOUND'],
  async handle({ principal, onBehalfOf, params }, s: Needs<'db'>) {
    const id = fromWire('transaction', params.transactionId ?? '');
    const t = id && (await findTransaction(s.db, principal.psp, id));
    if (!t || (principal.kind === 'client' && t.account !== principal.account)) throw notFound();
    if (onBehalfOf !== undefined && t.account !== onBehalfOf) throw notFound();
    const named = principal.staff ? undefined : principal.psp;
    const items = await historyOf(s, t, named, principal.kind !== 'client', viewerOf(principal));
    return { message: 'history', content: { transactionId: params.transactionId, items } };
  },
});
