// A list's CSV for people: names beside the ids of accounts, countries by name, codes in words, amounts with the decimals of
// their currency, in the form that spreadsheets of the language read. Knows no list by name, and reads no data.
import { type CsvForm, cellCsv, csvForms, readable } from '../../core/reports/csv.ts';
import { codeBy, countryIn, mostPadded, padded } from '../../core/reports/legible.ts';
import { type Catalogue, english, type Language, wordBy } from '../../core/said.ts';
import { taxName } from '../../core/tax/tax-names.ts';
import { frenchHeadings, frenchWords } from '../../platform/words.ts';
import { type CsvColumn, csvColumns, digitsOf, headingOf, holdsMore, type RowSchema, valueAt } from './csv-columns.ts';

export interface CsvReader {
  readonly language: Language;
  readonly form: CsvForm;
  readonly catalogue: Catalogue;
  readonly headings: Catalogue;
}
export const readerOf = (language: Language): CsvReader => ({
  language,
  form: csvForms[language],
  catalogue: language === 'fr' ? frenchWords() : english,
  headings: language === 'fr' ? frenchHeadings() : english,
});

/** What a file needs to know beside its rows. */
export interface Known {
  /** Names of accounts by wire id. */
  readonly names: ReadonlyMap<string, string>;
  /** Decimals of a currency on a day; undefined if it is not known. */
  decimals(currency: string, day: string): number | undefined;
}

export interface DisplayedColumn extends CsvColumn {
  /** Shows the name of the account whose id the field holds. */
  readonly named?: true;
}

/** Fields that hold an account's id, each with what the account is called in headings. */
const accounts: Readonly<Record<string, string>> = { clientId: 'client', accountId: 'account', pspId: 'psp' };
const countries = new Set(['country', 'countryCode', 'countries', 'memberState', 'otherCountry']);

/** Columns for rows of this schema, in its order: the name of an account before its id. */
export function columnsForPeople(row: RowSchema): DisplayedColumn[] {
  const columns = csvColumns(row);
  const find = (path: readonly string[]) => columns.find((c) => c.path.join('.') === path.join('.'));
  const moved = new Set<CsvColumn>();
  const displayed = columns.flatMap((c): DisplayedColumn[] => {
    const above = c.path.slice(0, -1);
    const field = c.path.at(-1) ?? '';
    if (field === 'countryCode') return [{ ...c, heading: headingOf([...above, 'country']) }];
    if (field === 'countryName' && find([...above, 'country'])) return [];
    if (field === 'recordedBy') return [{ ...c, named: true }];
    const account = accounts[field];
    if (account === undefined || find([...above, 'registeredName'])) return [c];
    const name = find([...above, `${account}Name`]);
    if (!name) return [{ ...c, heading: headingOf([...above, account]), named: true }, c];
    moved.add(name);
    return [name, c];
  });
  // A name that the list has itself stands beside its id only.
  return displayed.filter((c, i) => !moved.has(c) || accountBehind(displayed[i + 1], c));
}

/** All headings that a file with rows of this schema may have, those within its cells too. */
export function headingsForPeople(row: RowSchema): string[] {
  const within = ({ properties = {}, items, anyOf = [] }: RowSchema): string[] => [
    ...Object.entries(properties).flatMap(([name, s]) => [headingOf([name]), ...within(s)]),
    ...[...(items ? [items] : []), ...anyOf].flatMap(within),
  ];
  return columnsForPeople(row).flatMap((c) => [c.heading, ...within(c.schema)]);
}

const accountBehind = (next: CsvColumn | undefined, { path }: CsvColumn): boolean =>
  next !== undefined && `${accounts[next.path.at(-1) ?? '']}Name` === path.at(-1);

/** Ids of accounts that a row's columns name. */
export const accountsIn = (columns: readonly DisplayedColumn[], row: unknown): string[] =>
  columns.flatMap((c) => {
    const id = c.named ? valueAt(row, c.path) : undefined;
    return typeof id === 'string' ? [id] : [];
  });

const line = (cells: readonly string[], { form }: CsvReader): string => `${cells.join(form.separator)}\r\n`;
const textCell = (text: string, { form }: CsvReader): string => cellCsv(text, 'text', form);

export const headForPeople = (columns: readonly DisplayedColumn[], reader: CsvReader): string =>
  line(
    columns.map(({ heading }) => textCell(reader.headings.get(heading) ?? heading, reader)),
    reader,
  );

/** A line with one text in its first cell. */
export const remarkForPeople = (columns: readonly DisplayedColumn[], text: string, reader: CsvReader): string =>
  line([textCell(text, reader), ...columns.slice(1).map(() => '')], reader);

export const rowForPeople = (
  columns: readonly DisplayedColumn[],
  row: unknown,
  reader: CsvReader,
  known: Known,
): string =>
  line(
    columns.map((c) => cellOf(c, row, { ...reader, known, day: dayOf(row) })),
    reader,
  );

interface Shown extends CsvReader {
  readonly known: Known;
  /** Day of the row, for the decimals of a currency that has ended. */
  readonly day: string;
}

type Fields = Readonly<Record<string, unknown>>;

function dayOf(row: unknown): string {
  const { day, createdAt } = row as Fields;
  return [day, createdAt].find((v) => typeof v === 'string')?.slice(0, 10) ?? '';
}

function cellOf({ path, schema, named }: DisplayedColumn, row: unknown, shown: Shown): string {
  const value = valueAt(row, path);
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return '';
  if (named) return textCell(shown.known.names.get(String(value)) ?? String(value), shown);
  const currency = currencyOf(valueAt(row, path.slice(0, -1))) ?? currencyOf(row);
  const field = path.at(-1) ?? '';
  const digits = figureOf(value, field, schema, currency, shown);
  return digits === undefined
    ? textCell(inWords(value, field, schema, currency, shown), shown)
    : cellCsv(digits, 'decimal', shown.form);
}

const currencyOf = (value: unknown): string | undefined => {
  const { currency } = (value ?? {}) as Fields;
  return typeof currency === 'string' ? currency : undefined;
};

/** The tax to pay is text, since it is what was filed. */
const textAmounts = new Set(['payable']);

/** A number's digits, an amount's with the decimals of its currency; undefined for any other value. */
function figureOf(
  value: unknown,
  field: string,
  schema: RowSchema | undefined,
  currency: string | undefined,
  s: Shown,
) {
  const asText = textAmounts.has(field) && typeof value === 'string';
  const digits = asText ? value : digitsOf(value);
  if (digits === undefined || currency === undefined || !(asText || isAmount(schema))) return digits;
  const decimals = s.known.decimals(currency, s.day);
  return decimals === undefined ? digits : padded(digits, decimals > mostPadded ? 2 : decimals);
}

const isAmount = ({ $id, anyOf }: RowSchema = {}): boolean => $id === 'Amount' || (anyOf?.some(isAmount) ?? false);

const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
const taxCodes = new Set(['taxCode', 'taxCodes']);
/** Accounts of the ledger, which are codes without being listed. */
const codes = new Set(['account']);
/** Names that are written in capital letters in every language. */
const names = new Set(['publisher', 'contentType']);

function inWords(
  value: unknown,
  field: string,
  schema: RowSchema | undefined,
  currency: string | undefined,
  s: Shown,
): string {
  const figure = figureOf(value, field, schema, currency, s);
  if (figure !== undefined) return figure.replace('.', s.form.point);
  if (typeof value === 'boolean') return wordBy(value ? 'yes' : 'no', s.catalogue);
  if (typeof value === 'string') return textIn(value, field, schema, s);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) {
    const of = itemsOf(schema);
    return value.map((v) => inWords(v, field, of, currency, s)).join('; ');
  }
  return fieldsIn(value as Fields, schema, currencyOf(value) ?? currency, s);
}

function textIn(text: string, field: string, schema: RowSchema | undefined, s: Shown): string {
  if (countries.has(field)) return countryIn(text, s.language);
  if (taxCodes.has(field)) return wordBy(taxName(text).name, s.catalogue);
  if (codes.has(field) || (!names.has(field) && isCode(schema))) return codeBy(text, s.catalogue);
  return moment.test(text) ? (readable(text, 'time') ?? text) : text;
}

function fieldsIn(value: Fields, schema: RowSchema | undefined, currency: string | undefined, s: Shown): string {
  // The sentence of an observation says what its code does.
  if (typeof value.code === 'string' && typeof value.message === 'string') return value.message;
  const fields = Object.entries(value).filter(([, v]) => v !== undefined && v !== null);
  // An object within another one is written as JSON, so that it stays clear what belongs to what.
  if (fields.some(([, v]) => holdsMore(v))) return JSON.stringify(value);
  return fields
    .map(([name, v]) => {
      const heading = headingOf([name]);
      const word = s.headings.get(heading) ?? wordBy(heading, s.catalogue);
      return `${word}${colon[s.language]} ${inWords(v, name, fieldOf(schema, name), currency, s)}`;
    })
    .join(', ');
}

const colon: Readonly<Record<Language, string>> = { en: ':', fr: '\u00a0:' };

const isCode = ({ enum: values, const: only, anyOf }: RowSchema = {}): boolean =>
  [only, ...(values ?? [])].some((v) => typeof v === 'string') || (anyOf?.some(isCode) ?? false);

const itemsOf = ({ items, anyOf }: RowSchema = {}): RowSchema | undefined =>
  items ?? anyOf?.map(itemsOf).find((s) => s !== undefined);

const fieldOf = (schema: RowSchema | undefined, name: string): RowSchema | undefined =>
  schema?.properties?.[name] ??
  Object.entries(schema?.patternProperties ?? {})[0]?.[1] ??
  schema?.anyOf?.map((s) => fieldOf(s, name)).find((s) => s !== undefined);
