// Compares stored reports and their documents with the journal, which has what was asked for and the hash of each document.
import { isDeepStrictEqual } from 'node:util';
import { fromWire, nobody, type PspId } from '../../core/ids.ts';
import { readEntry } from '../../entries/read.ts';
import type { Database } from '../../platform/database.ts';
import { documentsOf, listReportsOf } from './report-store.ts';
import { journalData } from './resource.ts';

interface ReportEntry {
  readonly seq: number;
  readonly kind: string;
  readonly account: string;
  readonly body: string;
}

const ends = ['report.completed', 'report.failed'];
/** What is asked for is the same once the report is made. */
const asked = ['reportId', 'kind', 'parameters', 'revision', 'scheduleId', 'dueAt'];

/** The reports among these entries that differ. */
export async function compareReports(
  db: Database,
  psp: PspId,
  entries: readonly ReportEntry[],
): Promise<{ table: 'reports'; id: string; seq: number; what: string }[]> {
  const journaled = entries
    .filter((e) => e.kind === 'report.requested' || ends.includes(e.kind))
    .map(({ seq, kind, account, body }) => {
      const { data } = readEntry(body, [
        'report.requested/1',
        'report.completed/1',
        'report.completed/2',
        'report.failed/1',
        'report.failed/2',
      ]);
      return { seq, account, ended: ends.includes(kind), data, id: fromWire('report', data.reportId) ?? nobody };
    });
  if (journaled.length === 0) return [];
  const ids = [...new Set(journaled.map((t) => t.id))];
  const stored = new Map((await listReportsOf(db, psp, ids)).map((r) => [r.id, r]));
  const documents = await documentsOf(db, psp, ids);
  return journaled.flatMap(({ seq, account, ended, data, id }) => {
    const finding = (what: string) => [{ table: 'reports' as const, id, seq, what }];
    const row = stored.get(id);
    if (!row) return finding('it is missing');
    const now: Record<string, unknown> = journalData(row);
    const differs = Object.entries(data).some(
      ([name, then]) => (ended || asked.includes(name)) && !isDeepStrictEqual(now[name], then),
    );
    if (differs || row.account !== account) return finding('it is not what was recorded');
    if (data.files === undefined) return [];
    const is = documents.get(id) ?? new Map<string, string>();
    const was = new Map(data.files.map((f) => [f.name, `${f.contentType} ${f.sha256}`]));
    const changed = [...new Set([...was.keys(), ...is.keys()])].filter((name) => is.get(name) !== was.get(name));
    return changed.length === 0 ? [] : finding(`these documents are not those that were made: ${changed.join(', ')}`);
  });
}
