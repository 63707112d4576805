// Call detail records that were withdrawn, or corrected by another one.
import { column, defineRecord, insert } from './define.ts';

export const cdrWithdrawals = defineRecord({
  table: 'cdr_withdrawals',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: column.pspId,
    /** The record's. */
    id: column.uuid,
    account_id: column.accountId,
    /** The journal entry about it. */
    entry_id: column.uuid,
    /** The record in its place. */
    superseded_by: column.optional(column.uuid),
    reason: column.text,
    created_at: column.timestamptz,
  },
  writes: { cdr_withdrawals: insert },
  vouched: true,
  resource: 'cdr',
});
