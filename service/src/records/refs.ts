// Refs: which record of an account has which ref, so that a repetition finds it.
import { accountId, defineRecord, int4, pspId, text, uuid } from './define.ts';

export const refs = defineRecord({
  table: 'refs',
  key: ['psp_id', 'space', 'ref', 'account_id'],
  columns: {
    psp_id: pspId,
    space: text,
    ref: text,
    account_id: accountId,
    target_id: uuid,
    revision: int4,
  },
  writes: {},
});
