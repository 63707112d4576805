// Refs: which record of an account has which ref of its caller, so that a repetition finds it.
import { defineRecord, int4, text, uuid } from './define.ts';

export const refs = defineRecord({
  table: 'refs',
  key: ['psp_id', 'space', 'ref', 'account_id'],
  columns: {
    psp_id: uuid,
    space: text,
    ref: text,
    account_id: uuid,
    target_id: uuid,
    revision: int4,
  },
  writes: {},
});
