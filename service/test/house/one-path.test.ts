// Records and the journal have one writer, the commit function. Any other code that writes one of their tables is
// listed here with its reason.
import { describe, expect, it } from 'vitest';
import { commitForm } from '../../src/platform/batch-parameters.ts';
import { records } from '../../src/records/index.ts';
import { readSources } from './sources.ts';

const recorded = new Set([
  ...commitForm.definitions.filter((d) => d.table === 'refs' || Object.keys(d.writes).length > 0).map((d) => d.table),
  ...records.flatMap((r) => Object.values(r.writes).flatMap((w) => ('former' in w ? [w.former] : []))),
  'journal_heads',
]);

/** By file and table, why it is not the commit function that writes. */
const others: Readonly<Record<string, string>> = {
  'modules/accounts/keys.ts: api_keys': 'when a key was last used; no entry tells it',
  'modules/users/user-store.ts: sessions': 'when a session was last seen, and the removal of those that ended long ago',
  'modules/reports/report-store.ts: reports': 'how far a report has come; no entry tells it',
  'modules/reports/schedules/schedule-store.ts: report_schedules':
    'when the next report is due, in the transaction of the entry of the one before',
  'modules/risk/watch-store.ts: risk_matches':
    'what rules matched, which follows from the journal, and its removal after its time',
  'modules/search/lookup-store.ts: lookups': 'of records of version 0.1, whose entries were written long ago',
  'modules/telecom/files/file-store.ts: cdr_files': 'that a file was taken and begun; no entry tells it',
  'modules/telecom/files/portion-store.ts: cdrs': 'a thousand rows, in the transaction of their entry',
  'modules/telecom/files/portion-store.ts: refs': 'those of the same rows',
  'modules/telecom/files/portion-store.ts: subject_keys': 'thousands of new keys, in the same transaction',
  'platform/restore-backup.ts: sessions':
    'the end of all sessions in a backup that is restored, of which the journal in it knows nothing',
};
/**
 * Statements whose tables a variable names: none of them is recorded, but for all of them in a backup that is restored.
 */
const named: readonly string[] = [
  'modules/telecom/analysis/analysis.ts',
  'modules/totals/totals-store.ts',
  'modules/webhooks/retention.ts',
  'platform/restore-backup.ts',
];

const writing =
  /\b(?:INSERT\s+INTO|MERGE\s+INTO|DELETE\s+FROM|COPY|TRUNCATE(?:\s+TABLE)?)\s+(?:ONLY\s+)?([\w.${}[\]]+)|\bUPDATE\s+(?:ONLY\s+)?([\w.${}[\]]+)(?:\s+(?:AS\s+)?\w+)?\s+SET\b/g;

/** The tables that a text's statements write. */
const written = (text: string): string[] => [...text.matchAll(writing)].map((m) => (m[1] ?? m[2]) as string);

describe('records and the journal', () => {
  const found = readSources()
    .sources.filter((s) => s.path !== 'platform/commit-statements.ts')
    .flatMap((s) => written(s.text).map((table) => ({ path: s.path, table })));

  it('are written by the commit function, and otherwise where a reason is given', () => {
    const wrong = found.filter((f) => recorded.has(f.table)).map((f) => `${f.path}: ${f.table}`);
    expect([...new Set(wrong)].sort()).toEqual(Object.keys(others).sort());
  });

  it('are not written by statements whose table a variable names', () => {
    const unclear = found.filter((f) => f.table.includes('$')).map((f) => f.path);
    expect([...new Set(unclear)].sort()).toEqual(named);
  });

  it.each([
    ['INSERT INTO journal (psp_id) VALUES ($1)', 'journal'],
    ['WITH h AS (\n  INSERT INTO journal_heads AS h (psp_id) VALUES ($1))', 'journal_heads'],
    ['UPDATE fee_rules SET superseded_at = now()', 'fee_rules'],
    ['UPDATE sessions s SET seen_at = u.at FROM unnest($1) u', 'sessions'],
    ['UPDATE ONLY accounts AS a SET name = $1', 'accounts'],
    ['DELETE FROM refs', 'refs'],
    [`DELETE FROM ${'$'}{table} WHERE psp_id = $1`, `${'$'}{table}`],
    ['TRUNCATE TABLE reviews', 'reviews'],
  ])('would be written by %j', (text, table) => expect(written(text)).toEqual([table]));

  it.each(['SELECT 1 FROM accounts FOR UPDATE', 'ON CONFLICT (id) DO UPDATE SET n = 1'])('are not by %j', (text) =>
    expect(written(text)).toEqual([]),
  );
});
