// Refs: which record of an account has which ref, so that a repetition finds it.
import { column, defineRecord } from './define.ts';

export const refs = defineRecord({
  table: 'refs',
  key: ['psp_id', 'space', 'ref', 'account_id'],
  columns: {
    psp_id: column.pspId,
    space: column.text,
    ref: column.text,
    account_id: column.accountId,
    target_id: column.uuid,
    revision: column.int4,
  },
  writes: {},
});
