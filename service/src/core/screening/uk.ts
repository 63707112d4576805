// Reads the entries of the UK Sanctions List as XML, and the rows of the consolidated list of asset freeze targets
// (ConList) as XML: of that each row is one name, and rows of a group are one entry.
import type { EntryKind, ListedName } from './entry.ts';
import { alone, at, birthOf, countriesOf, distinct, type Element, textOf, textsAt } from './list-file.ts';

const kinds: Readonly<Record<string, EntryKind>> = { individual: 'PERSON', entity: 'ORGANISATION', ship: 'VESSEL' };
export const ukKind = (text: string): EntryKind => kinds[text.toLowerCase()] ?? 'ORGANISATION';

/** First names are 1 to 5, the last name or an organisation's whole name is 6. */
export const nameOfParts = (part: (n: number) => string): string =>
  [1, 2, 3, 4, 5, 6]
    .map(part)
    .filter((t) => t !== '')
    .join(' ');

/** Good quality or none is said of names that count. */
export const isWeak = (quality: string): boolean => /low|weak/i.test(quality);

function names(e: Element): ListedName[] {
  const spelt = [...at(e, 'Names', 'Name')].map((n) => ({
    main: /primary name$/i.test(textOf(n, 'NameType')),
    name: nameOfParts((i) => textOf(n, `Name${i}`)),
    weak: isWeak(textOf(n, 'AliasStrength')),
  }));
  const scripts = textsAt(e, 'NonLatinNames', 'NonLatinName', 'NameNonLatinScript').map((name) => ({ name }));
  return [
    ...spelt
      .filter((n) => n.name !== '')
      .sort((a, b) => Number(b.main) - Number(a.main))
      .map(({ name, weak }) => ({ name, ...(weak ? { weak: true as const } : {}) })),
    ...scripts,
  ];
}

export const uk = alone({
  form: 'UK_SANCTIONS_XML',
  list: 'UK',
  root: 'Designations',
  entries: ['Designation'],
  published: { element: 'DateGenerated' },
  read(e, country) {
    const ref = textOf(e, 'UniqueID');
    const known = names(e);
    if (ref === '' || known.length === 0) return undefined;
    const person = [...at(e, 'IndividualDetails', 'Individual')];
    const countries = [
      ...person.flatMap((p) => textsAt(p, 'Nationalities', 'Nationality')),
      ...textsAt(e, 'Addresses', 'Address', 'AddressCountry'),
    ];
    return {
      ref,
      kind: ukKind(textOf(e, 'IndividualEntityShip')),
      names: known,
      births: distinct(person.flatMap((p) => textsAt(p, 'DOBs', 'DOB')).flatMap((b) => birthOf(b) ?? [])),
      countries: countriesOf(countries, country),
      keys: [],
      programmes: distinct(textsAt(e, 'RegimeName')),
    };
  },
});

export const ukConList = alone({
  form: 'UK_CONLIST_XML',
  list: 'UK',
  root: 'ArrayOfFinancialSanctionsTarget',
  entries: ['FinancialSanctionsTarget'],
  published: {},
  read(e, country) {
    const ref = textOf(e, 'GroupID');
    const name = nameOfParts((i) => textOf(e, i === 6 ? 'Name6' : `name${i}`) || textOf(e, `Name${i}`));
    const script = textOf(e, 'NameNonLatinScript');
    if (ref === '' || name === '') return undefined;
    const countries = [textOf(e, 'Nationality'), textOf(e, 'Country')];
    const weak = isWeak(textOf(e, 'AliasQuality'));
    return {
      ref,
      kind: ukKind(textOf(e, 'GroupTypeDescription')),
      names: [{ name, ...(weak ? { weak: true as const } : {}) }, ...(script === '' ? [] : [{ name: script }])],
      births: distinct(
        [textOf(e, 'DateOfBirth') || textOf(e, 'Individual_DateOfBirth')].flatMap((b) => birthOf(b) ?? []),
      ),
      countries: countriesOf(countries, country),
      keys: [],
      programmes: distinct(textsAt(e, 'RegimeName')),
    };
  },
});
