// The wire schemas that operations on lists share, and how an entry and a match of names are shown.
import { listedKinds } from '../../core/risk/lists.ts';
import { entryKinds, type ListEntry, listName } from '../../core/screening/entry.ts';
import type { NameMatch } from '../../core/screening/name-index.ts';
import { ListPurposeField, listLoadFields } from '../../entries/lists.ts';
import { Named, resourceOf, Type } from '../kernel/operation.ts';
import { codeName, form } from '../kernel/text-forms.ts';

export const ListNameField = Type.String({
  description: 'Name of the list: capital letters, digits and `_`, as `OWN_BLOCK`.',
  ...form(listName, codeName['x-says']),
  maxLength: 40,
});
export const Threshold = Type.Integer({
  description: 'Score in percent from which a name matches this list, 50 to 100. Default: 85, and 100 for ALLOW.',
  minimum: 50,
  maximum: 100,
});

export const ListKeyField = Named('ListKey', 'An exact value that is listed.', {
  kind: Type.Enum(listedKinds, {
    description:
      'wallet: a crypto address. ip: an address or network, `198.51.100.0/24`. msisdn: a telephone number. person: an identifier of a person. mcc, country: a code.',
  }),
  value: Type.String({ description: 'The value.', minLength: 1, maxLength: 200 }),
});

/** A year, month or day. */
export const birthForm = form(
  '^\\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\\d|3[01]))?)?$',
  'a year, a month or a day, such as 1970, 1970-02 or 1970-02-28',
);

const entryFields = {
  ref: Type.String({ description: "The publisher's number of the entry, or the one you gave it." }),
  kind: Type.Enum(entryKinds, { description: 'KEY: only exact values are known.' }),
  names: Type.Array(
    Named('ListedName', 'A name of a listed person or organisation.', {
      name: Type.String({ description: 'The name as it is published.' }),
      weak: Type.Optional(
        Type.Boolean({ description: 'True if the publisher calls the alias weak or of low quality.' }),
      ),
    }),
    { description: 'Names, the main one first.' },
  ),
  births: Type.Array(Type.String(), {
    description: 'Dates of birth: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; a range has `/` between two of them.',
  }),
  countries: Type.Array(Type.String(), { description: 'Nationalities and addresses, ISO 3166-1 alpha-2.' }),
  keys: Type.Array(ListKeyField, { description: 'Exact values that are listed.' }),
  programmes: Type.Array(Type.String(), { description: 'Sanctions programmes or offices.' }),
};

export const ListEntryResource = Named('ListEntry', 'An entry of a list.', {
  list: Type.String({ description: 'Name of the list.' }),
  ...entryFields,
  revision: Type.Integer({ description: 'Number of the entry’s content, from 1.' }),
});

export const entryResource = (list: string, revision: number, e: ListEntry) =>
  resourceOf(ListEntryResource, e, { list, revision });

export const FieldScores = Type.Array(
  Named('FieldScore', 'The part of one field in the score of a match.', {
    field: Type.Enum(['name', 'born', 'country', 'key'], { description: 'The field that was compared.' }),
    asked: Type.String({ description: 'The value that was searched.' }),
    listed: Type.String({ description: 'The value in the list.' }),
    score: Type.Integer({
      description: 'For the name 0 to 100; for other fields what they add, or take away if negative.',
    }),
    pairs: Type.Optional(
      Type.Array(
        Named('WordPair', 'Two words that were compared.', {
          asked: Type.String({ description: 'Word of the name that was searched, in Latin letters.' }),
          listed: Type.String({ description: 'Word of the listed name, in Latin letters.' }),
          by: Type.Enum(['SAME', 'SOUND', 'SPELLING', 'INITIAL', 'JOINED'], {
            description:
              'SAME: equal. SOUND: spelled differently, sounds alike. SPELLING: alike but for typing errors. INITIAL: one is the first letter of the other. JOINED: equal without spaces.',
          }),
          score: Type.Integer({ description: 'Likeness of the two words, in percent.' }),
        }),
        { description: 'The words that were found alike.' },
      ),
    ),
  }),
  { description: 'The score field by field.' },
);

export const NameMatchResource = Named('ListHit', 'An entry of a list that matches what was searched.', {
  list: Type.String({ description: 'Name of the list.' }),
  purpose: ListPurposeField,
  shared: listLoadFields.shared,
  score: Type.Integer({ description: 'Score in percent.' }),
  name: Type.String({ description: 'The listed name that matches best; empty for an exact value.' }),
  fields: FieldScores,
  entry: ListEntryResource,
});

export const hitResource = (m: NameMatch & { readonly shared: boolean }) =>
  resourceOf(NameMatchResource, m, { entry: entryResource(m.list, m.revision, m.entry) });
