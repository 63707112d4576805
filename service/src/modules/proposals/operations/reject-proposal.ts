import { type Needs, operation, ReasonBody } from '../../kernel/operation.ts';
import { reject } from '../decide.ts';
import { asked, people } from '../proposal-fields.ts';
import { ProposalResource } from '../proposal-resource.ts';

export const rejectProposal = operation({
  id: 'rejectProposal',
  method: 'POST',
  path: '/v1/admin/proposal/:proposalId/reject',
  tag: 'Proposals',
  summary: 'Reject a proposal, or withdraw one’s own',
  audience: ['operator', 'psp'],
  roles: people,
  body: ReasonBody,
  content: ProposalResource,
  example: { reason: 'the rate is of another year' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  handle: (call, s: Needs<'ids' | 'db' | 'committer'>) =>
    reject(s, call.principal, asked(call), call.body.reason, call.now),
});
