// Changes proposed by one person and decided by another.
import { column, defineRecord, put } from './define.ts';

export const proposalKinds = [
  'TAX',
  'FEE',
  'FEE_END',
  'CORRECTION',
  'RISK',
  'LEVEL',
  'OPERATOR',
  'OPERATOR_KEY',
  'AUTHORITY',
  'ERASURE',
] as const;
export const proposalStates = ['OPEN', 'APPROVED', 'REJECTED', 'DONE'] as const;

export const proposals = defineRecord({
  table: 'proposals',
  key: ['psp_id', 'id'],
  everywhere: true,
  columns: {
    /** Tenant of the operator account that proposed it. */
    psp_id: column.pspId,
    id: column.uuid,
    account_id: column.accountId,
    kind: column.textOf<(typeof proposalKinds)[number]>(),
    /** The country, fee row, risk rule, range of a correction, client, operator or account; of an erasure a keyed hash. */
    subject: column.text,
    /** JSON: the country file, the fee row or its id, the correction, the risk rule, the level, the key, or keyed hashes. */
    content: column.text,
    reason: column.text,
    state: column.textOf<(typeof proposalStates)[number]>(),
    /** An actor, like decided_by. */
    proposed_by: column.text,
    decided_by: column.optional(column.text),
    decision_reason: column.optional(column.text),
    version: column.int4,
    created_at: column.timestamptz,
    updated_at: column.timestamptz,
  },
  writes: { proposals: put('state', 'decided_by', 'decision_reason', 'version', 'updated_at') },
  vouched: true,
  resource: 'proposal',
});
