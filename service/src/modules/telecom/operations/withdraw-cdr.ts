// POST /v1/telecom/cdr/:cdrId/withdraw: withdraw a call detail record that should not have been sent.
import type { HasAccounts } from '../../accounts/index.ts';
import { ownRecordAsked } from '../../kernel/asked.ts';
import { Named, type Needs, operation, Reason, Type } from '../../kernel/operation.ts';
import { findCdr } from '../cdr-store.ts';
import { withdrawing } from '../recording.ts';

export const withdrawCdr = operation({
  id: 'withdrawCdr',
  method: 'POST',
  path: '/v1/telecom/cdr/:cdrId/withdraw',
  tag: 'Telecom',
  summary: 'Withdraw a call detail record',
  description:
    'The record stays as it was and counts no more: its taxes are taken off in the month in which it counts; if that is closed, in the first open one. Repeating the call changes nothing.',
  audience: ['psp', 'client'],
  body: Type.Object({ reason: Reason }),
  content: Named('WithdrawnRecord', 'The record that counts no more.', {
    cdrId: Type.String(),
    status: Type.Enum(['WITHDRAWN']),
  }),
  example: { reason: 'a test call of the exchange' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: Needs<'ids' | 'db' | 'committer'> & HasAccounts) {
    const { principal, params, body } = call;
    const cdr = await ownRecordAsked(call, 'cdr', params.cdrId, (id) => findCdr(s.db, principal.psp, id));
    return s.committer.submit(withdrawing(s, call, cdr, body.reason));
  },
});
