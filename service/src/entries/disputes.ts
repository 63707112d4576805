// Disputes of chargebacks: the resource as returned and journalled, and its entries.
import { disputeStates } from '../core/dispute.ts';
import { Reason } from './accounts.ts';
import { entry } from './define.ts';
import { Named, Nullable, Type } from './schema.ts';

export const DisputeResource = Named('Dispute', 'A chargeback that is being disputed with the card scheme.', {
  disputeId: Type.String(),
  chargebackId: Type.String(),
  transactionId: Type.String(),
  clientId: Type.String(),
  reason: Type.String({ description: 'Why the chargeback is wrong.' }),
  evidenceDueAt: Type.String({ description: 'Deadline for evidence, ISO 8601 UTC.' }),
  state: Type.Enum(disputeStates, {
    description:
      'OPEN: no evidence yet. SUBMITTED: evidence was sent. WON: the chargeback is reversed. LOST: the chargeback remains.',
  }),
  evidence: Type.Array(
    Named('DisputeEvidence', 'Evidence that was sent for a dispute.', {
      at: Type.String(),
      by: Type.String({ description: 'Person or key that sent it: `usr_…`, `key_…`.' }),
      text: Nullable(
        Type.String(),
        "Statement. Null if it is sealed under the customer's key: `?expand=personal` opens it.",
      ),
      documents: Type.Array(Type.String(), {
        description: 'Names or addresses of documents; empty if they are sealed with the text.',
      }),
    }),
    { description: 'Evidence in the order it was sent.' },
  ),
  outcomeReason: Nullable(Type.String(), "The scheme's reason; null until it has decided."),
  openedBy: Type.String({ description: 'Person or key that opened it: `usr_…`, `key_…`.' }),
  version: Type.Integer(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
});

export const disputeEntries = {
  'dispute.opened/1': entry('A chargeback was disputed.', { data: DisputeResource, evidence: Reason }),
  'dispute.updated/1': entry('Evidence was sent for a dispute.', { data: DisputeResource }),
  'dispute.resolved/1': entry('The scheme decided a dispute.', { data: DisputeResource, evidence: Reason }),
};
