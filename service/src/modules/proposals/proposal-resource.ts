// A proposal as returned to staff and journalled.
import { toWire } from '../../core/ids.ts';
import { accountWire } from '../../core/transaction.ts';
import type { Proposal } from './proposal-store.ts';

export { ProposalResource } from '../../entries/reviews.ts';

export const proposalResource = (p: Proposal) => ({
  proposalId: toWire('proposal', p.id),
  kind: p.kind,
  subject: p.subject,
  reason: p.reason,
  state: p.state,
  account: accountWire(p.psp, p.account),
  proposedBy: p.proposedBy,
  decidedBy: p.decidedBy,
  decisionReason: p.decisionReason,
  version: p.version,
  createdAt: p.createdAt,
  updatedAt: p.updatedAt,
});
