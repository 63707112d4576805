// Published exchange rates. They belong to no PSP.
import type { PublisherId, RateKind } from '../core/exchange/publishers.ts';
import type { Quote } from '../core/exchange/quotes.ts';
import { date, defineRecord, insert, int4, numeric, optional, text, textOf, timestamptz, uuid } from './define.ts';

export const exchangeRates = defineRecord({
  table: 'exchange_rates',
  key: ['publisher', 'kind', 'currency', 'day', 'revision'],
  columns: {
    publisher: textOf<PublisherId>(),
    kind: textOf<RateKind>(),
    currency: text,
    /** Of a month its first day. */
    day: date,
    /** From 1; a corrected rate is a further one. */
    revision: int4,
    base: text,
    per: textOf<Quote['per']>(),
    units: int4,
    rate: numeric,
    load_id: uuid,
    file_sha256: text,
    /** The first day read from the file; null in all but its last load. */
    read_from: optional(date),
    loaded_at: timestamptz,
  },
  writes: { exchange_rates: insert },
});
