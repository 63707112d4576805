// The call detail files in progress and the rejected lines that wait for a person.
import type { PspId } from '../../../core/ids.ts';
import type { Database } from '../../../platform/database.ts';
import { type Waits, waitsIn } from '../../kernel/waits.ts';

/** @param account counts only the files of this account */
export const cdrWaits = (db: Database, psps: readonly PspId[], account: string | undefined): Promise<Waits[]> =>
  db.query(
    [
      waitsIn('cdrFilesInWork', 'cdr_files w', "w.state IN ('QUEUED', 'PROCESSING')"),
      waitsIn('cdrLinesInSuspense', 'cdr_suspense w', "w.state = 'OPEN'"),
    ].join(' UNION ALL '),
    [psps, account],
  );
