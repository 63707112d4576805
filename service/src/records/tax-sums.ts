// What was charged of a client or customer in a day, month or year, for taxes whose law counts it. Made of the records:
// each says what it added.
import { column, defineRecord, put } from './define.ts';

export const taxSums = defineRecord({
  table: 'tax_sums',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: column.pspId,
    id: column.uuid,
    account_id: column.accountId,
    /** Tax, period and currency, and whose. */
    sum: column.text,
    base: column.numeric,
    records: column.int4,
    updated_at: column.timestamptz,
  },
  writes: { tax_sums: put('base', 'records', 'updated_at') },
});
