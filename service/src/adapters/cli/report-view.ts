// How reports are printed for a person.
import type { Output as Answer, Item } from '@assay/client';
import type { Output } from './output.ts';

type Shown = Item<'listReports'>;
type Detail = Answer<'getReport'>;

const parametersText = (r: Shown): string =>
  Object.entries(r.parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

export function showReports(out: Output, items: readonly Shown[]): void {
  if (items.length === 0) out.line('no reports');
  else
    out.table<Shown>(items, [
      { title: 'Report', value: (r) => r.reportId },
      { title: 'Account', value: (r) => r.clientId },
      { title: 'Kind', value: (r) => r.kind },
      { title: 'Parameters', value: parametersText },
      { title: 'Revision', value: (r) => r.revision, right: true },
      { title: 'State', value: (r) => r.state },
      { title: 'Done', value: (r) => `${r.progress.percent} %`, right: true },
      { title: 'Asked for', value: (r) => r.createdAt },
    ]);
}

export function showReport(out: Output, r: Detail): void {
  out.result(r, () => {
    out.facts([
      ['Report', r.reportId],
      ['Account', r.clientId],
      ['Kind', r.kind],
      ['Parameters', parametersText(r)],
      ['State', r.reason === null ? r.state : `${r.state}: ${r.reason}`],
      ['Done', `${r.progress.percent} %`],
      ['Seconds left', r.progress.etaSeconds],
      ['Revision', `${r.revision} of ${r.revisions.length}`],
      ['Provisional', r.provisional],
      ['As of', r.asOf && `${r.asOf.time}, journal entry ${r.asOf.journalSeq}`],
      ['Asked for by', r.requestedBy],
      ['Ended', r.finishedAt],
    ]);
    if (r.changes)
      out.line(
        r.changes.changed
          ? `Says something else than revision ${r.changes.since}: ${r.changes.sections.join(', ') || 'its head'}`
          : `Says the same as revision ${r.changes.since}`,
      );
    if (!r.manifest) return;
    out.line();
    out.table(r.manifest.sections, [
      { title: 'Section', value: (s) => s.name },
      { title: 'Rows', value: (s) => s.rows, right: true },
      { title: 'SHA-256', value: (s) => s.sha256 },
    ]);
    out.line();
    out.table(r.manifest.files, [
      { title: 'Document', value: (f) => f.name },
      { title: 'Bytes', value: (f) => f.bytes, right: true },
      { title: 'SHA-256', value: (f) => f.sha256 },
    ]);
  });
}
