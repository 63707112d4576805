// The columns of a list as CSV, from the schema of its rows: a column for each field, those of an object in a row beside
// its name, and headings in words. Knows no list by name, and reads no data.
import { capitalized } from '../../core/capitalized.ts';
import { canonicalText, Numeral } from '../../core/money.ts';
import { type CsvForm, cellCsv, csvForms, readable } from '../../core/reports/csv.ts';
import { codeBy } from '../../core/reports/legible.ts';
import { type Catalogue, english, type Language, wordBy } from '../../core/said.ts';
import { taxName } from '../../core/tax/tax-names.ts';
import { frenchHeadings, frenchWords } from '../../platform/words.ts';

export interface CsvColumn {
  readonly heading: string;
  /** Names of the fields that lead to the value in a row. */
  readonly path: readonly string[];
  /** Whether its texts are codes of the API, or of taxes, which people read in words. */
  readonly coded?: 'code' | 'tax';
}

/** How a file is written for people; one for programs has codes as they are, in the form of English. */
export interface CsvReader {
  readonly form: CsvForm;
  readonly catalogue: Catalogue;
  readonly headings: Catalogue;
}
export const readerOf = (language: Language): CsvReader => ({
  form: csvForms[language],
  catalogue: language === 'fr' ? frenchWords() : english,
  headings: language === 'fr' ? frenchHeadings() : english,
});

/** A schema as far as columns need it. */
export interface RowSchema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, RowSchema>>;
  readonly anyOf?: readonly RowSchema[];
  readonly items?: RowSchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

/** Headings that the field's name does not give. */
const headings: Readonly<Record<string, string>> = {
  ip: 'IP address',
  mcc: 'Merchant category code',
  sha256: 'SHA-256',
  blochainHash: 'Transfer on the chain',
  transactionVAT: 'VAT on the fees',
  vatAmount: 'Tax',
};
/** Words of names that are not written in lower case. */
const capitals = /^(?:id|psp|vat|cdr|url|ip|tin|usd|ggr|mcc|imei|voip|json|csv|xml|xlsx)$/;

const wordsOf = (name: string): string =>
  name
    .replace(/_/g, ' ')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(' ')
    .map((word) => (word !== 'id' && capitals.test(word) ? word.toUpperCase() : word))
    .join(' ');

/** `countryCode` is "Country code"; `at` of `chargeback` is "Chargeback at". */
export function headingOf(path: readonly string[]): string {
  const words = path.map((name) => headings[name] ?? wordsOf(name)).join(' ');
  return capitalized(words);
}

/** Columns for rows of this schema, in its order. */
export function csvColumns(row: RowSchema, above: readonly string[] = []): CsvColumn[] {
  return Object.entries(row.properties ?? {}).flatMap(([name, schema]) => {
    const path = [...above, name];
    const inner = objectIn(schema);
    const coded = codesIn(name, schema);
    return inner ? csvColumns(inner, path) : [{ heading: headingOf(path), path, ...(coded && { coded }) }];
  });
}

/** Names that are written in capital letters in every language. */
const names = new Set(['publisher', 'contentType']);
const taxCodes = new Set(['taxCode', 'taxCodes']);

function codesIn(name: string, schema: RowSchema): CsvColumn['coded'] {
  if (taxCodes.has(name)) return 'tax';
  const isCode = ({ enum: values, const: only, anyOf, items }: RowSchema): boolean =>
    [only, ...(values ?? [])].some((v) => typeof v === 'string') ||
    (anyOf?.some(isCode) ?? false) ||
    (items !== undefined && isCode(items));
  return !names.has(name) && isCode(schema) ? 'code' : undefined;
}

/** The object that a field holds, if it is always the same kind of object or null. */
function objectIn(schema: RowSchema): RowSchema | undefined {
  const [only, ...more] = schema.anyOf?.filter((s) => s.type !== 'null') ?? [schema];
  return more.length === 0 && Object.keys(only?.properties ?? {}).length > 0 ? only : undefined;
}

export const csvLine = (cells: readonly string[], reader?: CsvReader): string =>
  `${cells.join(reader?.form.separator ?? ',')}\r\n`;
export const textCell = (text: string, reader?: CsvReader): string => cellCsv(text, 'text', reader?.form);
export const csvHead = (columns: readonly CsvColumn[], reader?: CsvReader): string =>
  csvLine(
    columns.map(({ heading }) => textCell(reader?.headings.get(heading) ?? heading, reader)),
    reader,
  );

export const csvRow = (columns: readonly CsvColumn[], row: unknown, reader?: CsvReader): string =>
  csvLine(
    columns.map((c) =>
      cellOf(
        c.path.reduce<unknown>((v, name) => (v as Fields | null | undefined)?.[name], row),
        c.coded,
        reader,
      ),
    ),
    reader,
  );

type Fields = Readonly<Record<string, unknown>>;

/** Numbers are plain decimals with all their digits; several values are on one line, separated by semicolons. */
function cellOf(value: unknown, coded: CsvColumn['coded'], reader: CsvReader | undefined): string {
  if (value === null || value === undefined) return '';
  const digits = digitsOf(value);
  if (digits !== undefined) return cellCsv(digits, 'decimal', reader?.form);
  return textCell(inText(reader ? asRead(value, coded, reader) : value, reader), reader);
}

const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/** A value in words, where it is a code, a moment, or yes or no. */
function asRead(value: unknown, coded: CsvColumn['coded'], reader: CsvReader): unknown {
  if (Array.isArray(value)) return value.map((v) => asRead(v, coded, reader));
  if (typeof value === 'boolean') return wordBy(value ? 'yes' : 'no', reader.catalogue);
  if (typeof value !== 'string') return value;
  if (coded === 'tax') return wordBy(taxName(value).name, reader.catalogue);
  if (coded === 'code') return codeBy(value, reader.catalogue);
  return moment.test(value) ? readable(value, 'time') : value;
}

function inText(value: unknown, reader: CsvReader | undefined): string {
  if (typeof value === 'string') return value;
  const digits = digitsOf(value);
  if (digits !== undefined) return reader ? digits.replace('.', reader.form.point) : digits;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.map((v) => inText(v, reader)).join('; ');
  const fields = Object.entries(value).filter(([, v]) => v !== undefined);
  // An object within another one is written as JSON, so that it stays clear what belongs to what.
  if (fields.some(([, v]) => typeof v === 'object' && v !== null && digitsOf(v) === undefined))
    return JSON.stringify(value);
  return fields.map(([name, v]) => `${name}: ${inText(v, reader)}`).join(', ');
}

/** The digits of a number, which may be held as its text; undefined for any other value. */
function digitsOf(value: unknown): string | undefined {
  if (typeof value !== 'number' && (typeof value !== 'object' || value === null || Array.isArray(value)))
    return undefined;
  const held = typeof value === 'number' || JSON.isRawJSON(value) || value instanceof Numeral;
  return held ? canonicalText(JSON.stringify(value)) : undefined;
}
