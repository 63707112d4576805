import { withBesides } from '../../../core/standing.ts';
import { AccountResource } from '../../../entries/accounts.ts';
import { idAsked } from '../../kernel/asked.ts';
import { operation, ReasonBody } from '../../kernel/operation.ts';
import { accountParam, shown, type Uses } from '../account-changes.ts';
import { changeAccount } from '../administer.ts';
import { stillOnHold } from '../changed-standing.ts';

export const releaseHold = operation({
  id: 'releaseHold',
  method: 'POST',
  path: '/v1/admin/account/:accountId/hold/:holdId/release',
  tag: 'Accounts',
  summary: 'End a hold',
  audience: ['operator'],
  body: ReasonBody,
  content: AccountResource,
  example: { reason: 'cleared' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT', 'TWO_PERSONS'],
  async handle(call, s: Uses) {
    const id = accountParam(call);
    const release = idAsked('hold', call.params.holdId);
    const after = await changeAccount(s, call.principal, id, { reason: call.body.reason, release }, call.now);
    return {
      message: withBesides('hold ended', stillOnHold(after, release, call.now)),
      content: await shown(s, id, call.now),
    };
  },
});
