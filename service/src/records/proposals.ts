// Changes proposed by one person and decided by another.
import { accountId, defineRecord, int4, optional, pspId, put, text, textOf, timestamptz, uuid } from './define.ts';

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
    psp_id: pspId,
    id: uuid,
    account_id: accountId,
    kind: textOf<(typeof proposalKinds)[number]>(),
    /** The country, fee row, risk rule, range of a correction, client, operator or account; of an erasure a keyed hash. */
    subject: text,
    /** JSON: the country file, the fee row or its id, the correction, the risk rule, the level, the key, or keyed hashes. */
    content: text,
    reason: text,
    state: textOf<(typeof proposalStates)[number]>(),
    /** An actor, like decided_by. */
    proposed_by: text,
    decided_by: optional(text),
    decision_reason: optional(text),
    version: int4,
    created_at: timestamptz,
    updated_at: timestamptz,
  },
  writes: { proposals: put('state', 'decided_by', 'decision_reason', 'version', 'updated_at') },
  vouched: true,
  resource: 'proposal',
});
