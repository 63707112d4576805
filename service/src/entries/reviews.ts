// Reviews and proposals: the resources as returned and journalled, and their entries.
import { reviewOutcomes, reviewStates, severities } from '../core/risk/review.ts';
import { proposalKinds, proposalStates } from '../records/proposals.ts';
import { Reason } from './accounts.ts';
import { entry } from './define.ts';
import { Named, Nullable, Type } from './schema.ts';
import { Observations } from './transactions.ts';

const shown = {
  reviewId: Type.String(),
  pspId: Type.String(),
  clientId: Type.String(),
  rule: Type.String({ description: 'The rule that opened it, or BY_HAND.' }),
  reason: Type.String({ description: 'Why it was opened.' }),
  findings: Observations,
  state: Type.Enum(reviewStates),
  assignee: Nullable(Type.String(), 'Person or key it is assigned to: `usr_…`, `key_…`; null if unassigned.'),
  outcome: Nullable(Type.Enum(reviewOutcomes), 'CLEARED: nothing is wrong. CONFIRMED: something is.'),
  notes: Type.Array(
    Named('ReviewNote', 'A note on a review.', {
      at: Type.String(),
      by: Type.String(),
      text: Type.String({ description: 'The text of the note.' }),
    }),
  ),
  openedBy: Type.String({ description: 'Person or key that opened it; `rule` if a rule did.' }),
  version: Type.Integer(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
};

export const ReviewResource = Named('Review', 'An alert that a person reviews.', {
  ...shown,
  transactionId: Nullable(Type.String(), 'The transaction; null for an alert about the client or a person alone.'),
  ruleVersion: Nullable(Type.String(), 'Version of the rule, where it has one.'),
  severity: Type.Enum(severities, { description: 'Severity, by its rule or list.' }),
});

/** As it was when every review was of a transaction. */
const FormerReview = Named('FormerReview', 'A review of a transaction by a person.', {
  ...shown,
  transactionId: Type.String(),
});

export const ProposalResource = Named(
  'Proposal',
  'A proposed change of rates, a risk rule or a level, or a proposed act, which another person decides.',
  {
    proposalId: Type.String(),
    kind: Type.Enum(proposalKinds),
    subject: Type.String({
      description:
        'The country, the id of the fee row or of the risk rule, the scope of the correction, the operator or its account; of an erasure a keyed hash.',
    }),
    reason: Type.String(),
    state: Type.Enum(proposalStates, { description: 'DONE: approved and done, for what is done once.' }),
    account: Type.String({ description: 'The account it was proposed for: of the operator, or of the PSP.' }),
    proposedBy: Type.String({ description: '`usr_…`, `key_…`.' }),
    decidedBy: Nullable(Type.String(), 'The other person, who approved or rejected it.'),
    decisionReason: Nullable(Type.String(), 'Reason, if one was given.'),
    version: Type.Integer(),
    createdAt: Type.String(),
    updatedAt: Type.String(),
  },
);
export const reviewEntries = {
  'review.opened/1': entry('A person opened a review.', { data: FormerReview, evidence: Reason }),
  'review.opened/2': entry('A rule or a person opened a review.', { data: ReviewResource, evidence: Reason }),
  'review.updated/1': entry('A review was assigned, noted on, resolved or opened again.', {
    data: FormerReview,
    evidence: Type.Optional(Reason),
  }),
  'review.updated/2': entry('A review was assigned, noted on or resolved.', {
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
      base: Type.Optional(
        Type.String({ description: 'Of tax rules: the hash of the file that was in force, which it is to replace.' }),
      ),
    }),
  }),
  'proposal.decided/1': entry('A proposal was approved or rejected.', {
    data: ProposalResource,
    evidence: Type.Optional(Reason),
  }),
};
