// Sections of a report on deliveries: files per day, missing and repeated file numbers, and lines in suspense.
import { mostLines } from '../../../core/cdr/thresholds.ts';
import { groupedBy } from '../../../core/grouped.ts';
import { toWire } from '../../../core/ids.ts';
import type { SaidSection } from '../../../core/reports/document.ts';
import { code, count, date, money, section, text } from '../../../core/reports/table.ts';
import { type Delivered, type DeliveredFile, readSuspense } from './delivery.ts';
import { operator } from './section-parts.ts';
import type { FindingsScope } from './slice.ts';

const openFile = (f: DeliveredFile): string => `/v1/telecom/file/${toWire('cdrFile', f.id)}`;

export async function deliverySections(s: FindingsScope, delivered: Delivered): Promise<SaidSection[]> {
  return [filesPerDay(s, delivered), gaps(s, delivered), doubled(s, delivered), await suspense(s, delivered)];
}

function filesPerDay(s: FindingsScope, { files, gaps }: Delivered): SaidSection {
  const days = groupedBy(files, ['account', 'day']).sort((a, b) => (a.account + a.day < b.account + b.day ? -1 : 1));
  const sum = ({ rows }: (typeof days)[number], of: (f: DeliveredFile) => number | boolean) =>
    rows.reduce((n, f) => n + Number(of(f)), 0);
  return section(days, {
    name: 'filesPerDay',
    title: 'Files per day',
    note: 'A file belongs to the day its name bears, where it came within seven days of it; else to the day it was picked up on. Repeated lines are those that were on record before.',
    columns: [
      ...operator(s),
      date('day', 'Day'),
      count('files', 'Files', (d) => d.rows.length),
      count('repeatedFiles', 'Sent again', (d) => sum(d, (f) => f.state === 'DUPLICATE_FILE')),
      count('refusedFiles', 'Kept out', (d) => sum(d, (f) => !f.counted && f.state !== 'DUPLICATE_FILE')),
      count('missingNumbers', 'Numbers missing', (d) =>
        gaps
          .filter((g) => g.account === d.account && g.before.day === d.day)
          .reduce((n, g) => n + g.to - g.from + 1, 0),
      ),
      count('accepted', 'Lines accepted', (d) => sum(d, (f) => f.accepted)),
      count('rejected', 'Lines rejected', (d) => sum(d, (f) => f.rejected)),
      count('duplicates', 'Lines repeated', (d) => sum(d, (f) => f.duplicate)),
    ],
    open: ({ rows: [only, ...more] }) => (only && more.length === 0 ? openFile(only) : undefined),
  });
}

const gaps = (s: FindingsScope, delivered: Delivered): SaidSection =>
  section(delivered.gaps.slice(0, mostLines), {
    name: 'sequenceGaps',
    title: 'Missing files',
    note: 'Numbers that no file bears, by the recommended form of names. What came under other names is not looked at.',
    columns: [
      ...operator(s),
      text('name', 'Name in files', (g) => g.operator),
      date('day', 'Day', (g) => g.before.day),
      count('from', 'From'),
      count('to', 'To'),
      count('missing', 'Missing', (g) => g.to - g.from + 1),
      text('before', 'Before the file', (g) => g.before.name),
    ],
    open: (g) => openFile(g.before),
  });

const doubled = (s: FindingsScope, delivered: Delivered): SaidSection =>
  section(delivered.doubled.slice(0, mostLines), {
    name: 'doubledNumbers',
    title: 'File numbers used twice',
    columns: [
      ...operator(s),
      text('name', 'Name in files', (d) => d.operator),
      date('day', 'Day', (d) => d.again.day),
      count('number', 'Number'),
      text('first', 'First', (d) => d.first.name),
      text('again', 'Again', (d) => d.again.name),
    ],
    open: (d) => openFile(d.again),
  });

const suspense = async (s: FindingsScope, { files }: Delivered): Promise<SaidSection> =>
  section(await readSuspense(s, files), {
    name: 'suspense',
    title: 'Rejected lines',
    note: 'Lines of the files of this period that were kept out. The value of those that are open is at risk: no tax was charged on it. Where neither cost nor currency can be read, the value is not known.',
    columns: [
      ...operator(s),
      code('state', 'State'),
      count('lines', 'Lines'),
      text('currency', 'Currency'),
      money('value', 'Value', (r) => r.cost),
    ],
  });
