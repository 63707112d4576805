// The page of call detail files: their columns, and every code of a finding.
import { errorCodes, fileCodes, warningCodes } from '../../src/core/cdr/findings.ts';
import { type Column, columnNamed, columns, pathOf, requiredColumns } from '../../src/core/cdr/record.ts';
import { CdrBody } from '../../src/modules/telecom/schemas.ts';
import { code, page, table } from './markdown.ts';

interface Described {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Described>>;
}

/** Empty if there is none. */
const shortNameOf = (c: Column): string => {
  const [, leaf] = pathOf(c).split('.');
  return leaf !== undefined && columnNamed(leaf) === c ? code(leaf) : '';
};

const meaningOf = (c: Column): string | undefined =>
  pathOf(c)
    .split('.')
    .reduce<Described | undefined>((schema, key) => schema?.properties?.[key], CdrBody as Described)?.description;

const codesTable = (codes: Readonly<Record<string, string>>) =>
  table(
    ['Code', 'Meaning'],
    Object.entries(codes).map(([name, meaning]) => [code(name), meaning]),
  );

export const callFilesPage = (): string =>
  page(
    'Call detail files',
    'What a `.csv` of call detail records holds, and what may be found in it. How files are sent: [send call records](../how-to/send-call-records.md).',
    '## Columns',
    'The first line names the columns, in any order, in upper or lower case. A column may also be named by its short name, or as its field in JSON (`billing_information.call_cost`). Columns that are not known are passed over. An empty field is one that was left out.',
    table(
      ['Column', 'Short name', 'Required', 'Meaning'],
      columns.map((c) => [code(c), shortNameOf(c), requiredColumns.includes(c) ? 'yes' : 'no', meaningOf(c)]),
    ),
    '## A file',
    '```\ncdr_id,caller_number,receiver_number,call_start_time,call_end_time,call_duration_seconds,call_type,network_provider,call_cost,currency\nCDR-1001,+2348031234567,+2348059876543,2026-11-21T10:00:00Z,2026-11-21T10:02:00Z,120,VOICE,MTN Nigeria,24.50,NGN\nCDR-1002,2348031234567,00447911123456,2026-11-21T10:05:00Z,2026-11-21T10:05:00Z,0,SMS,"MTN, Nigeria",4,NGN\n#TRAILER,2,120,28.50\n```',
    'The last line may be a trailer: the number of records, the sum of their seconds and the sum of their costs; the sums may be left out. Lines without anything but separators are no records.',
    '## Findings about a file or a line',
    codesTable(fileCodes),
    '## Errors of a record',
    'The line is rejected, and waits to be corrected or written off. By `recordCDR` the record is refused with `RECORD_INVALID`.',
    codesTable(errorCodes),
    '## Warnings of a record',
    'The record is accepted.',
    codesTable(warningCodes),
  );
