// Withdraws the records of a call detail file, one portion a commit with its journal entry. What is withdrawn already is
// passed over, so that a repeat changes nothing and a run that was cut off is run again.
import { toWire } from '../../../core/ids.ts';
import type { Database } from '../../../platform/database.ts';
import { about, journalRow } from '../../kernel/journal.ts';
import type { Needs, Principal } from '../../kernel/needs.ts';
import { recordIn } from '../../kernel/record-in.ts';
import { withdrawalRows, withdrawalsOf, withdrawnShown } from '../withdrawal-store.ts';
import { type CdrFile, fileChange, lockFile } from './file-store.ts';
import { sharedDigits } from './portion-hash.ts';
import { nextPortion } from './portion-of.ts';

export interface WithdrawnPortion {
  readonly withdrawn: number;
  /** The portion's entry; undefined after the last one. */
  readonly next: number | undefined;
}

interface Standing {
  readonly id: string;
  readonly cdrId: string;
  readonly revision: number;
}

/** @param after `next` of the call before, 0 at first @param now milliseconds since the epoch */
export function withdrawPortion(
  s: Needs<'ids' | 'db' | 'committer'>,
  principal: Principal,
  file: CdrFile,
  reason: string,
  after: number,
  now: number,
): Promise<WithdrawnPortion> {
  const at = new Date(now).toISOString();
  return s.db.transaction(async (tx) => {
    const portion = await nextPortion(tx, file, after);
    if (portion === undefined) return { withdrawn: 0, next: undefined };
    const standing = await lockStanding(tx, file, portion);
    const done = { withdrawn: standing.length, next: portion.seq };
    if (standing.length === 0) return done;
    const { psp, account } = file;
    const before = await lockFile(tx, file);
    const tally = { ...before.tally, withdrawn: (before.tally.withdrawn ?? 0) + standing.length };
    const changed = { ...before, tally, version: before.version + 1 };
    const withdrawn = standing.map(({ id }) => ({ id, supersededBy: null }));
    const entry = journalRow(s, principal, at, {
      kind: 'cdr.lines_withdrawn',
      ...about(changed),
      data: { fileId: toWire('cdrFile', file.id), reason, records: withdrawnShown(withdrawn) },
    });
    await recordIn(tx, s, {
      refsHeld: standing.map(({ cdrId, revision }) => ({ psp, account, space: 'cdr', ref: cdrId, revision })),
      rows: [...withdrawalRows(entry, at, file, reason, withdrawn), fileChange(changed), entry],
    });
    return done;
  });
}

/** The records of a portion that are in force, with their refs locked until the transaction ends. */
async function lockStanding(
  tx: Database,
  { psp, account }: CdrFile,
  { first, last, at }: NonNullable<Awaited<ReturnType<typeof nextPortion>>>,
): Promise<Standing[]> {
  const held = await tx.query<Standing>(
    `SELECT c.id, c.cdr_id AS "cdrId", r.revision FROM cdrs c
     JOIN refs r ON r.psp_id = c.psp_id AND r.space = 'cdr' AND r.ref = c.cdr_id AND r.account_id = c.account_id
       AND r.target_id = c.id
     WHERE c.psp_id = $1 AND c.account_id = $2 AND c.id BETWEEN $3 AND $4 AND c.created_at = $5
       AND right(c.id::text, ${sharedDigits}) = right($3::text, ${sharedDigits})
     ORDER BY r.ref FOR UPDATE OF r`,
    [psp, account, first, last, at],
  );
  // Asked once the refs are held: what another withdrew while this one waited for them is not seen by the statement that waited.
  const withdrawn = await withdrawalsOf(tx, psp, held);
  return held.filter(({ id }) => !withdrawn.has(id));
}
