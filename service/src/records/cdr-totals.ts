// The sums of call detail record analyses, by account, month, class, currency and rule. The analysis writes them
// itself.
import { column, defineRecord } from './define.ts';

export const cdrTotals = defineRecord({
  table: 'cdr_totals',
  key: ['psp_id', 'account_id', 'period', 'call_period', 'class', 'currency', 'rule_id', 'tax_currency', 'reason'],
  columns: {
    psp_id: column.pspId,
    account_id: column.accountId,
    period: column.text,
    call_period: column.text,
    class: column.text,
    currency: column.text,
    rule_id: column.text,
    tax_currency: column.text,
    reason: column.text,
    country: column.text,
    tax_code: column.text,
    base: column.text,
    records: column.int8,
    answered: column.int8,
    seconds: column.int8,
    data_kb: column.numeric,
    cost: column.numeric,
    taxable: column.numeric,
    quantity: column.numeric,
    tax: column.numeric,
    /** Who owes a tax by return; '' for taxes that the records bear. */
    owed_by: column.text,
  },
  writes: {},
});
