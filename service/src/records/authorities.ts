// What authorities may read. The account beside it has the name; the people are users of that account.
import type { ViewKind } from '../core/oversight.ts';
import { accountId, date, defineRecord, int4, json, optional, pspId, put, text, timestamptz } from './define.ts';

export const authorities = defineRecord({
  table: 'authorities',
  key: ['psp_id', 'id'],
  everywhere: true,
  columns: {
    psp_id: pspId,
    /** The account's. */
    id: accountId,
    country: text,
    tax_codes: optional(json<readonly string[]>()),
    record_kinds: json<readonly ViewKind[]>(),
    day_from: date,
    day_to: optional(date),
    until: timestamptz,
    version: int4,
    created_at: timestamptz,
    updated_at: timestamptz,
  },
  writes: {
    authorities: put('country', 'tax_codes', 'record_kinds', 'day_from', 'day_to', 'until', 'version', 'updated_at'),
  },
  vouched: true,
});
