// The database as a report sees it: one moment, read only, and never more rows at once than fit in memory.

import { refuse, said, stored } from '../../core/refusal.ts';
import { mostRows, tooLarge } from '../../core/reports/check.ts';
import { type Database, type Row, transactionOn } from '../../platform/database.ts';
import { hasNoRoom, tookTooLong } from '../../platform/database-away.ts';

type Client = Parameters<typeof transactionOn>[0];

/** Timeout of one statement. */
const mostSeconds = 600;

/** Whether a statement limits its result itself. */
const limited = /\blimit\s+[^()]*$/i;

/** @param work receives the database to read; all its statements see the same moment */
export function inSnapshot<T>(client: Client, work: (db: Database) => Promise<T>): Promise<T> {
  return transactionOn(client, async (tx) => {
    await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    await tx.query(`SET LOCAL statement_timeout = '${mostSeconds}s'`);
    let failed: unknown;
    const result = await work({
      async query<R extends object = Row>(text: string, values: readonly unknown[] = []): Promise<R[]> {
        const rows = await tx
          .query<R>(limited.test(text) ? text : `${text}\nLIMIT ${mostRows + 1}`, values)
          .catch((e: unknown) => {
            failed = e;
            throw e;
          });
        if (rows.length > mostRows)
          throw refuse('LIMIT_REACHED', tooLarge(said`more than ${mostRows} rows of one kind`));
        return rows;
      },
    });
    // A failed statement fails the report, even if its error was caught.
    if (failed !== undefined) throw failed;
    return result;
  });
}

/** A sentence for the requester if the database cancelled the query, or no disk had room for what it needs meanwhile. */
export function snapshotProblem(e: unknown): string | undefined {
  if (tookTooLong(e))
    return stored`the report took longer than ${mostSeconds / 60} minutes in one step; ask for a shorter period or a single client`;
  return hasNoRoom(e)
    ? stored`the report could not be made: the disk of the database, or of the machine that makes reports, is full. Run it again once the operator has made room`
    : undefined;
}
