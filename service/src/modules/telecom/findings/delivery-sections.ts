// Sections of a report on deliveries: files per day, missing and repeated file numbers, and lines in suspense.
import { mostLines } from '../../../core/cdr/thresholds.ts';
import { toWire } from '../../../core/ids.ts';
import type { ReportRow, ReportSection } from '../../../core/reports/document.ts';
import { type Delivered, type DeliveredFile, readSuspense } from './delivery.ts';
import { account, column, operatorCells } from './section-parts.ts';
import type { FindingsScope } from './slice.ts';

const openFile = (f: DeliveredFile): string => `/v1/telecom/file/${toWire('cdrFile', f.id)}`;

export async function deliverySections(s: FindingsScope, delivered: Delivered): Promise<ReportSection[]> {
  return [filesPerDay(s, delivered), gaps(s, delivered), doubled(s, delivered), await suspense(s, delivered)];
}

interface DayOfFiles {
  readonly account: string;
  readonly day: string;
  readonly files: DeliveredFile[];
}

function filesPerDay(s: FindingsScope, { files, gaps }: Delivered): ReportSection {
  const days = new Map<string, DayOfFiles>();
  for (const f of files) {
    const key = `${f.account} ${f.day}`;
    const day = days.get(key) ?? { account: f.account, day: f.day, files: [] };
    day.files.push(f);
    days.set(key, day);
  }
  const sum = (d: DayOfFiles, of: (f: DeliveredFile) => number) => String(d.files.reduce((n, f) => n + of(f), 0));
  const missing = (d: DayOfFiles) =>
    gaps.filter((g) => g.account === d.account && g.before.day === d.day).reduce((n, g) => n + g.to - g.from + 1, 0);
  return {
    name: 'filesPerDay',
    title: 'Files per day',
    note: 'A file belongs to the day its name bears, where it came within seven days of it; else to the day it was picked up on. Repeated lines are those that were on record before.',
    columns: [
      ...account,
      column('day', 'Day', 'date'),
      column('files', 'Files', 'count'),
      column('repeatedFiles', 'Sent again', 'count'),
      column('refusedFiles', 'Kept out', 'count'),
      column('missingNumbers', 'Numbers missing', 'count'),
      column('accepted', 'Lines accepted', 'count'),
      column('rejected', 'Lines rejected', 'count'),
      column('duplicates', 'Lines repeated', 'count'),
    ],
    rows: [...days.values()]
      .sort((a, b) => (a.account + a.day < b.account + b.day ? -1 : 1))
      .map((d): ReportRow => {
        const [only, ...more] = d.files;
        return {
          cells: [
            ...operatorCells(s, d.account),
            d.day,
            String(d.files.length),
            sum(d, (f) => (f.state === 'DUPLICATE_FILE' ? 1 : 0)),
            sum(d, (f) => (f.counted || f.state === 'DUPLICATE_FILE' ? 0 : 1)),
            String(missing(d)),
            sum(d, (f) => f.accepted),
            sum(d, (f) => f.rejected),
            sum(d, (f) => f.duplicate),
          ],
          ...(only && more.length === 0 ? { open: openFile(only) } : {}),
        };
      }),
  };
}

function gaps(s: FindingsScope, delivered: Delivered): ReportSection {
  return {
    name: 'sequenceGaps',
    title: 'Missing files',
    note: 'Numbers that no file bears, by the recommended form of names. What came under other names is not looked at.',
    columns: [
      ...account,
      column('name', 'Name in files', 'text'),
      column('day', 'Day', 'date'),
      column('from', 'From', 'count'),
      column('to', 'To', 'count'),
      column('missing', 'Missing', 'count'),
      column('before', 'Before the file', 'text'),
    ],
    rows: delivered.gaps.slice(0, mostLines).map((g) => ({
      cells: [
        ...operatorCells(s, g.account),
        g.operator,
        g.before.day,
        String(g.from),
        String(g.to),
        String(g.to - g.from + 1),
        g.before.name,
      ],
      open: openFile(g.before),
    })),
  };
}

function doubled(s: FindingsScope, delivered: Delivered): ReportSection {
  return {
    name: 'doubledNumbers',
    title: 'File numbers used twice',
    columns: [
      ...account,
      column('name', 'Name in files', 'text'),
      column('day', 'Day', 'date'),
      column('number', 'Number', 'count'),
      column('first', 'First', 'text'),
      column('again', 'Again', 'text'),
    ],
    rows: delivered.doubled.slice(0, mostLines).map((d) => ({
      cells: [...operatorCells(s, d.account), d.operator, d.again.day, String(d.number), d.first.name, d.again.name],
      open: openFile(d.again),
    })),
  };
}

async function suspense(s: FindingsScope, { files }: Delivered): Promise<ReportSection> {
  return {
    name: 'suspense',
    title: 'Rejected lines',
    note: 'Lines of the files of this period that were kept out. The value of those that are open is at risk: no tax was charged on it. Where neither cost nor currency can be read, the value is not known.',
    columns: [
      ...account,
      column('state', 'State', 'text'),
      column('lines', 'Lines', 'count'),
      column('currency', 'Currency', 'text'),
      column('value', 'Value', 'money'),
    ],
    rows: (await readSuspense(s, files)).map((r) => ({
      cells: [...operatorCells(s, r.account), r.state, String(r.lines), r.currency, r.cost],
    })),
  };
}
