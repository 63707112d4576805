import { refuse } from '../../../core/refusal.ts';
import { operationalStandings, verificationLevels } from '../../../core/standing.ts';
import { AccountResource } from '../../../entries/accounts.ts';
import { operation, Reason, Type } from '../../kernel/operation.ts';
import { accountParam, shown, type Uses } from '../account-changes.ts';
import { changeAccount } from '../administer.ts';

export const setStanding = operation({
  id: 'setStanding',
  method: 'POST',
  path: '/v1/admin/account/:accountId/standing',
  tag: 'Accounts',
  summary: 'Change standing or verification level',
  description:
    'Takes effect before the response is sent. CLOSED is final. A higher level of a client is proposed with openProposal instead, unless the setting REQUIRE_TWO_PERSONS does not name `levels`.',
  audience: ['operator'],
  body: Type.Object({
    operationalStanding: Type.Optional(Type.Enum(operationalStandings)),
    verificationLevel: Type.Optional(Type.Enum(verificationLevels)),
    reason: Reason,
  }),
  content: AccountResource,
  example: { operationalStanding: 'SUSPENDED', reason: 'licence lapsed' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT', 'TWO_PERSONS'],
  async handle(call, s: Uses) {
    const { principal, body } = call;
    const id = accountParam(call);
    if (body.operationalStanding === undefined && body.verificationLevel === undefined)
      throw refuse('FIELD_REQUIRED', "the field 'operationalStanding' or 'verificationLevel' is required");
    await changeAccount(s, principal, id, body, call.now);
    return { message: 'standing changed', content: await shown(s, id, call.now) };
  },
});
