// A journal entry of work that does not go through the committer because it is many thousand rows long: numbered and
// locked as commit_batch does it, in the transaction of the rows.
import type { Database } from '../../platform/database.ts';
import { type RecordedTable, storedDigest, vouch } from '../../platform/row-digests.ts';
import { type Entry, journalRow } from './journal.ts';
import type { Principal, Services } from './services.ts';

/**
 * Last in its transaction: the PSP's other writers wait from here until the commit.
 * @param written rows of the transaction that the entry vouches for, by table and id
 */
export async function appendJournal(
  tx: Database,
  s: Services,
  principal: Principal,
  at: string,
  entry: Entry,
  written: readonly { readonly table: RecordedTable; readonly id: string }[] = [],
): Promise<void> {
  const [, plain] = journalRow(s, principal, at, entry);
  const digests = await Promise.all(written.map(({ table, id }) => storedDigest(tx, entry.psp, table, id)));
  const [r] = vouch([plain], digests) as [typeof plain];
  await tx.query(
    `WITH head AS (
       INSERT INTO journal_heads AS h (psp_id, seq) VALUES ($1, 1)
       ON CONFLICT (psp_id) DO UPDATE SET seq = h.seq + 1 RETURNING h.seq
     )
     INSERT INTO journal (psp_id, seq, id, kind, account_id, resource_id, body)
     SELECT $1, head.seq, $2, $3, $4, $5, $6 FROM head`,
    [r.psp_id, r.id, r.kind, r.account_id, r.resource_id, r.body],
  );
}
