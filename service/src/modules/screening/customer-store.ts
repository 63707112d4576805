// All SQL on who paid of late, and with which sealed data. Reads only.
import type { AccountId, PspId } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';

type Reading = Pick<Database, 'query'>;

/** Keyed hashes of a PSP's persons after one, in order; those whose key was destroyed have nothing to read. */
export const personsAfter = async (db: Reading, psp: PspId, after: string, limit: number): Promise<string[]> =>
  (
    await db.query<{ subject: string }>(
      `SELECT subject FROM subject_keys
       WHERE psp_id = $1 AND subject > $2 AND key_sealed IS NOT NULL AND subject NOT LIKE 'account:%'
       ORDER BY subject LIMIT $3`,
      [psp, after, limit],
    )
  ).map((r) => r.subject);

export interface Payment {
  readonly subject: string;
  readonly kind: 'transaction' | 'wager' | 'payout';
  readonly id: string;
  readonly account: AccountId;
  readonly sealed: string;
}

/** Records of a person that are looked through for a name, which is optional. */
const mostLooked = 20;

// Sorted by text, so that each person's records are read by the index of persons and not all records in order.
const latestIn = (kind: Payment['kind']): string =>
  `(SELECT '${kind}' AS kind, id, account_id, sealed FROM ${kind}s
    WHERE psp_id = $1 AND subject = k.s AND sealed IS NOT NULL AND id >= uuid_floor($3::timestamptz)
    ORDER BY id::text DESC LIMIT ${mostLooked})`;

/** The last transactions, wagers and payouts of each person since a time, the newest first. */
export const latestPayments = (
  db: Reading,
  psp: PspId,
  subjects: readonly string[],
  since: string,
): Promise<Payment[]> =>
  db.query<Payment>(
    `SELECT k.s AS subject, r.kind, r.id, r.account_id AS account, r.sealed
     FROM unnest($2::text[]) AS k(s) CROSS JOIN LATERAL (
       SELECT * FROM (${(['transaction', 'wager', 'payout'] as const).map(latestIn).join(' UNION ALL ')}) l
       ORDER BY id::text DESC LIMIT ${mostLooked}) r
     ORDER BY k.s, r.id::text DESC`,
    [psp, subjects, since],
  );
