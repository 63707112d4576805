// Reads the entries of the European Union's consolidated list of financial sanctions, as its full XML file (1.1).
import type { EntryKind, ListedName } from './entry.ts';
import { alone, at, birthOf, distinct, type Element } from './list-file.ts';

function aliasOf(e: Element): ListedName | undefined {
  const { wholeName = '', firstName = '', middleName = '', lastName = '', strong } = e.attributes;
  const name = wholeName.trim() || [firstName, middleName, lastName].filter((t) => t !== '').join(' ');
  return name === '' ? undefined : { name, ...(strong === 'false' ? { weak: true as const } : {}) };
}

function birth(e: Element): string | undefined {
  const { birthdate = '', year = '', yearRangeFrom = '', yearRangeTo = '' } = e.attributes;
  if (/^\d{4}$/.test(yearRangeFrom) && /^\d{4}$/.test(yearRangeTo)) return `${yearRangeFrom}/${yearRangeTo}`;
  return birthOf(birthdate || year);
}

const kindOf = (code: string): EntryKind => (code === 'person' || code === 'P' ? 'PERSON' : 'ORGANISATION');

export const eu = alone({
  form: 'EU_FSF_XML',
  list: 'EU',
  root: 'export',
  entries: ['sanctionEntity'],
  published: { attribute: 'generationDate' },
  read(e, country) {
    const ref = e.attributes.euReferenceNumber || e.attributes.logicalId || '';
    const names = [...at(e, 'nameAlias')].flatMap((a) => aliasOf(a) ?? []);
    if (ref === '' || names.length === 0) return undefined;
    const codes = ['citizenship', 'address']
      .flatMap((n) => [...at(e, n)])
      .map((c) => c.attributes.countryIso2Code ?? '');
    const [subject] = at(e, 'subjectType');
    return {
      ref,
      kind: kindOf(subject?.attributes.code ?? subject?.attributes.classificationCode ?? ''),
      names,
      births: distinct([...at(e, 'birthdate')].flatMap((b) => birth(b) ?? [])),
      countries: distinct(codes.flatMap((c) => country(c) ?? [])),
      keys: [],
      programmes: distinct([...at(e, 'regulation')].flatMap((r) => r.attributes.programme || [])),
    };
  },
});
