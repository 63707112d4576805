import { isDate } from '../../../core/calendar.ts';
import { isPublisher, publisherIds } from '../../../core/exchange/publishers.ts';
import { toWire } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { rateKinds } from '../../../entries/exchange.ts';
import { Day, Named, type Needs, operation, resourceOf, Type } from '../../kernel/operation.ts';
import { Page, pageQuery } from '../../kernel/paging.ts';
import { currencyCode } from '../../kernel/text-forms.ts';
import { type ExchangeRate, listRates, type RateFilter } from '../exchange-store.ts';

const ExchangeRateResource = Named('ExchangeRate', 'An exchange rate as it was published.', {
  publisher: Type.Enum(publisherIds, { description: 'The bank or authority that published it.' }),
  kind: Type.Enum(rateKinds, { description: 'DAY: the rate of a day. MONTH: a rate that holds for a month.' }),
  day: Type.String({ description: 'Day of the rate, `YYYY-MM-DD`; of a month its first day.' }),
  currency: Type.String({ description: 'The currency that is quoted, ISO 4217.' }),
  base: Type.String({ description: "The publisher's own currency." }),
  per: Type.Enum(['CURRENCY', 'BASE'], {
    description:
      'CURRENCY: `units` of the currency cost `rate` of the base. BASE: `units` of the base cost `rate` of the currency.',
  }),
  units: Type.Integer({ description: 'Units that the rate is quoted for: 1, 100 and so on.' }),
  rate: Type.String({ description: 'The rate, decimal text as published.' }),
  revision: Type.Integer({ description: 'Number of the rate among those for the same day, from 1.' }),
  loadId: Type.String({ description: 'The load that it came with, `fxl_…`.' }),
  sha256: Type.String({ description: 'SHA-256 of the file that it came from, in hex.' }),
  loadedAt: Type.String({ description: 'When it was loaded, ISO 8601 UTC.' }),
});

const resource = (r: ExchangeRate) =>
  resourceOf(ExchangeRateResource, r, {
    loadId: toWire('exchangeLoad', r.load),
    sha256: r.fileSha256,
  });

const cursorOf = (r: ExchangeRate): string => [r.day, r.publisher, r.kind, r.currency, r.revision].join('.');

function readCursor(text: string | undefined): RateFilter['after'] {
  if (text === undefined) return undefined;
  const [on = '', publisher = '', kind = '', currency = '', revision = ''] = text.split('.');
  const whole = isDate(on) && isPublisher(publisher) && /^[A-Z]{3}$/.test(currency) && /^\d{1,9}$/.test(revision);
  if (!whole || (kind !== 'DAY' && kind !== 'MONTH'))
    throw refuse('QUERY_INVALID', "the query parameter 'cursor' is not a cursor of this list");
  return { day: on, publisher, kind, currency, revision: Number(revision) };
}

export const listExchangeRates = operation({
  id: 'listExchangeRates',
  method: 'GET',
  path: '/v1/exchange-rates',
  tag: 'Rates',
  summary: 'List published exchange rates',
  description: 'Exchange rates as central banks and tax authorities published them, the last day first.',
  audience: ['psp', 'client', 'operator'],
  query: Type.Object({
    ...pageQuery,
    publisher: Type.Optional(Type.Enum(publisherIds, { description: 'The bank or authority that published it.' })),
    kind: Type.Optional(Type.Enum(rateKinds)),
    currency: Type.Optional(Type.String({ description: 'ISO 4217.', ...currencyCode, maxLength: 3 })),
    dayFrom: Type.Optional(Day('First day, `YYYY-MM-DD`.')),
    dayTo: Type.Optional(Day('Last day, `YYYY-MM-DD`.')),
    former: Type.Optional(Type.Enum(['true'], { description: 'Includes rates that were corrected.' })),
  }),
  content: Page(ExchangeRateResource),
  async handle({ query: q }, s: Needs<'db'>) {
    const limit = q.limit ?? 50;
    const rows = await listRates(s.db, {
      publisher: q.publisher,
      kind: q.kind,
      currency: q.currency,
      from: q.dayFrom,
      to: q.dayTo,
      former: q.former !== undefined,
      after: readCursor(q.cursor),
      limit: limit + 1,
    });
    const items = rows.slice(0, limit);
    const last = rows.length > limit ? items.at(-1) : undefined;
    return {
      message: 'exchange rates',
      content: { items: items.map(resource), nextCursor: last ? cursorOf(last) : null },
    };
  },
});
