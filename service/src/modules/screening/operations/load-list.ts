import { ListPurposeField, listLoadFields } from '../../../entries/lists.ts';
import { Named, operation, Text, Type } from '../../kernel/operation.ts';
import type { HasLists } from '../lists.ts';
import { type LoadNeeds, loadList as load } from '../load.ts';
import { ListNameField, Threshold } from '../schemas.ts';

export const loadList = operation({
  id: 'loadList',
  method: 'POST',
  path: '/v1/lists',
  tag: 'Lists',
  area: 'administration',
  summary: 'Load a list to screen against',
  description:
    'Reads a list of sanctions as its publisher provides it (OFAC, UN, EU, UK), or a table in the plain form; the form is recognised by its content. What differs from the list in force is stored, and what is missing is removed from it; former entries are kept. A list that the operator loads is screened for all PSPs, a PSP’s own for its own clients and payments. A damaged file is refused whole.',
  audience: ['psp', 'operator'],
  ofPsp: true,
  idempotent: true,
  // sdn.xml takes 30 MB.
  largeBody: 48 << 20,
  body: Type.Object({
    name: Text('Name or address of the file; recorded in the journal.', 1000),
    text: Type.String({ description: 'The text of the file, unchanged.', minLength: 1, 'x-characters': 'any' }),
    list: Type.Optional(ListNameField),
    purpose: Type.Optional(ListPurposeField),
    threshold: Type.Optional(Threshold),
    allowShrink: Type.Optional(
      Type.Boolean({
        description: 'Accepts a file with fewer than half of the entries in force, which is refused otherwise.',
      }),
    ),
  }),
  content: Named('LoadedList', 'A list that was read, and what of it was new.', {
    loadIds: Type.Array(Type.String(), {
      description: 'Ids of the loads, `lsl_…`, one for each part of a large file; empty if nothing was new.',
    }),
    ...listLoadFields,
  }),
  example: {
    name: 'own-block.csv',
    list: 'OWN_BLOCK',
    text: 'Ref,Type,Name,Aliases,Born,Countries,Keys\nB-1,PERSON,Adam Fraudster,Adam Frauster,1980-02-01,NG,msisdn:+2348030000009\n',
  },
  refusals: ['LIST_INVALID', 'STATE_CONFLICT'],
  async handle({ principal, body, now }, s: LoadNeeds & HasLists) {
    const { allowShrink = false, ...given } = body;
    const loaded = await load(s, principal, { ...given, allowShrink }, now);
    await s.lists.refresh();
    const isNew = loaded.loadIds.length > 0;
    return { message: isNew ? 'list loaded' : 'nothing was new', content: loaded, replayed: !isNew };
  },
});
