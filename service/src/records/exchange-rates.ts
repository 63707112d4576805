// Published exchange rates. They belong to no PSP.
import type { PublisherId, RateKind } from '../core/exchange/publishers.ts';
import type { Quote } from '../core/exchange/quotes.ts';
import { column, defineRecord, insert } from './define.ts';

export const exchangeRates = defineRecord({
  table: 'exchange_rates',
  key: ['publisher', 'kind', 'currency', 'day', 'revision'],
  columns: {
    publisher: column.textOf<PublisherId>(),
    kind: column.textOf<RateKind>(),
    currency: column.text,
    /** Of a month its first day. */
    day: column.date,
    /** From 1; a corrected rate is a further one. */
    revision: column.int4,
    base: column.text,
    per: column.textOf<Quote['per']>(),
    units: column.int4,
    rate: column.numeric,
    load_id: column.uuid,
    file_sha256: column.text,
    /** The first day read from the file; null in all but its last load. */
    read_from: column.optional(column.date),
    loaded_at: column.timestamptz,
  },
  writes: { exchange_rates: insert },
});
