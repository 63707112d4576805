// The columns of a list as CSV, from the schema of its rows: a column for each field, those of an object in a row beside
// its name, and headings in words. Its cells are for programs. Knows no list by name, and reads no data.
import { capitalized } from '../../core/capitalized.ts';
import { canonicalText, Numeral } from '../../core/money.ts';
import { cellCsv } from '../../core/reports/csv.ts';

export interface CsvColumn {
  readonly heading: string;
  /** Names of the fields that lead to the value in a row. */
  readonly path: readonly string[];
  readonly schema: RowSchema;
}

/** A schema as far as columns need it. */
export interface RowSchema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, RowSchema>>;
  readonly anyOf?: readonly RowSchema[];
  readonly items?: RowSchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly $id?: string;
  readonly patternProperties?: Readonly<Record<string, RowSchema>>;
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
    return inner ? csvColumns(inner, path) : [{ heading: headingOf(path), path, schema }];
  });
}

/** The object that a field holds, if it is always the same kind of object or null. */
function objectIn(schema: RowSchema): RowSchema | undefined {
  const [only, ...more] = schema.anyOf?.filter((s) => s.type !== 'null') ?? [schema];
  return more.length === 0 && Object.keys(only?.properties ?? {}).length > 0 ? only : undefined;
}

const csvLine = (cells: readonly string[]): string => `${cells.join()}\r\n`;

export const csvHead = (columns: readonly CsvColumn[]): string =>
  csvLine(columns.map(({ heading }) => cellCsv(heading, 'text')));

export const csvRow = (columns: readonly CsvColumn[], row: unknown): string =>
  csvLine(columns.map(({ path }) => cellOf(valueAt(row, path))));

/** A line with one text in its first cell. */
export const csvRemark = (columns: readonly CsvColumn[], text: string): string =>
  csvLine([cellCsv(text, 'text'), ...columns.slice(1).map(() => '')]);

export const valueAt = (row: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((v, name) => (v as Readonly<Record<string, unknown>> | null | undefined)?.[name], row);

/** Numbers are plain decimals with all their digits; several values are on one line, separated by semicolons. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const digits = digitsOf(value);
  return digits === undefined ? cellCsv(inText(value), 'text') : cellCsv(digits, 'decimal');
}

function inText(value: unknown): string {
  if (typeof value === 'string') return value;
  const digits = digitsOf(value);
  if (digits !== undefined) return digits;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.map(inText).join('; ');
  const fields = Object.entries(value).filter(([, v]) => v !== undefined);
  // An object within another one is written as JSON, so that it stays clear what belongs to what.
  if (fields.some(([, v]) => holdsMore(v))) return JSON.stringify(value);
  return fields.map(([name, v]) => `${name}: ${inText(v)}`).join(', ');
}

/** Whether a value is an object or a list. */
export const holdsMore = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && digitsOf(value) === undefined;

/** The digits of a number, which may be held as its text; undefined for any other value. */
export function digitsOf(value: unknown): string | undefined {
  if (typeof value !== 'number' && (typeof value !== 'object' || value === null || Array.isArray(value)))
    return undefined;
  const held = typeof value === 'number' || JSON.isRawJSON(value) || value instanceof Numeral;
  return held ? canonicalText(JSON.stringify(value)) : undefined;
}
