// What authorities may read. The account beside it has the name; the people are users of that account.
import type { ViewKind } from '../core/oversight.ts';
import { column, defineRecord, put } from './define.ts';

export const authorities = defineRecord({
  table: 'authorities',
  key: ['psp_id', 'id'],
  everywhere: true,
  columns: {
    psp_id: column.pspId,
    /** Also the id of the account that the authority has. */
    id: column.accountId,
    country: column.text,
    tax_codes: column.optional(column.json<readonly string[]>()),
    record_kinds: column.json<readonly ViewKind[]>(),
    day_from: column.date,
    day_to: column.optional(column.date),
    until: column.timestamptz,
    version: column.int4,
    created_at: column.timestamptz,
    updated_at: column.timestamptz,
  },
  writes: {
    authorities: put('country', 'tax_codes', 'record_kinds', 'day_from', 'day_to', 'until', 'version', 'updated_at'),
  },
  vouched: true,
});
