// A proposal as returned to staff and journalled.
import { accountWire, toWire } from '../../core/ids.ts';
import { ProposalResource } from '../../entries/reviews.ts';
import { resourceOf } from '../../entries/schema.ts';
import type { Proposal } from './proposal-store.ts';

export { ProposalResource } from '../../entries/reviews.ts';

export const proposalResource = (p: Proposal) =>
  resourceOf(ProposalResource, p, {
    proposalId: toWire('proposal', p.id),
    account: accountWire(p.psp, p.account),
  });
