// GET /v1/admin/tax/:countryCode: the tax rules of a country in force, as the file they were loaded with.
import { noTaxRule, orThrow } from '../../../core/refusal.ts';
import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { documents } from '../rates-store.ts';

export const getTaxFile = operation({
  id: 'getTaxFile',
  method: 'GET',
  path: '/v1/admin/tax/:countryCode',
  tag: 'Rates',
  area: 'administration',
  summary: "A country's tax rules in force, as a file",
  description:
    'The whole file with its sources and all rows, past and to come: what loadTax or openProposal take, changed.',
  audience: ['operator'],
  content: Named('TaxFile', 'The tax rules of a country that are in force, as a file.', {
    countryCode: Type.String(),
    file: Type.Object(
      {},
      { additionalProperties: true, description: 'A country file as service/data/tax/README.md describes.' },
    ),
  }),
  refusals: ['UNKNOWN_COUNTRY', 'NO_TAX_RULE'],
  async handle({ params }, s: Needs<'db' | 'reference'>) {
    const country = orThrow(s.reference.country(params.countryCode ?? '', 'countryCode'));
    const [text] = await documents(s.db, [country.alpha2]);
    if (text === undefined) throw noTaxRule(country.alpha2);
    return { message: 'tax rules in force', content: { countryCode: country.alpha2, file: JSON.parse(text) } };
  },
});
