// Lines of call detail files: whatever was written is read back, and what is wrong is named by line and field.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal } from '../money.ts';
import { isFault, isTrailer, readHeader, readRow, readTrailer, splitFields, trailerFault } from './csv.ts';
import { columns, pathOf, requiredColumns } from './record.ts';

const quoted = (field: string) => `"${field.replaceAll('"', '""')}"`;
const field = fc.string({ unit: fc.constantFrom('a', '9', ' ', '"', ',', 'é', '😀', "'", '=') });
/** A field, and whether its writer quotes it though it need not. */
const written = fc.tuple(field, fc.boolean());
const write = ([text, always]: [string, boolean]) => (always || /[",]/.test(text) ? quoted(text) : text);

/** Sentences as text. */
const plain = (v: unknown) => JSON.parse(JSON.stringify(v));

describe('a line', () => {
  it('reads back as it was written, whichever fields are quoted', () => {
    fc.assert(
      fc.property(fc.array(written, { minLength: 1, maxLength: 12 }), (fields) => {
        expect(splitFields(fields.map(write).join(','))).toEqual(fields.map(([text]) => text));
      }),
      { numRuns: 20_000 },
    );
  });

  it.each([
    ['', ['']],
    [',', ['', '']],
    ['"",""', ['', '']],
    ['a,"b""c",', ['a', 'b"c', '']],
    ['"a,b",c', ['a,b', 'c']],
    [' "a', 'QUOTE_MISPLACED'],
    ['a"b,c', 'QUOTE_MISPLACED'],
    ['"a"b,c', 'QUOTE_MISPLACED'],
    ['"a" ,c', 'QUOTE_MISPLACED'],
    ['"a,b', 'QUOTE_OPEN'],
    ['a,"', 'QUOTE_OPEN'],
    ['a,"b""', 'QUOTE_OPEN'],
  ])('%j gives %j', (line, expected) => {
    const fields = splitFields(line);
    expect(isFault(fields) ? fields.code : fields).toEqual(expected);
  });

  it('of any text at all gives fields or a fault that names the field, and takes no longer the longer it is', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('"', ',', 'a', '""', '",', ',"'), { maxLength: 60 }), (parts) => {
        const fields = splitFields(parts.join(''));
        if (isFault(fields)) expect(String(fields.message)).toMatch(/^field \d+ /);
        else expect(fields.length).toBeGreaterThan(0);
      }),
      { numRuns: 5000 },
    );
    expect(isFault(splitFields('"'.repeat(1_000_001)))).toBe(true);
  });
});

describe('a header', () => {
  const header = (names: readonly string[]) => readHeader(names.join(','));

  it('takes the columns in any order and case, by their own names, dotted paths and unmistakable leaves', () => {
    for (const names of [
      columns,
      columns.toReversed(),
      columns.map((c) => c.toUpperCase()),
      columns.map(pathOf),
      columns.map((c) => ` ${c} `),
      columns.map((c) => c.replace('billing_information_', '')),
    ]) {
      const h = header(names);
      expect(h).toMatchObject({ unknown: [] });
      expect('columns' in h && h.columns.toSorted()).toEqual(columns.toSorted());
    }
  });

  it('may leave out what is not required, and carry columns this format does not have', () => {
    const h = header([...requiredColumns, 'cell_id', 'caller_name']);
    expect(h).toEqual({ columns: [...requiredColumns, undefined, undefined], unknown: ['cell_id', 'caller_name'] });
  });

  it('names every required column that is missing and every one that occurs twice', () => {
    const names = [...requiredColumns.filter((c) => c !== 'cdr_id' && c !== 'call_type'), 'network_provider'];
    expect(plain(header(names))).toEqual([
      { code: 'COLUMN_MISSING', message: "the required column 'cdr_id' is missing" },
      { code: 'COLUMN_MISSING', message: "the required column 'call_type' is missing" },
      { code: 'COLUMN_DOUBLED', message: "the column 'network_provider' stands more than once" },
    ]);
    expect(header([...requiredColumns, 'call_cost'])).toMatchObject([{ code: 'COLUMN_DOUBLED' }]);
  });

  it.each([
    ['cdr_id;caller_number;receiver_number', "the fields are separated by ';'; separate them by ','"],
    ['"CDR_ID";"caller_number"', "the fields are separated by ';'; separate them by ','"],
    ['cdr_id\tcaller_number', "the fields are separated by tabs; separate them by ','"],
    ['cdr_id|caller_number', "the fields are separated by '|'; separate them by ','"],
  ])('says which separator is in the way: %s', (line, message) => {
    expect(plain(readHeader(line))).toEqual([{ code: 'SEPARATOR', message }]);
  });

  it.each(['sep=,', 'SEP=,', '"sep=,"', 'sep=;'])('says that a line for spreadsheets is in its place: %s', (line) => {
    const [found] = readHeader(line) as readonly { code: string; message: unknown }[];
    expect([found?.code, String(found?.message)]).toEqual(['HEADER_MISSING', expect.stringContaining('leave it out')]);
  });

  it('is missing where a file begins with its records', () => {
    expect(readHeader('cdr-1,+2348030000001,+2348030000002')).toMatchObject([{ code: 'HEADER_MISSING' }]);
    expect(readHeader('')).toMatchObject([{ code: 'HEADER_MISSING' }]);
    expect(readHeader('"cdr_id')).toMatchObject([{ code: 'QUOTE_OPEN' }]);
  });
});

describe('a row', () => {
  const header = { columns: ['cdr_id', undefined, 'call_type'] as const, unknown: ['cell'] };

  it('gives the text of every column that is not empty', () => {
    expect(readRow(header, 'a,9,"VOICE, long"')).toEqual({ cdr_id: 'a', call_type: 'VOICE, long' });
    expect(readRow(header, ',,')).toEqual({});
  });

  it('has as many fields as the header', () => {
    expect(plain(readRow(header, 'a,b'))).toEqual({
      code: 'FIELD_COUNT',
      message: 'the line has 2 fields; the header has 3',
    });
    expect(readRow(header, 'a,b,c,')).toMatchObject({ code: 'FIELD_COUNT' });
    expect(readRow(header, 'a,b,"c')).toMatchObject({ code: 'QUOTE_OPEN' });
  });
});

describe('a trailer', () => {
  it('is told from records, and says how many there are and what they sum to', () => {
    expect(['#TRAILER,1', '#trailer,1,2,3', '#TRAILER'].every(isTrailer)).toBe(true);
    expect(['#TRAILERS,1', 'TRAILER,1', 'a,#TRAILER,1', ''].some(isTrailer)).toBe(false);
    expect(readTrailer('#TRAILER,12,3600,45.670')).toEqual({
      records: 12,
      durationS: 3600n,
      cost: decimal('45.67'),
    });
    expect(readTrailer('#TRAILER, 12 ')).toEqual({ records: 12, durationS: undefined, cost: undefined });
  });

  it.each([
    '#TRAILER',
    '#TRAILER,',
    '#TRAILER,x',
    '#TRAILER,-1',
    '#TRAILER,1,1.5',
    '#TRAILER,1,2,x',
    '#TRAILER,1,2,3,4',
  ])('that says %j is refused with what it should be', (line) => {
    expect(plain(readTrailer(line))).toMatchObject({
      code: 'TRAILER_MALFORMED',
      message: expect.stringContaining('#TRAILER,records,sum_duration,sum_cost'),
    });
  });

  it('shows a file that was cut off', () => {
    const t = { records: 3, durationS: undefined, cost: undefined };
    expect(trailerFault(t, 3)).toBeUndefined();
    expect(plain(trailerFault(t, 2))).toEqual({
      code: 'TRAILER_MISMATCH',
      message: 'the trailer declares 3 records; the file has 2',
    });
  });
});
