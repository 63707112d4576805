// Reads lists in tables: the UK's lists and the EU's list as CSV, and the plain table in which PEP lists and own lists are
// loaded (docs/how-to/screen-against-lists.md).
import { FileFault } from '../exchange/quotes.ts';
import { type Line, readLines } from '../exchange/separated.ts';
import { said } from '../said.ts';
import { type EntryKind, entryKinds, keyKinds, type ListEntry, type ListedKey } from './entry.ts';
import { euBirth, euName } from './eu.ts';
import { birthOf, type CountryReader, countriesOf, distinct } from './list-file.ts';
import { isWeak, nameOfParts, ukKind } from './uk.ts';

export interface TableForm {
  readonly form: string;
  /** The list's usual name; undefined where the caller names it. */
  readonly list: string | undefined;
  readonly entries: readonly ListEntry[];
}

/** A row's cells by the names of the header in lower case; empty text where there is none. */
type Row = (name: string) => string;

const several = (text: string): string[] =>
  text
    .split(';')
    .map((t) => t.trim())
    .filter((t) => t !== '');

function ukRow(row: Row, country: CountryReader): ListEntry | undefined {
  const ref = row('unique id') || row('group id') || row('ofsi group id');
  const name = nameOfParts((i) => row(`name ${i}`));
  const script = row('name non-latin script');
  if (ref === '' || name === '') return undefined;
  return {
    ref,
    kind: ukKind(row('group type') || row('designation type')),
    names: [
      { name, ...(isWeak(row('alias strength') || row('alias quality')) ? { weak: true as const } : {}) },
      ...(script === '' ? [] : [{ name: script }]),
    ],
    births: distinct(several(row('d.o.b') || row('dob')).flatMap((b) => birthOf(b) ?? [])),
    countries: countriesOf(
      [...several(row('nationality(/ies)') || row('nationality')), row('address country') || row('country')],
      country,
    ),
    keys: [],
    programmes: several(row('regime name') || row('regime')),
  };
}

function euRow(row: Row, country: CountryReader): ListEntry | undefined {
  const ref = row('entity_eu_referencenumber') || row('entity_logicalid');
  if (ref === '') return undefined;
  const name = euName(
    row('namealias_wholename'),
    row('namealias_firstname'),
    row('namealias_middlename'),
    row('namealias_lastname'),
  );
  const birth = euBirth({
    ...{
      birthdate: row('birthdate_birthdate'),
      year: row('birthdate_year'),
      month: row('birthdate_month'),
      circa: row('birthdate_circa').toLowerCase(),
    },
    ...{ yearRangeFrom: row('birthdate_yearrangefrom'), yearRangeTo: row('birthdate_yearrangeto') },
  });
  const kind = row('entity_subjecttype');
  return {
    ref,
    kind: kind === 'P' || kind === 'person' ? 'PERSON' : 'ORGANISATION',
    names: name === '' ? [] : [{ name }],
    births: birth === undefined ? [] : [birth],
    countries: countriesOf([row('citizenship_countryiso2code'), row('address_countryiso2code')], country),
    keys: [],
    programmes: several(row('entity_regulation_programme')),
  };
}

function keyOf(text: string, at: number): ListedKey {
  const kind = keyKinds.find((k) => text.startsWith(`${k}:`));
  const value = text.slice(text.indexOf(':') + 1).trim();
  if (kind === undefined || value === '')
    throw new FileFault(
      said`the key '${text.slice(0, 60)}' is not one of ${keyKinds.map((k) => `${k}:…`).join(', ')}`,
      at,
    );
  return { kind, value };
}

function plainRow(row: Row, country: CountryReader, at: number): ListEntry {
  const ref = row('ref');
  if (ref === '' || ref.length > 100) throw new FileFault(said`an entry needs a Ref of at most 100 characters`, at);
  const names = [row('name'), ...several(row('aliases'))].filter((t) => t !== '').map((name) => ({ name }));
  const keys = several(row('keys')).map((text) => keyOf(text, at));
  if (names.length === 0 && keys.length === 0)
    throw new FileFault(said`the entry ${ref} has neither a name nor a key`, at);
  const type = row('type').toUpperCase() || (names.length === 0 ? 'KEY' : 'PERSON');
  if (!entryKinds.some((k) => k === type))
    throw new FileFault(said`the type '${type.slice(0, 30)}' is not one of ${entryKinds.join(', ')}`, at);
  const born = several(row('born'));
  const births = born.flatMap((b) => birthOf(b) ?? []);
  if (births.length < born.length) throw new FileFault(said`the entry ${ref} has a date of birth without a year`, at);
  const named = several(row('countries'));
  for (const c of named)
    if (country(c) === undefined) throw new FileFault(said`the country '${c.slice(0, 40)}' is not known`, at);
  return {
    ref,
    kind: type as EntryKind,
    names,
    births,
    countries: countriesOf(named, country),
    keys,
    programmes: several(row('programmes')),
  };
}

interface TableKind {
  readonly form: string;
  readonly list: string | undefined;
  readonly needs: readonly string[];
  read(row: Row, country: CountryReader, at: number): ListEntry | undefined;
}

const kinds: readonly TableKind[] = [
  { form: 'UK_CSV', list: 'UK', needs: ['name 6', 'name 1'], read: ukRow },
  { form: 'EU_FSF_CSV', list: 'EU', needs: ['entity_logicalid', 'namealias_wholename'], read: euRow },
  { form: 'PLAIN_CSV', list: undefined, needs: ['ref', 'name'], read: plainRow },
];

/** The UK's files begin with a line that says when they were made. */
const headerWithin = 3;

/** Cells may go over several lines: inside of quotes a new line counts as a space. */
function onOneLine(text: string): string {
  return text
    .split('"')
    .map((piece, i) => (i % 2 === 1 ? piece.replace(/\r?\n/g, ' ') : piece))
    .join('"');
}

/** Entries of a table, parts of one entry not yet joined. @throws FileFault naming the line and the reason */
export function readTable(text: string, country: CountryReader): TableForm {
  const first = text.slice(0, text.indexOf('\n') < 0 ? text.length : text.indexOf('\n'));
  const lines = readLines(
    onOneLine(text.replace(/^\uFEFF/, '')),
    first.split(';').length > first.split(',').length ? ';' : ',',
  );
  for (const [i, header] of lines.slice(0, headerWithin).entries()) {
    const names = header.cells.map((c) => c.toLowerCase());
    const kind = kinds.find((k) => k.needs.every((n) => names.includes(n)));
    if (kind === undefined) continue;
    const entries = lines.slice(i + 1).flatMap((line) => {
      const row: Row = (name) => cellNamed(line, names, name);
      return kind.read(row, country, line.at) ?? [];
    });
    return { form: kind.form, list: kind.list, entries };
  }
  throw new FileFault(
    said`its form is not known: neither the XML of OFAC, UN, EU or UK, nor the CSV of EU or UK, nor a table that begins with Ref,Type,Name`,
  );
}

const cellNamed = (line: Line, names: readonly string[], name: string): string => {
  const i = names.indexOf(name);
  return i < 0 ? '' : (line.cells[i] ?? '');
};
