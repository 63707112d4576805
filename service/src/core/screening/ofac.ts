// Reads the entries of sdn.xml and consolidated.xml of the US Treasury's Office of Foreign Assets Control.
import type { EntryKind, ListedKey, ListedName } from './entry.ts';
import { alone, at, birthOf, countriesOf, distinct, type Element, textOf, textsAt } from './list-file.ts';

const kinds: Readonly<Record<string, EntryKind>> = {
  individual: 'PERSON',
  entity: 'ORGANISATION',
  vessel: 'VESSEL',
  aircraft: 'AIRCRAFT',
};

const nameOf = (e: Element): string =>
  [textOf(e, 'firstName'), textOf(e, 'lastName')].filter((t) => t !== '').join(' ');

const aliasOf = (e: Element): ListedName => ({
  name: nameOf(e),
  ...(textOf(e, 'category').toLowerCase() === 'weak' ? { weak: true as const } : {}),
});

const wallet = /^Digital Currency Address/;

export const ofac = alone({
  form: 'OFAC_SDN_XML',
  list: 'OFAC_SDN',
  root: 'sdnList',
  entries: ['sdnEntry'],
  published: { element: 'Publish_Date' },
  read(e, country) {
    const ref = textOf(e, 'uid');
    const names = [{ name: nameOf(e) }, ...[...at(e, 'akaList', 'aka')].map(aliasOf)].filter((n) => n.name !== '');
    if (ref === '' || names.length === 0) return undefined;
    const ids = [...at(e, 'idList', 'id')];
    const keys = ids
      .filter((id) => wallet.test(textOf(id, 'idType')))
      .map((id): ListedKey => ({ kind: 'wallet', value: textOf(id, 'idNumber').replaceAll(' ', '') }))
      .filter((k) => k.value !== '');
    const countries = [
      ...textsAt(e, 'nationalityList', 'nationality', 'country'),
      ...textsAt(e, 'citizenshipList', 'citizenship', 'country'),
      ...textsAt(e, 'addressList', 'address', 'country'),
    ];
    return {
      ref,
      kind: kinds[textOf(e, 'sdnType').toLowerCase()] ?? 'ORGANISATION',
      names,
      births: distinct(
        textsAt(e, 'dateOfBirthList', 'dateOfBirthItem', 'dateOfBirth').flatMap((b) => birthOf(b) ?? []),
      ),
      countries: countriesOf(countries, country),
      keys,
      programmes: distinct(textsAt(e, 'programList', 'program')),
    };
  },
});
