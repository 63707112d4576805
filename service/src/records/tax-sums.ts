// What was charged of a client or customer in a day, month or year, for taxes whose law counts it. Made of the records:
// each says what it added.
import { accountId, defineRecord, int4, numeric, pspId, put, text, timestamptz, uuid } from './define.ts';

export const taxSums = defineRecord({
  table: 'tax_sums',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: pspId,
    id: uuid,
    account_id: accountId,
    /** Tax, period and currency, and whose. */
    sum: text,
    base: numeric,
    records: int4,
    updated_at: timestamptz,
  },
  writes: { tax_sums: put('base', 'records', 'updated_at') },
});
