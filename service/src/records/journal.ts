// The journal.
import { accountId, append, defineRecord, int8, pspId, text, uuid } from './define.ts';

export const journal = defineRecord({
  table: 'journal',
  key: ['psp_id', 'seq', 'id'],
  columns: {
    psp_id: pspId,
    seq: int8,
    id: uuid,
    kind: text,
    account_id: accountId,
    resource_id: uuid,
    body: text,
  },
  writes: { journal: append },
});
