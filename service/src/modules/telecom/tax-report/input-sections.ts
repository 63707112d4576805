// The sections of the tax report that list its inputs: files, declarations, records by day.

import { createHash } from 'node:crypto';
import { groupedBy } from '../../../core/grouped.ts';
import { toWire } from '../../../core/ids.ts';
import type { SaidFact, SaidSection } from '../../../core/reports/document.ts';
import { code, count, date, section, text, time } from '../../../core/reports/table.ts';
import { said } from '../../../core/said.ts';
import type { StoredDeclaration } from '../declared/declaration-store.ts';
import { type Operators, operator } from './columns.ts';
import type { AnalysedWith, DayCount, InputFile } from './inputs.ts';

export const filesSection = (o: Operators, files: readonly InputFile[]): SaidSection =>
  section(files, {
    name: 'inputFiles',
    title: 'Input files',
    note: 'Files with records that count in the month, in the order they were picked up. The hash is of the bytes as they came, which the archive keeps.',
    columns: [
      ...operator(o),
      text('fileId', 'File', (f) => toWire('cdrFile', f.id)),
      text('fileName', 'File name', (f) => f.name),
      text('sha256', 'SHA-256'),
      code('state', 'State'),
      time('pickedUpAt', 'Picked up'),
      count('accepted', 'Accepted', (f) => f.counts.accepted),
      count('rejected', 'Rejected', (f) => f.counts.rejected),
      count('duplicate', 'Duplicate', (f) => f.counts.duplicate),
      count('inMonth', 'Records of the month'),
    ],
    open: (f) => `/v1/telecom/file/${toWire('cdrFile', f.id)}`,
  });

export const declarationsSection = (o: Operators, declared: readonly StoredDeclaration[]): SaidSection =>
  section(declared, {
    name: 'declarations',
    title: 'Declarations',
    note: 'The declaration in force of each operator. Earlier revisions are kept and can be listed.',
    columns: [
      ...operator(o),
      text('declarationId', 'Declaration', (d) => toWire('declaration', d.id)),
      count('revision', 'Revision'),
      count('lines', 'Lines', (d) => d.lines.length),
      time('recordedAt', 'Recorded', (d) => d.createdAt),
      text('sha256', 'SHA-256 of its lines', (d) => d.content),
    ],
    open: (d) => `/v1/telecom/declaration/${toWire('declaration', d.id)}`,
  });

/** Records by day, added up over all operators of the report. */
export const daysSection = (days: readonly DayCount[]): SaidSection =>
  section(groupedBy(days, ['day']), {
    name: 'days',
    title: 'Records by day of the call',
    note: 'All records of calls of the month, also those that came when it was closed.',
    columns: [date('day', 'Day'), count('records', 'Records', (d) => d.rows.reduce((n, r) => n + r.records, 0))],
    chart: { kind: 'line', label: 'day', values: ['records'] },
  });

/** Facts about the inputs, for the head of the report. */
export function inputFacts(
  files: readonly InputFile[],
  declared: readonly StoredDeclaration[],
  versions: readonly AnalysedWith[],
): SaidFact[] {
  const records = versions.reduce((n, v) => n + v.records, 0);
  const filed = files.reduce((n, f) => n + f.inMonth, 0);
  const hash = createHash('sha256');
  for (const f of files) hash.update(`${f.sha256} ${f.inMonth} ${f.name}\n`);
  const list = (of: (v: AnalysedWith) => string) => [...new Set(versions.map(of))].join(', ') || 'none';
  return [
    { name: 'rules', title: 'Tax rules, version', value: list((v) => v.dataset) },
    { name: 'ranges', title: 'Number ranges, version', value: list((v) => v.ranges) },
    {
      name: 'records',
      title: 'Records',
      value: said`${records}, of them ${filed} out of ${files.length} files and ${records - filed} one by one`,
    },
    { name: 'inputHash', title: 'SHA-256 over the input files', value: hash.digest('hex') },
    { name: 'declarations', title: 'Declarations', value: String(declared.length) },
  ];
}
