// The records that name a person, wallet, transfer, address or number, by keyed hash.
import { column, defineRecord, insert } from './define.ts';

export const lookups = defineRecord({
  table: 'lookups',
  key: ['psp_id', 'kind', 'hash', 'record_id'],
  columns: {
    psp_id: column.pspId,
    kind: column.text,
    hash: column.text,
    record_id: column.uuid,
    record_kind: column.text,
    account_id: column.accountId,
  },
  writes: { lookups: insert },
});
