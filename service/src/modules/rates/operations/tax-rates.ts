import { isInForce, localDate } from '../../../core/calendar.ts';
import { noTaxRule, orThrow } from '../../../core/refusal.ts';
import { Day, Named, type Needs, operation, Type } from '../../kernel/operation.ts';

interface Dated {
  readonly validFrom: string;
  readonly validTo: string | null;
}

/** An object with the members that country files give it. */
const open = (name: string, description: string) =>
  Type.Object({}, { $id: name, additionalProperties: true, description });

export const taxRates = operation({
  id: 'taxRates',
  method: 'GET',
  path: '/v1/tax/rates',
  tag: 'Rates',
  summary: 'Tax rates of a country on a date',
  audience: ['psp', 'client', 'operator'],
  query: Type.Object({
    country: Type.String({ description: 'ISO 3166-1 alpha-2 or alpha-3.', maxLength: 3 }),
    date: Type.Optional(Day('Local calendar date; default: today in that country.')),
    all: Type.Optional(Type.Enum(['true'], { description: 'Includes past and future rules of the country.' })),
  }),
  content: Named('TaxRates', 'Tax rules of a country.', {
    country: Type.String({ description: 'The country, ISO 3166-1 alpha-2.' }),
    name: Type.String({ description: 'Name of the country.' }),
    date: Type.String({ description: 'Local calendar date of the rules.' }),
    dataset: Type.String(),
    registration: Type.Array(
      open(
        'RegistrationThreshold',
        'The turnover from which on a business must register for the tax on its sales, with its source.',
      ),
      { description: 'Thresholds of registration; empty where none was looked up.' },
    ),
    discounts: Type.Array(open('DiscountFact', 'Whether tax is due on the price before a discount, with its source.'), {
      description:
        'Facts on how discounts are taxed; empty where they are left out of the taxable amount, the default.',
    }),
    gaming: Type.Array(
      open('GamingFact', 'Whether gaming is taxed where the player is or where the operator is, with its source.'),
      {
        description: 'Facts on whose place the taxes on gaming follow; empty where it is the operator, the default.',
      },
    ),
    rates: Type.Array(open('TaxRule', 'A tax rule with its source, as in country files.'), {
      description: 'The rules, each with its source.',
    }),
  }),
  refusals: ['UNKNOWN_COUNTRY', 'NO_TAX_RULE'],
  async handle({ query, now }, s: Needs<'reference' | 'rates'>) {
    const country = orThrow(s.reference.country(query.country, 'country'));
    const file = s.rates.book.country(country.alpha2);
    const date = query.date ?? localDate(file?.timeZone ?? 'UTC', now);
    const isAsked = (r: Dated): boolean => query.all !== undefined || isInForce(r, date);
    const asked = file?.rules.filter(isAsked) ?? [];
    if (!file || asked.length === 0) throw noTaxRule(country.alpha2, date);
    const sourced = <T extends { readonly source: string }>(list: readonly T[]) =>
      list.map((r) => ({ ...r, source: file.sources[r.source] ?? null }));
    return {
      message: 'rates',
      content: {
        country: country.alpha2,
        name: file.name,
        date,
        dataset: s.rates.book.version,
        registration: sourced((file.registration ?? []).filter(isAsked)),
        discounts: sourced((file.discounts ?? []).filter(isAsked)),
        gaming: sourced((file.gaming ?? []).filter(isAsked)),
        rates: sourced(asked),
      },
    };
  },
});
