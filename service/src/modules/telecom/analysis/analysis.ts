// The tax analysis of call detail records: follows the journal, reports its progress, and repeats the whole analysis
// after rules or ranges were corrected.
import type { PspId } from '../../../core/ids.ts';
import { loadNumberRanges } from '../../../platform/data-files.ts';
import type { Database, Pool } from '../../../platform/database.ts';
import { countSetAside, forgetSetAside } from '../../../platform/entries-set-aside.ts';
import { JournalReader } from '../../../platform/journal-reader.ts';
import { countryOfNumber } from '../../../platform/number-countries.ts';
import type { HasAccounts } from '../../accounts/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { type AnalysisContext, analysedKinds, analyseEntries } from './analyse-entries.ts';

/** Name of the journal reader, under which its cursors are stored. */
export const analysisName = 'cdr-analysis';

/** Creates the journal reader that analyses. The caller starts, wakes and stops it. */
export function makeCdrAnalysis(
  services: Needs<'log' | 'backgroundPauses' | 'reference' | 'rates'> & HasAccounts,
  pool: Pick<Pool, 'query' | 'transaction'>,
  observe?: (records: number) => void,
): JournalReader {
  const ranges = loadNumberRanges();
  const context: AnalysisContext = {
    services,
    numbering: { countryOf: countryOfNumber, ranges },
    ranges: ranges.version,
    ...(observe ? { observe } : {}),
  };
  return new JournalReader({
    name: analysisName,
    pool,
    log: services.log,
    kinds: analysedKinds,
    // One entry may stand for a thousand records of a file: the other readers do not wait for them.
    apart: true,
    read: (tx, psp, entries, small) => analyseEntries(context, tx, psp, entries, small),
  });
}

export interface AnalysisProgress {
  /** Number of journal entries; `read` is how many of them the analysis has processed. */
  readonly entries: number;
  readonly read: number;
  /** Entries that could not be analysed; they are tried again each hour. */
  readonly setAside: number;
  /** Whether every journalled record is analysed. */
  readonly complete: boolean;
}

/** Progress of the analysis in a PSP's journal; in all journals if `psp` is undefined. */
export async function analysisProgress(db: Database, psp: PspId | undefined): Promise<AnalysisProgress> {
  const [r] = await db.query<{ entries: number; read: number; behind: boolean }>(
    `WITH heads AS (
       SELECT h.psp_id, h.seq, coalesce(c.seq, 0) AS read FROM journal_heads h
       LEFT JOIN journal_cursors c ON c.psp_id = h.psp_id AND c.reader = $2 WHERE $1::uuid IS NULL OR h.psp_id = $1
     )
     SELECT coalesce(sum(seq), 0)::bigint AS entries, coalesce(sum(read), 0)::bigint AS read,
       EXISTS (SELECT 1 FROM heads h JOIN journal j ON j.psp_id = h.psp_id AND j.seq > h.read AND j.kind = ANY ($3)) AS behind
     FROM heads`,
    [psp ?? null, analysisName, [...analysedKinds]],
  );
  const setAside = await countSetAside(db, analysisName, psp === undefined ? undefined : [psp]);
  return {
    entries: r?.entries ?? 0,
    read: r?.read ?? 0,
    setAside,
    complete: r?.behind === false && setAside === 0,
  };
}

/**
 * Deletes a PSP's analyses, totals and closed months and moves the reader to the start of the journal. All are then
 * made again in the journal's order: the same rules and ranges give the same rows, including those of late records.
 */
export async function forgetAnalyses(db: Pick<Pool, 'transaction'>, psp: PspId): Promise<void> {
  await db.transaction(async (tx) => {
    // Waits for a process that is analysing, which locks the cursor until its commit.
    const [cursor] = await tx.query('SELECT seq FROM journal_cursors WHERE psp_id = $1 AND reader = $2 FOR UPDATE', [
      psp,
      analysisName,
    ]);
    if (!cursor) return;
    for (const table of ['cdr_totals', 'cdr_analyses', 'cdr_periods'])
      await tx.query(`DELETE FROM ${table} WHERE psp_id = $1`, [psp]);
    await forgetSetAside(tx, psp, analysisName);
    await tx.query('UPDATE journal_cursors SET seq = 0 WHERE psp_id = $1 AND reader = $2', [psp, analysisName]);
  });
}

/** PSPs in whose journals the analysis has read entries. */
export async function pspsWithRecords(db: Database): Promise<string[]> {
  const rows = await db.query<{ psp_id: string }>(
    'SELECT psp_id FROM journal_cursors WHERE reader = $1 AND seq > 0 ORDER BY psp_id',
    [analysisName],
  );
  return rows.map((r) => r.psp_id);
}
