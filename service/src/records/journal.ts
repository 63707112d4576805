// The journal.
import { append, defineRecord, int8, text, uuid } from './define.ts';

export const journal = defineRecord({
  table: 'journal',
  key: ['psp_id', 'seq', 'id'],
  columns: {
    psp_id: uuid,
    seq: int8,
    id: uuid,
    kind: text,
    account_id: uuid,
    resource_id: uuid,
    body: text,
  },
  writes: { journal: append },
});
