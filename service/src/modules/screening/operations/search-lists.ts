import { orThrow, refuse } from '../../../core/refusal.ts';
import { listedKinds } from '../../../core/risk/lists.ts';
import { roles } from '../../../core/roles.ts';
import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import type { HasLists } from '../lists.ts';
import { birthForm, entryResource, hitResource, NameMatchResource, Threshold } from '../schemas.ts';

const mostHits = 100;

export const searchLists = operation({
  id: 'searchLists',
  method: 'POST',
  path: '/v1/lists/search',
  tag: 'Lists',
  area: 'records',
  summary: 'Search a name or an exact value in the lists',
  description:
    'Returns the entries that match, the highest score first, with the score of each field. Nothing is recorded. A name is compared in any script, order of words and spelling.',
  audience: ['psp', 'operator'],
  roles,
  standing: 'any',
  body: Type.Object({
    name: Type.Optional(
      Type.String({
        description: 'Name of a person or an organisation, in any script.',
        minLength: 1,
        maxLength: 300,
        'x-characters': 'any',
      }),
    ),
    born: Type.Optional(
      Type.String({
        description: 'Date of birth: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.',
        ...birthForm,
        maxLength: 10,
      }),
    ),
    countryCode: Type.Optional(
      Type.String({ description: 'ISO 3166-1 alpha-2 or alpha-3.', minLength: 2, maxLength: 3 }),
    ),
    kind: Type.Optional(Type.Enum(listedKinds, { description: 'Kind of the exact value.' })),
    value: Type.Optional(
      Type.String({
        description: 'Exact value: a wallet, an IP address …',
        minLength: 1,
        maxLength: 200,
        'x-characters': 'any',
      }),
    ),
    threshold: Type.Optional(Threshold),
  }),
  content: Named('ListHits', 'The entries that match, at most 100.', {
    items: Type.Array(NameMatchResource, { description: 'The entries, the highest score first.' }),
  }),
  example: { name: 'Adam Frauster', countryCode: 'NG' },
  refusals: ['UNKNOWN_COUNTRY'],
  async handle({ principal, body }, s: Needs<'reference'> & HasLists) {
    const psp = principal.kind === 'operator' ? undefined : principal.psp;
    const { name, born, kind, value, threshold } = body;
    if ((kind === undefined) !== (value === undefined))
      throw refuse('FIELD_INVALID', "the fields 'kind' and 'value' go together");
    if (name === undefined && value === undefined)
      throw refuse('FIELD_INVALID', "one of the fields 'name' and 'value' is required");
    const country = orThrow(body.countryCode === undefined ? undefined : s.reference.country(body.countryCode));
    await s.lists.refresh();
    const byKey =
      kind === undefined || value === undefined
        ? []
        : s.lists.entriesWith(psp, kind, value).map((f) => ({
            ...{ list: f.list, purpose: f.purpose, shared: f.shared, score: 100, name: '' },
            fields: [{ field: 'key', asked: value, listed: value, score: 100 }],
            entry: entryResource(f.list, f.revision, f.entry),
          }));
    const byName =
      name === undefined
        ? []
        : await s.lists.search(psp, { name, born, countries: country ? [country.alpha2] : [], least: threshold });
    const items = [...byKey, ...byName.map(hitResource)].slice(0, mostHits);
    return { message: items.length === 0 ? 'no entry matches' : 'entries that match', content: { items } };
  },
});
