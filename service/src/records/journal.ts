// The journal.
import { append, column, defineRecord } from './define.ts';

export const journal = defineRecord({
  table: 'journal',
  key: ['psp_id', 'seq', 'id'],
  columns: {
    psp_id: column.pspId,
    seq: column.int8,
    id: column.uuid,
    kind: column.text,
    account_id: column.accountId,
    resource_id: column.uuid,
    body: column.text,
  },
  writes: { journal: append },
});
