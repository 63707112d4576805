// Warns about missing files by the sequence numbers in file names, while the sender can still send them.

import type { Finding } from '../../../core/cdr/file-findings.ts';
import { readFileName, readSequence } from '../../../core/cdr/file-names.ts';
import { stored } from '../../../core/said.ts';
import type { Database } from '../../../platform/database.ts';
import type { CdrFile } from './file-store.ts';

/** Earlier files of the account that are checked: some days at one file every quarter of an hour. */
const lookBack = 500;

/** Returns a warning if the numbers right before the file's are missing. Files taken with it count as present. */
export async function missingBefore(db: Database, file: CdrFile): Promise<Finding[]> {
  if (!readFileName(file.name)) return [];
  const files = await db.query<{ id: string; name: string; [column: string]: unknown }>(
    `SELECT id, name FROM cdr_files WHERE psp_id = $1 AND account_id = $2 AND state NOT IN ('REJECTED', 'DUPLICATE_FILE')
     ORDER BY id DESC LIMIT ${lookBack}`,
    [file.psp, file.account],
  );
  return readSequence(files)
    .gaps.filter((g) => g.before.id === file.id)
    .map(({ operator, from, to }) => ({
      line: 0,
      code: 'SEQUENCE_GAP',
      severity: 'warning',
      message:
        from === to
          ? stored`the file of ${operator} with the number ${from} is missing before this one`
          : stored`files of ${operator} with the numbers ${from} to ${to} are missing before this one`,
    }));
}
