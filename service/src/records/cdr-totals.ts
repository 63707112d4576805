// The sums of call detail record analyses, by account, month, class, currency and rule. The analysis writes them
// itself.
import { accountId, defineRecord, int8, numeric, pspId, text } from './define.ts';

export const cdrTotals = defineRecord({
  table: 'cdr_totals',
  key: ['psp_id', 'account_id', 'period', 'call_period', 'class', 'currency', 'rule_id', 'tax_currency', 'reason'],
  columns: {
    psp_id: pspId,
    account_id: accountId,
    period: text,
    call_period: text,
    class: text,
    currency: text,
    rule_id: text,
    tax_currency: text,
    reason: text,
    country: text,
    tax_code: text,
    base: text,
    records: int8,
    answered: int8,
    seconds: int8,
    data_kb: numeric,
    cost: numeric,
    taxable: numeric,
    quantity: numeric,
    tax: numeric,
  },
  writes: {},
});
