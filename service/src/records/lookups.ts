// The records that name a person, wallet, transfer, address or number, by keyed hash.
import { accountId, defineRecord, insert, pspId, text, uuid } from './define.ts';

export const lookups = defineRecord({
  table: 'lookups',
  key: ['psp_id', 'kind', 'hash', 'record_id'],
  columns: { psp_id: pspId, kind: text, hash: text, record_id: uuid, record_kind: text, account_id: accountId },
  writes: { lookups: insert },
});
