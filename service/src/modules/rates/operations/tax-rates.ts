// The rates in force in a country on a date, with their sources.
import { Type } from 'typebox';
import { localDate } from '../../../core/calendar.ts';
import { Refusal, refuse } from '../../../core/refusal.ts';
import type { Needs } from '../../kernel/needs.ts';
import { Named, operation } from '../../kernel/operation.ts';

export const taxRates = operation({
  id: 'taxRates',
  method: 'GET',
  path: '/v1/tax/rates',
  tag: 'Rates',
  summary: 'Tax rates of a country on a date',
  audience: ['psp', 'client', 'operator'],
  query: Type.Object({
    country: Type.String({ description: 'ISO 3166-1 alpha-2 or alpha-3.', maxLength: 3 }),
    date: Type.Optional(
      Type.String({
        description: 'Local calendar date; default: today in that country.',
        pattern: '^\\d{4}-\\d{2}-\\d{2}$',
        maxLength: 10,
      }),
    ),
    all: Type.Optional(Type.Enum(['true'], { description: 'Includes past and future rules of the country.' })),
  }),
  content: Named('TaxRates', 'Tax rules of a country.', {
    country: Type.String(),
    name: Type.String(),
    date: Type.String(),
    dataset: Type.String(),
    rates: Type.Array(
      Type.Object(
        {},
        {
          $id: 'TaxRule',
          additionalProperties: true,
          description: 'A tax rule with its source, as in country files.',
        },
      ),
    ),
  }),
  refusals: ['UNKNOWN_COUNTRY', 'NO_TAX_RULE'],
  async handle({ query, now }, s: Needs<'reference' | 'rates'>) {
    const country = s.reference.country(query.country, 'country');
    if (country instanceof Refusal) throw country;
    const file = s.rates.book.country(country.alpha2);
    const date = query.date ?? localDate(file?.timeZone ?? 'UTC', now);
    const asked =
      file?.rules.filter(
        (r) => query.all !== undefined || (r.validFrom <= date && (r.validTo === null || date < r.validTo)),
      ) ?? [];
    if (!file || asked.length === 0)
      throw refuse('NO_TAX_RULE', `no tax rule for country '${country.alpha2}' on ${date}`);
    return {
      message: 'rates',
      content: {
        country: country.alpha2,
        name: file.name,
        date,
        dataset: s.rates.book.version,
        rates: asked.map((r) => ({ ...r, source: file.sources[r.source] ?? null })),
      },
    };
  },
});
