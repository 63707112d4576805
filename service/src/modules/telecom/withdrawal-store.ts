// All SQL on withdrawn call detail records, and the rows of a withdrawal. The record itself never changes.
import { type AccountId, type PspId, toWire } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';
import { cdrWithdrawals } from '../../records/cdr-withdrawals.ts';
import { type RecordOf, tableOf } from '../../records/table.ts';
import { type journalRow, row } from '../kernel/journal.ts';

const table = tableOf(cdrWithdrawals);
export type Withdrawal = RecordOf<typeof cdrWithdrawals>;

export async function withdrawalsOf(
  db: Database,
  psp: PspId,
  cdrs: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, Withdrawal>> {
  if (cdrs.length === 0) return new Map();
  const found = await table.read(db, 'WHERE psp_id = $1 AND id = ANY ($2::uuid[])', [psp, cdrs.map((c) => c.id)]);
  return new Map(found.map((w) => [w.id, w]));
}

/** As it is shown beside the record. */
export const withdrawalShown = (w: Withdrawal | undefined) =>
  w === undefined
    ? {}
    : {
        withdrawal: {
          withdrawnAt: w.createdAt,
          reason: w.reason,
          supersededBy: w.supersededBy === null ? null : toWire('cdr', w.supersededBy),
        },
      };

export interface Withdrawn {
  readonly id: string;
  /** The record in its place. */
  readonly supersededBy: string | null;
}

/** How an entry names them. */
export const withdrawnShown = (withdrawn: readonly Withdrawn[]) =>
  withdrawn.map((w) => ({
    cdrId: toWire('cdr', w.id),
    supersededBy: w.supersededBy === null ? null : toWire('cdr', w.supersededBy),
  }));

/** @param entry says what was withdrawn, and will have the digest of each row */
export const withdrawalRows = (
  entry: ReturnType<typeof journalRow>,
  at: string,
  { psp, account }: { readonly psp: PspId; readonly account: AccountId },
  reason: string,
  withdrawn: readonly Withdrawn[],
) =>
  withdrawn.map((w) =>
    row('cdr_withdrawals', {
      psp_id: psp,
      id: w.id,
      account_id: account,
      entry_id: entry[1].id as string,
      superseded_by: w.supersededBy,
      reason,
      created_at: at,
    }),
  );
