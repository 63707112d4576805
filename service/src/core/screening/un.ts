// Reads the entries of the consolidated list of the United Nations Security Council as XML.
import type { ListedName } from './entry.ts';
import { alone, at, birthOf, countriesOf, distinct, type Element, textOf, textsAt } from './list-file.ts';

const parts = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME'];

function aliases(e: Element, of: string): ListedName[] {
  return [...at(e, of)]
    .map((a) => ({
      name: textOf(a, 'ALIAS_NAME'),
      ...(textOf(a, 'QUALITY').toLowerCase() === 'low' ? { weak: true as const } : {}),
    }))
    .filter((a) => a.name !== '');
}

function births(e: Element): string[] {
  return [...at(e, 'INDIVIDUAL_DATE_OF_BIRTH')].flatMap((b) => {
    const years = `${textOf(b, 'FROM_YEAR')} to ${textOf(b, 'TO_YEAR')}`;
    const rough = textOf(b, 'TYPE_OF_DATE') === 'APPROXIMATELY';
    // Some dates are in the note alone: Nov. 1973.
    return birthOf(textOf(b, 'DATE') || textOf(b, 'YEAR') || years, rough) ?? birthOf(textOf(b, 'NOTE'), rough) ?? [];
  });
}

export const un = alone({
  form: 'UN_XML',
  list: 'UN',
  root: 'CONSOLIDATED_LIST',
  entries: ['INDIVIDUAL', 'ENTITY'],
  published: { attribute: 'dateGenerated' },
  read(e, country) {
    const person = e.name === 'INDIVIDUAL';
    const main = parts.map((p) => textOf(e, p)).filter((t) => t !== '');
    const script = textOf(e, 'NAME_ORIGINAL_SCRIPT');
    const names = [
      ...(main.length > 0 ? [{ name: main.join(' ') }] : []),
      ...(script === '' ? [] : [{ name: script }]),
      ...aliases(e, person ? 'INDIVIDUAL_ALIAS' : 'ENTITY_ALIAS'),
    ];
    const ref = textOf(e, 'REFERENCE_NUMBER') || textOf(e, 'DATAID');
    if (ref === '' || names.length === 0) return undefined;
    const countries = [
      ...textsAt(e, 'NATIONALITY', 'VALUE'),
      ...textsAt(e, person ? 'INDIVIDUAL_ADDRESS' : 'ENTITY_ADDRESS', 'COUNTRY'),
    ];
    return {
      ref,
      kind: person ? 'PERSON' : 'ORGANISATION',
      names,
      births: distinct(births(e)),
      countries: countriesOf(countries, country),
      keys: [],
      programmes: distinct(textsAt(e, 'UN_LIST_TYPE')),
    };
  },
});
