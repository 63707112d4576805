import { OptionalReasonBody, operation } from '../../kernel/operation.ts';
import { approve } from '../decide.ts';
import { asked, people } from '../proposal-fields.ts';
import { ProposalResource } from '../proposal-resource.ts';

export const approveProposal = operation({
  id: 'approveProposal',
  method: 'POST',
  path: '/v1/admin/proposal/:proposalId/approve',
  tag: 'Proposals',
  summary: 'Approve a proposal and apply its change',
  description:
    'Not by the person who made it. Rates or a risk rule are checked again against those in force, a level against what the client has shown. An operator, a key of one and an erasure are then made once, within 7 days, by the person who proposed them. A PSP decides its own erasures.',
  audience: ['operator', 'psp'],
  roles: people,
  body: OptionalReasonBody,
  content: ProposalResource,
  example: { reason: 'compared with the gazette' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT', 'TWO_PERSONS', 'RATES_INVALID', 'RISK_RULE_INVALID'],
  handle: (call, s: Parameters<typeof approve>[0]) =>
    approve(s, call.principal, asked(call), call.body.reason ?? null, call.now),
});
