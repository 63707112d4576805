// Reads the entries of the European Union's consolidated list of financial sanctions, as its full XML file (1.1).
import type { EntryKind, ListedName } from './entry.ts';
import { alone, at, birthOf, countriesOf, distinct, type Element } from './list-file.ts';

/** The whole name, or, where there is none, its parts: first, middle and last name. */
export const euName = (whole: string, ...parts: readonly string[]): string =>
  whole.trim() ||
  parts
    .map((t) => t.trim())
    .filter((t) => t !== '')
    .join(' ');

function aliasOf(e: Element): ListedName | undefined {
  const { wholeName = '', firstName = '', middleName = '', lastName = '', strong } = e.attributes;
  const name = euName(wholeName, firstName, middleName, lastName);
  return name === '' ? undefined : { name, ...(strong === 'false' ? { weak: true as const } : {}) };
}

/** As the file has it, in XML or as CSV: a day, a year, with or without its month, or the first and last year. */
export const euBirth = (of: {
  readonly birthdate: string;
  readonly year: string;
  readonly month: string;
  readonly yearRangeFrom: string;
  readonly yearRangeTo: string;
  readonly circa: string;
}): string | undefined => {
  const month = of.month === '' ? '' : `-${of.month.padStart(2, '0')}`;
  const date = of.birthdate || (of.year && `${of.year}${month}`) || `${of.yearRangeFrom} to ${of.yearRangeTo}`;
  return birthOf(date, of.circa === 'true');
};

function birth(e: Element): string | undefined {
  const {
    birthdate = '',
    year = '',
    monthOfYear: month = '',
    yearRangeFrom = '',
    yearRangeTo = '',
    circa = '',
  } = e.attributes;
  return euBirth({ birthdate, year, month, yearRangeFrom, yearRangeTo, circa });
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
      countries: countriesOf(codes, country),
      keys: [],
      programmes: distinct([...at(e, 'regulation')].flatMap((r) => r.attributes.programme || [])),
    };
  },
});
