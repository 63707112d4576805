import { orThrow, refuse, said } from '../../../core/refusal.ts';
import { entryKinds, type ListEntry, listName } from '../../../core/screening/entry.ts';
import { operation, Text, Type } from '../../kernel/operation.ts';
import { form } from '../../kernel/text-forms.ts';
import { keyFault } from '../key-text.ts';
import { entryState } from '../list-store.ts';
import type { HasLists } from '../lists.ts';
import { type LoadNeeds, ownerOf } from '../load.ts';
import { changeOwnEntry } from '../own-entries.ts';
import { birthForm, entryResource, ListEntryResource, ListKeyField } from '../schemas.ts';

const EntryRef = Type.String({
  description: 'Number of the entry in your list: letters, digits, `.`, `_` and `-`.',
  ...form('^[A-Za-z0-9._-]{1,64}$', "at most 64 letters, digits, '.', '_' and '-'"),
  maxLength: 64,
});

export const putOwnListEntry = operation({
  id: 'putOwnListEntry',
  method: 'POST',
  path: '/v1/lists/:list/entries',
  tag: 'Lists',
  area: 'administration',
  summary: 'Put an entry in a list of your own',
  description:
    'Adds the entry, or replaces the one with its ref. The list is made with its first entry. An operator’s list is screened for all PSPs.',
  audience: ['psp', 'operator'],
  ofPsp: true,
  idempotent: true,
  body: Type.Object({
    ref: EntryRef,
    kind: Type.Optional(Type.Enum(entryKinds, { description: 'Default: PERSON, or KEY without a name.' })),
    names: Type.Optional(Type.Array(Text('A name.', 300), { description: 'Names, the main one first.', maxItems: 20 })),
    births: Type.Optional(
      Type.Array(Type.String({ ...birthForm, maxLength: 10 }), {
        description: 'Dates of birth: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.',
        maxItems: 10,
      }),
    ),
    countryCodes: Type.Optional(
      Type.Array(Type.String({ minLength: 2, maxLength: 3 }), {
        description: 'Countries, ISO 3166-1 alpha-2 or alpha-3.',
        maxItems: 10,
      }),
    ),
    keys: Type.Optional(Type.Array(ListKeyField, { description: 'Exact values.', maxItems: 50 })),
    purpose: Type.Optional(
      Type.Enum(['PEP', 'BLOCK', 'ALLOW'], {
        description:
          'Purpose of the list. Default: that of the list, BLOCK for a new one. Lists of sanctions are loaded with loadList.',
      }),
    ),
  }),
  content: ListEntryResource,
  conditional: 'getListEntry',
  example: { ref: 'B-2', names: ['Eve Fraudster'], births: ['1985'], keys: [{ kind: 'ip', value: '198.51.100.0/24' }] },
  refusals: ['STATE_CONFLICT', 'UNKNOWN_COUNTRY', 'NOT_FOUND'],
  async handle({ principal, params, body, now, condition }, s: LoadNeeds & HasLists) {
    const list = params.list ?? '';
    if (!new RegExp(listName).test(list))
      throw refuse('FIELD_INVALID', "the name of the list in the address needs capital letters, digits and '_' only");
    const { names = [], keys = [], births = [], countryCodes = [] } = body;
    if (names.length + keys.length === 0)
      throw refuse('FIELD_INVALID', "one of the fields 'names' and 'keys' is required");
    for (const key of keys) {
      const fault = keyFault(key, s.reference.countries);
      if (fault) throw refuse('FIELD_INVALID', said`the field 'keys' has ${fault}`);
    }
    const countries = countryCodes.map((code) => {
      const country = orThrow(s.reference.country(code, 'countryCodes'));
      return country.alpha2;
    });
    const entry: ListEntry = {
      ref: body.ref,
      kind: body.kind ?? (names.length === 0 ? 'KEY' : 'PERSON'),
      names: names.map((name) => ({ name })),
      births,
      countries,
      keys,
      programmes: [],
    };
    const one = { list, purpose: body.purpose, entry, removed: false, condition };
    const done = await changeOwnEntry(s, principal, one, now);
    await s.lists.refresh();
    return {
      message: done.changed ? 'entry stored' : 'the entry is in the list already',
      content: entryResource(list, done.revision, entry),
      replayed: !done.changed,
      state: entryState({ owner: ownerOf(principal), list, ref: entry.ref, revision: done.revision, removed: false }),
    };
  },
});
