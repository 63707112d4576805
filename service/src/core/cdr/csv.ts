// Lines of a call detail file (Spec 4.15): the fields of a line, the header, the trailer. A quoted field never
// continues on the next line, so an error in one line does not affect others.

import { steeringCharacter } from '../characters.ts';
import { type Decimal, parseDecimal } from '../money.ts';
import { phrase, type Said, said } from '../said.ts';
import type { FileCode } from './findings.ts';
import { type Column, columnNamed, noColumns, type RawRecord, requiredColumns } from './record.ts';

/** Why a line has no fields, or a file no rows. */
export interface CsvFault {
  readonly code: FileCode;
  readonly message: Said;
}

const fault = (code: CsvFault['code'], message: Said): CsvFault => ({ code, message });
export const isFault = (v: object): v is CsvFault => 'code' in v;

/** The fields of one line, without its end. RFC 4180, except that a quoted field ends with its line. */
export function splitFields(line: string): string[] | CsvFault {
  if (!line.includes('"')) return line.split(',');
  const fields: string[] = [];
  for (let at = 0; ; ) {
    if (line[at] !== '"') {
      const comma = line.indexOf(',', at);
      const field = comma < 0 ? line.slice(at) : line.slice(at, comma);
      if (field.includes('"'))
        return fault(
          'QUOTE_MISPLACED',
          said`field ${fields.length + 1} has a quote inside; quote the field and double it`,
        );
      fields.push(field);
      if (comma < 0) return fields;
      at = comma + 1;
      continue;
    }
    let field = '';
    for (let from = at + 1; ; ) {
      const quote = line.indexOf('"', from);
      if (quote < 0)
        return fault('QUOTE_OPEN', said`field ${fields.length + 1} begins with a quote that does not end in this line`);
      field += line.slice(from, quote);
      at = quote + 1;
      if (line[at] !== '"') break;
      field += '"';
      from = at + 1;
    }
    fields.push(field);
    if (at === line.length) return fields;
    if (line[at] !== ',') return fault('QUOTE_MISPLACED', said`field ${fields.length} goes on after its closing quote`);
    at++;
  }
}

/** The position of each column in a file's lines. */
export interface Header {
  /** Columns by position; undefined for an unknown one. */
  readonly columns: readonly (Column | undefined)[];
  /** Unknown column names, as in the file: ignored and reported. */
  readonly unknown: readonly string[];
}

/** Separators of other exports. Such files are refused, since they often have amounts with a decimal comma. */
const otherSeparators = [
  [';', "';'"],
  ['\t', 'tabs'],
  ['|', "'|'"],
] as const;

const unquoted = (name: string) => name.trim().replace(/^"(.*)"$/, '$1');

/** Reads the first line. Returns all its errors at once. */
export function readHeader(line: string): Header | readonly CsvFault[] {
  const names = splitFields(line);
  const columns = isFault(names) ? [] : names.map(columnNamed);
  if (columns.every((c) => c === undefined)) {
    const separator = otherSeparators.find(([text]) => line.split(text).some((n) => columnNamed(unquoted(n))));
    if (separator)
      return [fault('SEPARATOR', said`the fields are separated by ${phrase(separator[1])}; separate them by ','`)];
    const message = /^"?sep=/i.test(line)
      ? said`the first line is ${line.slice(0, 8)}, which is for spreadsheets alone; leave it out, so that the first line names the columns`
      : said`the first line must name the columns, with nothing above it; none of its fields is a column`;
    return [isFault(names) ? names : fault('HEADER_MISSING', message)];
  }
  const faults = requiredColumns
    .filter((c) => !columns.includes(c))
    .map((c) => fault('COLUMN_MISSING', said`the required column '${c}' is missing`));
  const doubled = new Set(columns.filter((c, i) => c !== undefined && columns.indexOf(c) !== i));
  for (const c of doubled) faults.push(fault('COLUMN_DOUBLED', said`the column '${c}' stands more than once`));
  if (faults.length > 0) return faults;
  return { columns, unknown: (names as string[]).filter((_, i) => columns[i] === undefined) };
}

/** A line as a record as received: the text of every column that is not empty. */
export function readRow(header: Header, line: string): RawRecord | CsvFault {
  const fields = splitFields(line);
  if (isFault(fields)) return fields;
  if (fields.length !== header.columns.length)
    return fault('FIELD_COUNT', said`the line has ${fields.length} fields; the header has ${header.columns.length}`);
  const raw = noColumns<string>();
  for (let i = 0; i < fields.length; i++) {
    const column = header.columns[i];
    if (column !== undefined && fields[i] !== '') raw[column] = fields[i] as string;
  }
  return raw;
}

/**
 * The cdr_id of a line whose fields are not those of the header: its first field, if the header begins with it. A line with
 * fewer fields may lack just that one, and one with CR inside is several.
 */
export const firstId = (header: Header, line: string): string | undefined =>
  header.columns[0] === 'cdr_id' && line.split(',').length >= header.columns.length && !line.includes('\r')
    ? /^[^",]+(?=,)/.exec(line)?.[0]
    : undefined;

const correctionMark = /^(?:#CORRECTION|"#CORRECTION")(?:,|$)/i;
export const isCorrection = (line: string): boolean => correctionMark.test(line);

/** Longest reason of a correction, in characters. */
const longestReason = 500;

/** Reads `#CORRECTION,<reason>`, the line above the header of a file that corrects; empty fields may follow. */
export function readCorrection(line: string): { readonly reason: string } | CsvFault {
  const wrong = (what: Said) => fault('CORRECTION_MALFORMED', said`the first line must be #CORRECTION,reason: ${what}`);
  const fields = splitFields(line);
  if (isFault(fields)) return fields;
  const [, given = '', ...more] = fields.map((f) => f.trim());
  if (more.some((f) => f !== '')) return wrong(said`quote a reason that has commas`);
  if (given === '') return wrong(said`it has no reason`);
  if (given.length > longestReason) return wrong(said`the reason is longer than ${longestReason} characters`);
  const steering = steeringCharacter(given);
  return steering ? wrong(said`the reason holds ${steering}`) : { reason: given };
}

/** The totals that a file's last line declares. */
export interface Trailer {
  readonly records: number;
  /** Seconds. */
  readonly durationS: bigint | undefined;
  readonly cost: Decimal | undefined;
}

/** Bytes at the beginning of a line by which a trailer is known. */
export const trailerHead = 11;
export const isTrailer = (line: string): boolean => /^(?:#TRAILER|"#TRAILER")(?:,|$)/i.test(line);

/** Whether a line holds nothing: spreadsheets end a file with lines of separators or of empty quotes. */
export const isBlank = (line: string): boolean => !/[^ \t\r,"]/.test(line);

/** Reads `#TRAILER,<records>,<sum_duration>,<sum_cost>`; the sums may be empty, and empty fields may follow. */
export function readTrailer(line: string): Trailer | CsvFault {
  const wrong = (what: string) =>
    fault('TRAILER_MALFORMED', said`the trailer must be #TRAILER,records,sum_duration,sum_cost: ${what}`);
  const fields = splitFields(line);
  if (isFault(fields)) return fields;
  const [, records = '', duration = '', cost = '', ...more] = fields.map((f) => f.trim());
  if (more.some((f) => f !== '')) return wrong('it has more than three values');
  if (!/^\d{1,15}$/.test(records)) return wrong('records must be a whole number');
  if (!/^\d{0,18}$/.test(duration)) return wrong('sum_duration must be whole seconds');
  const sum = cost === '' ? undefined : parseDecimal(cost);
  if (cost !== '' && sum === undefined) return wrong('sum_cost must be a decimal number');
  return { records: Number(records), durationS: duration === '' ? undefined : BigInt(duration), cost: sum };
}

/**
 * Compares what a file declares with the lines it has. Fewer lines than declared mean that it was cut off.
 * @param lines data lines of the file, good or bad
 */
export function trailerFault(trailer: Trailer, lines: number): CsvFault | undefined {
  return trailer.records === lines
    ? undefined
    : fault('TRAILER_MISMATCH', said`the trailer declares ${trailer.records} records; the file has ${lines}`);
}
