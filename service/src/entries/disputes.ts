// Disputes of chargebacks: the resource, as it is shown and kept in the journal, and the entries about them.
import { Type } from 'typebox';
import { disputeStates } from '../core/dispute.ts';
import { Reason } from './accounts.ts';
import { entry } from './define.ts';
import { Named, Nullable } from './schema.ts';

export const DisputeResource = Named('Dispute', 'A chargeback that is disputed at the scheme.', {
  disputeId: Type.String(),
  chargebackId: Type.String(),
  transactionId: Type.String(),
  clientId: Type.String(),
  reason: Type.String({ description: 'Why the chargeback is wrong.' }),
  evidenceDueAt: Type.String({ description: 'Until when evidence can be sent, ISO 8601 UTC.' }),
  state: Type.Enum([...disputeStates], {
    description:
      'OPEN: no evidence was sent yet. SUBMITTED: evidence was sent. WON: the chargeback is reversed. LOST: it stays.',
  }),
  evidence: Type.Array(
    Named('DisputeEvidence', 'Evidence that was sent for a dispute.', {
      at: Type.String(),
      by: Type.String({ description: 'Who sent it: `usr_…`, `key_…`.' }),
      text: Nullable(
        Type.String(),
        'What it shows. Null where it is sealed under the key of the customer: `?expand=personal` opens it.',
      ),
      documents: Type.Array(Type.String(), { description: 'Names or addresses of documents.' }),
    }),
    { description: 'In the order in which it was sent.' },
  ),
  outcomeReason: Nullable(Type.String(), 'What the scheme said; null until it decided.'),
  openedBy: Type.String({ description: 'Who opened it: `usr_…`, `key_…`.' }),
  version: Type.Integer(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
});

export const disputeEntries = {
  'dispute.opened/1': entry('A chargeback was disputed.', { data: DisputeResource, evidence: Reason }),
  'dispute.updated/1': entry('Evidence was sent for a dispute.', { data: DisputeResource }),
  'dispute.resolved/1': entry('The scheme decided a dispute.', { data: DisputeResource, evidence: Reason }),
};
