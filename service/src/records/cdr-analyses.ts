// Results of analysing call detail records, one row per record: the analysis writes them itself, and recreates them
// from the records on request.
import type { AnalysisFinding } from '../core/cdr/analyse.ts';
import type { CdrClass } from '../core/cdr/classify.ts';
import { accountId, defineRecord, int4, json, numeric, optional, pspId, text, textOf, uuid } from './define.ts';

/** A rule's id, its tax, currency, taxable amount, quantity and why the tax is zero; trailing nulls are left out. */
type TaxList = readonly [string, string, string, ...(string | null)[]];

export const cdrAnalyses = defineRecord({
  table: 'cdr_analyses',
  key: ['psp_id', 'cdr_id'],
  columns: {
    psp_id: pspId,
    cdr_id: uuid,
    account_id: accountId,
    country: text,
    period: text,
    call_period: text,
    class: textOf<CdrClass>(),
    other_country: optional(text),
    currency: text,
    cost: numeric,
    duration_s: int4,
    data_kb: numeric,
    answered: int4,
    tax: numeric,
    taxes: json<readonly TaxList[]>(),
    finding: optional(textOf<AnalysisFinding>()),
    dataset: text,
    ranges: text,
  },
  writes: {},
});
