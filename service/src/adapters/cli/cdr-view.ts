// How call detail files and totals are printed for a person.
import type { Output as Answer, Item } from '@assay/client';
import type { Output } from './output.ts';

export const showFiles = (out: Output, items: readonly Item<'listCdrFiles'>[]): void =>
  out.table(items, [
    { title: 'File', value: (f) => f.fileId },
    { title: 'Account', value: (f) => f.clientId },
    { title: 'Name', value: (f) => f.fileName },
    { title: 'State', value: (f) => f.state },
    { title: 'Done', value: (f) => `${f.progress.percent} %`, right: true },
    { title: 'Seconds left', value: (f) => f.progress.etaSeconds ?? '', right: true },
    { title: 'Accepted', value: (f) => f.counts.accepted, right: true },
    { title: 'Rejected', value: (f) => f.counts.rejected, right: true },
    { title: 'Duplicate', value: (f) => f.counts.duplicate, right: true },
    { title: 'Picked up', value: (f) => f.pickedUpAt },
  ]);

export function showFile(out: Output, f: Answer<'getCdrFile'>): void {
  out.facts([
    ['File', f.fileId],
    ['Account', f.clientId],
    ['Name', f.fileName],
    ['State', f.state],
    ['Bytes', f.sizeBytes],
    ['Done', `${f.progress.percent} %`],
    ['Lines', `${f.progress.done} of ${f.progress.lines ?? 'not known yet'}`],
    ['Seconds left', f.progress.etaSeconds],
    ['Accepted', f.counts.accepted],
    ['Rejected', f.counts.rejected],
    ['Duplicate', f.counts.duplicate],
    ['With warnings', f.counts.warned],
    ['Open', f.suspense.open],
    ['Corrected', f.suspense.corrected],
    ['Written off', f.suspense.writtenOff],
    ['Only counted', f.suspense.notKept],
  ]);
  if (f.errorSummary.length === 0) return;
  out.line();
  out.table(f.errorSummary, [
    { title: 'Code', value: (e) => e.code },
    { title: 'Times', value: (e) => e.count, right: true },
  ]);
}

export const showTotals = (out: Output, items: readonly Item<'listCdrTotals'>[]): void =>
  out.table(items, [
    { title: 'Month', value: (t) => t.period },
    { title: 'Of calls in', value: (t) => (t.late ? t.callPeriod : '-') },
    { title: 'Class', value: (t) => t.class },
    { title: 'Records', value: (t) => t.records, right: true },
    { title: 'Seconds', value: (t) => t.seconds, right: true },
    { title: 'Cost', value: (t) => JSON.stringify(t.cost), right: true },
    { title: 'Tax', value: (t) => JSON.stringify(t.tax), right: true },
    { title: '', value: (t) => t.currency },
    {
      title: 'By return',
      value: (t) => t.byReturn.map((x) => `${JSON.stringify(x.tax)} ${x.currency}`).join(', ') || '-',
      right: true,
    },
    { title: 'Findings', value: (t) => t.findings.map((f) => `${f.code} ${f.records}`).join(', ') || '-' },
  ]);
