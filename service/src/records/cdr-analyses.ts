// Results of analysing call detail records, one row per record: the analysis writes them itself, and recreates them
// from the records on request.
import type { AnalysisFinding } from '../core/cdr/analyse.ts';
import type { CdrClass } from '../core/cdr/classify.ts';
import { column, defineRecord } from './define.ts';

/**
 * A rule's id, its tax, currency, taxable amount, quantity, why the tax is zero, and who owes a tax by return; trailing nulls
 * are left out.
 */
type TaxList = readonly [string, string, string, ...(string | null)[]];

export const cdrAnalyses = defineRecord({
  table: 'cdr_analyses',
  key: ['psp_id', 'cdr_id'],
  columns: {
    psp_id: column.pspId,
    cdr_id: column.uuid,
    account_id: column.accountId,
    country: column.text,
    period: column.text,
    call_period: column.text,
    class: column.textOf<CdrClass>(),
    other_country: column.optional(column.text),
    currency: column.text,
    cost: column.numeric,
    duration_s: column.int4,
    data_kb: column.numeric,
    answered: column.int4,
    tax: column.numeric,
    taxes: column.json<readonly TaxList[]>(),
    finding: column.optional(column.textOf<AnalysisFinding>()),
    dataset: column.text,
    ranges: column.text,
    /** Month (YYYY-MM) that its withdrawal is taken off in. */
    withdrawn_in: column.optional(column.text),
  },
  writes: {},
});
