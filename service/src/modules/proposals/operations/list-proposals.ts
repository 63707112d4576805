import { proposalKinds, proposalStates } from '../../../records/proposals.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { ProposalResource, proposalResource } from '../proposal-resource.ts';
import { listProposals as list } from '../proposal-store.ts';

export const listProposals = operation({
  id: 'listProposals',
  method: 'GET',
  path: '/v1/admin/proposal',
  tag: 'Proposals',
  summary: 'List proposals',
  description: 'Lists what one person proposed and another decides; for a PSP its own erasures.',
  audience: ['operator', 'psp'],
  query: Type.Object({
    ...pageQuery,
    state: Type.Optional(Type.Enum(proposalStates)),
    kind: Type.Optional(Type.Enum(proposalKinds)),
  }),
  content: Page(ProposalResource),
  async handle({ principal, query }, s: Needs<'db'>) {
    const { limit, before } = readPage('proposal', query);
    const psp = principal.kind === 'operator' ? undefined : principal.psp;
    const rows = await list(s.db, { psp, state: query.state, kind: query.kind, before, limit });
    return { message: 'proposals', content: page('proposal', rows, limit, proposalResource) };
  },
});
