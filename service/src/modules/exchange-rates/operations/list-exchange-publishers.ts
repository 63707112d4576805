// GET /v1/exchange-publishers: whose exchange rates are read, and what is stored of each.
import { publisherIds, publishers } from '../../../core/exchange/publishers.ts';
import { rateKinds } from '../../../entries/exchange.ts';
import { Named, type Needs, Nullable, operation, Type } from '../../kernel/operation.ts';
import { stocks } from '../exchange-store.ts';

const Stock = Named('ExchangeRateStock', 'The rates of one kind that are stored of a publisher.', {
  kind: Type.Enum(rateKinds, { description: 'DAY: rates of days. MONTH: rates that hold for a month.' }),
  firstDay: Type.String({ description: 'First day with a rate, `YYYY-MM-DD`.' }),
  lastDay: Type.String({ description: 'Last day with a rate, `YYYY-MM-DD`; of a month its first day.' }),
  currencies: Type.Array(Type.String(), { description: 'Currencies with a rate, ISO 4217.' }),
  loadedAt: Type.String({ description: 'When rates were last loaded, ISO 8601 UTC.' }),
});

export const listExchangePublishers = operation({
  id: 'listExchangePublishers',
  method: 'GET',
  path: '/v1/exchange-publishers',
  tag: 'Rates',
  summary: 'List publishers of exchange rates',
  description: 'The central banks and tax authorities whose files can be loaded, with what is stored of each.',
  audience: ['psp', 'client', 'operator'],
  content: Named('ExchangePublisherList', 'Publishers of exchange rates.', {
    items: Type.Array(
      Named('ExchangePublisher', 'A bank or authority that publishes exchange rates.', {
        publisher: Type.Enum(publisherIds, { description: 'Its short name.' }),
        name: Type.String({ description: 'Its name.' }),
        country: Nullable(Type.String(), 'Its country, ISO 3166-1 alpha-2; null for the euro area.'),
        base: Type.String({ description: 'The currency that all its rates are quoted against.' }),
        figure: Type.String({ description: 'The published rate that is read.' }),
        address: Nullable(Type.String(), 'Address of its current file; null if there is no lasting one.'),
        archive: Nullable(Type.String(), 'Addresses of files of earlier days; what varies is in braces.'),
        stored: Type.Array(Stock, { description: 'Rates that are stored; empty if none were loaded.' }),
      }),
      { description: 'The publishers.' },
    ),
  }),
  async handle(_, s: Needs<'db'>) {
    const stored = await stocks(s.db);
    const items = publisherIds.map((id) => ({
      publisher: id,
      ...publishers[id],
      stored: stored.filter((r) => r.publisher === id).map(({ publisher: _, ...of }) => of),
    }));
    return { message: 'publishers of exchange rates', content: { items } };
  },
});
