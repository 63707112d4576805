// Reviews and proposals: the resources as returned and journalled, and their entries.
import { Type } from 'typebox';
import { reviewOutcomes, reviewStates } from '../core/risk/review.ts';
import { proposalKinds, proposalStates } from '../records/proposals.ts';
import { Reason } from './accounts.ts';
import { entry } from './define.ts';
import { Named, Nullable } from './schema.ts';
import { Observations } from './transactions.ts';

export const ReviewResource = Named('Review', 'A review of a transaction by a person.', {
  reviewId: Type.String(),
  pspId: Type.String(),
  clientId: Type.String(),
  transactionId: Type.String(),
  rule: Type.String({ description: 'The rule that opened it, or BY_HAND.' }),
  reason: Type.String({ description: 'Why it was opened.' }),
  findings: Observations,
  state: Type.Enum([...reviewStates]),
  assignee: Nullable(Type.String(), 'Person or key it is assigned to: `usr_…`, `key_…`; null if unassigned.'),
  outcome: Nullable(Type.Enum([...reviewOutcomes]), 'CLEARED: nothing is wrong. CONFIRMED: something is.'),
  notes: Type.Array(
    Named('ReviewNote', 'A note on a review.', { at: Type.String(), by: Type.String(), text: Type.String() }),
  ),
  openedBy: Type.String({ description: 'Person or key that opened it; `rule` if a rule did.' }),
  version: Type.Integer(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
});

export const ProposalResource = Named(
  'Proposal',
  'A proposed change of rates or of a risk rule, which another person decides.',
  {
    proposalId: Type.String(),
    kind: Type.Enum([...proposalKinds]),
    subject: Type.String({
      description: 'The country, the id of the fee row or of the risk rule, or the scope of the correction.',
    }),
    reason: Type.String(),
    state: Type.Enum([...proposalStates]),
    account: Type.String({ description: "The operator's account." }),
    proposedBy: Type.String({ description: '`usr_…`, `key_…`.' }),
    decidedBy: Nullable(Type.String(), 'The other person, who approved or rejected it.'),
    decisionReason: Nullable(Type.String(), 'Reason, if one was given.'),
    version: Type.Integer(),
    createdAt: Type.String(),
    updatedAt: Type.String(),
  },
);
export const reviewEntries = {
  'review.opened/1': entry('A person opened a review.', { data: ReviewResource, evidence: Reason }),
  'review.updated/1': entry('A review was assigned, noted on, resolved or opened again.', {
    data: ReviewResource,
    evidence: Type.Optional(Reason),
  }),
  'proposal.opened/1': entry('A change of rates or of a risk rule was proposed.', {
    data: ProposalResource,
    evidence: Named('ProposalEvidence', 'What was proposed, and why.', {
      reason: Type.String(),
      content: Type.Unknown({
        description: 'The tax rules, the fee row, the correction or the risk rule, as it was proposed.',
      }),
    }),
  }),
  'proposal.decided/1': entry('A proposal was approved or rejected.', {
    data: ProposalResource,
    evidence: Type.Optional(Reason),
  }),
};
