// Disputes of chargebacks.
import type { DisputeEvidence, DisputeState } from '../core/dispute.ts';
import { column, defineRecord, put } from './define.ts';

export const disputes = defineRecord({
  table: 'disputes',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: column.pspId,
    id: column.uuid,
    account_id: column.accountId,
    chargeback_id: column.uuid,
    transaction_id: column.transactionId,
    reason: column.text,
    evidence_due_at: column.timestamptz,
    state: column.textOf<DisputeState>(),
    evidence: column.json<readonly DisputeEvidence[]>(),
    outcome_reason: column.optional(column.text),
    opened_by: column.text,
    subject: column.optional(column.text),
    version: column.int4,
    created_at: column.timestamptz,
    updated_at: column.timestamptz,
  },
  writes: { disputes: put('state', 'evidence', 'outcome_reason', 'version', 'updated_at') },
  vouched: true,
  resource: 'dispute',
  journaled: true,
});
