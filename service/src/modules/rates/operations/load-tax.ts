import { exactJson } from '../../../core/json.ts';
import { Named, operation, Reason, Type } from '../../kernel/operation.ts';
import type { Uses } from '../rate-fields.ts';

const CountryFile = (description: string) => Type.Object({}, { additionalProperties: true, description });

export const loadTax = operation({
  id: 'loadTax',
  method: 'POST',
  path: '/v1/admin/tax',
  tag: 'Rates',
  area: 'administration',
  summary: "Supersede a country's tax rules",
  description:
    'Takes effect within a second on every process. The whole file is refused if a row is malformed, has no source, overlaps another or leaves a gap.',
  audience: ['operator'],
  // All shipped country files at once take 1.5 MB.
  largeBody: 4 << 20,
  body: Type.Object({
    reason: Reason,
    country: CountryFile('A country file as service/data/tax/README.md describes.'),
    further: Type.Optional(
      Type.Array(CountryFile('A country file.'), { description: 'In force with it, or none of them.', maxItems: 250 }),
    ),
  }),
  content: Named('LoadedTax', 'The tax rules that are now in force.', {
    jurisdiction: Type.String({ description: 'The country, ISO 3166-1 alpha-2.' }),
    dataset: Type.String(),
    rules: Type.Integer({ description: 'Number of rules.' }),
  }),
  refusals: ['RATES_INVALID', 'TWO_PERSONS'],
  async handle({ principal, body, now }, s: Uses) {
    const texts = [body.country, ...(body.further ?? [])].map((file, i) => ({
      name: i === 0 ? 'country' : `further[${i - 1}]`,
      text: exactJson(file),
    }));
    const dataset = await s.rateKeeper.loadTax(s, principal, texts, body.reason, now);
    const country = JSON.parse((texts[0] as { text: string }).text) as { jurisdiction: string; rules: unknown[] };
    return {
      message: 'tax rules superseded',
      content: { jurisdiction: country.jurisdiction, dataset, rules: country.rules.length },
    };
  },
});
