// The sections of the tax report that list its inputs: files, declarations, records by day.
import { createHash } from 'node:crypto';
import { toWire } from '../../../core/ids.ts';
import type { ReportFact, ReportSection } from '../../../core/reports/document.ts';
import type { StoredDeclaration } from '../declared/declaration-store.ts';
import { column, type Operators, operatorCells, withOperator } from './columns.ts';
import type { AnalysedWith, DayCount, InputFile } from './inputs.ts';

export function filesSection(o: Operators, files: readonly InputFile[]): ReportSection {
  return {
    name: 'inputFiles',
    title: 'Input files',
    note: 'Files with records that count in the month, in the order they were picked up. The hash is of the bytes as they came, which the archive keeps.',
    columns: withOperator(o, [
      column('fileId', 'File'),
      column('fileName', 'File name'),
      column('sha256', 'SHA-256'),
      column('state', 'State'),
      column('pickedUpAt', 'Picked up', 'time'),
      column('accepted', 'Accepted', 'count'),
      column('rejected', 'Rejected', 'count'),
      column('duplicate', 'Duplicate', 'count'),
      column('inMonth', 'Records of the month', 'count'),
    ]),
    rows: files.map((f) => ({
      cells: [
        ...operatorCells(o, f.account),
        toWire('cdrFile', f.id),
        f.name,
        f.sha256,
        f.state,
        f.pickedUpAt,
        String(f.counts.accepted),
        String(f.counts.rejected),
        String(f.counts.duplicate),
        String(f.inMonth),
      ],
      open: `/v1/telecom/file/${toWire('cdrFile', f.id)}`,
    })),
  };
}

export function declarationsSection(o: Operators, declared: readonly StoredDeclaration[]): ReportSection {
  return {
    name: 'declarations',
    title: 'Declarations',
    note: 'The declaration in force of each operator. Earlier revisions are kept and can be listed.',
    columns: withOperator(o, [
      column('declarationId', 'Declaration'),
      column('revision', 'Revision', 'count'),
      column('lines', 'Lines', 'count'),
      column('recordedAt', 'Recorded', 'time'),
      column('sha256', 'SHA-256 of its lines'),
    ]),
    rows: declared.map((d) => ({
      cells: [
        ...operatorCells(o, d.account),
        toWire('declaration', d.id),
        String(d.revision),
        String(d.lines.length),
        d.createdAt,
        d.content,
      ],
      open: `/v1/telecom/declaration/${toWire('declaration', d.id)}`,
    })),
  };
}

/** Records by day, added up over all operators of the report. */
export function daysSection(days: readonly DayCount[]): ReportSection {
  const sums = new Map<string, number>();
  for (const d of days) sums.set(d.day, (sums.get(d.day) ?? 0) + d.records);
  return {
    name: 'days',
    title: 'Records by day of the call',
    note: 'All records of calls of the month, also those that came when it was closed.',
    columns: [column('day', 'Day', 'date'), column('records', 'Records', 'count')],
    rows: [...sums].map(([day, n]) => ({ cells: [day, String(n)] })),
    chart: { kind: 'line', label: 'day', values: ['records'] },
  };
}

/** Facts about the inputs, for the head of the report. */
export function inputFacts(
  files: readonly InputFile[],
  declared: readonly StoredDeclaration[],
  versions: readonly AnalysedWith[],
): ReportFact[] {
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
      value: `${records}, of them ${filed} out of ${files.length} files and ${records - filed} one by one`,
    },
    { name: 'inputHash', title: 'SHA-256 over the input files', value: hash.digest('hex') },
    { name: 'declarations', title: 'Declarations', value: String(declared.length) },
  ];
}
