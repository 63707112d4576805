// Disputes of chargebacks.
import type { DisputeEvidence, DisputeState } from '../core/dispute.ts';
import {
  accountId,
  defineRecord,
  int4,
  json,
  optional,
  pspId,
  put,
  text,
  textOf,
  timestamptz,
  transactionId,
  uuid,
} from './define.ts';

export const disputes = defineRecord({
  table: 'disputes',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: pspId,
    id: uuid,
    account_id: accountId,
    chargeback_id: uuid,
    transaction_id: transactionId,
    reason: text,
    evidence_due_at: timestamptz,
    state: textOf<DisputeState>(),
    evidence: json<readonly DisputeEvidence[]>(),
    outcome_reason: optional(text),
    opened_by: text,
    subject: optional(text),
    version: int4,
    created_at: timestamptz,
    updated_at: timestamptz,
  },
  writes: { disputes: put('state', 'evidence', 'outcome_reason', 'version', 'updated_at') },
  vouched: true,
  resource: 'dispute',
  told: true,
});
