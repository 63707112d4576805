// POST /v1/admin/proposal/:proposalId/approve: approve a proposal and apply its change.
import type { Needs } from '../../kernel/needs.ts';
import { OptionalReasonBody, operation } from '../../kernel/operation.ts';
import type { HasRateKeeper } from '../../rates/index.ts';
import type { HasRiskBook } from '../../risk/index.ts';
import { approve } from '../decide.ts';
import { asked, people } from '../proposal-fields.ts';
import { ProposalResource } from '../proposal-resource.ts';

export const approveProposal = operation({
  id: 'approveProposal',
  method: 'POST',
  path: '/v1/admin/proposal/:proposalId/approve',
  tag: 'Administration',
  summary: 'Approve a proposal and apply its change',
  description: 'Not by the person who made it. The rates or the risk rule are checked again against those in force.',
  audience: ['operator'],
  roles: people,
  body: OptionalReasonBody,
  content: ProposalResource,
  example: { reason: 'compared with the gazette' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT', 'TWO_PERSONS', 'RATES_INVALID', 'RISK_RULE_INVALID'],
  handle: (call, s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'reference'> & HasRateKeeper & HasRiskBook) =>
    approve(s, call.principal, asked(call), call.body.reason ?? null, call.now),
});
