// All SQL on holds of wallets, and the facts that decisions read of them.
import type { PspId } from '../../core/ids.ts';
import type { WalletHold } from '../../core/wallets/wallet-hold.ts';
import type { FactLoader } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { ofOnly, onlyPsp } from '../../platform/each-psp.ts';
import { type Prefixed, tableOf } from '../../records/table.ts';
import { walletHolds } from '../../records/wallet-holds.ts';
import { recordById } from '../kernel/facts.ts';
import { row } from '../kernel/journal.ts';
import type { ListFilter } from '../kernel/list-filter.ts';

const table = tableOf(walletHolds, { case_id: 'caseId' });

export const walletHoldRow = (h: WalletHold) => row('wallet_holds', table.toRow(h));

/** A wallet of a PSP, by keyed hash. */
export interface WalletKey {
  readonly psp: PspId;
  readonly wallet: string;
}

export interface HoldsOfWallet {
  /** Includes those that ended. */
  readonly holds: readonly WalletHold[];
  /** The PSP's number of erasures and of changes to holds, read at the same moment. */
  readonly epoch: number;
}

const keyText = (k: WalletKey) => `${k.psp}|${k.wallet}`;

export const holdsOfWallet: FactLoader<WalletKey, HoldsOfWallet> = {
  name: 'wallet-holds',
  text: keyText,
  async load(db, keys) {
    // One statement, so that all of it is of the same moment.
    const rows = await db.query<WalletKey & { epoch: number } & Partial<Prefixed<typeof walletHolds, 'h_'>>>(
      `SELECT k.p AS psp, k.w AS wallet, coalesce(e.epoch, 0) AS epoch, ${table.columns('h', 'h_')}
       FROM unnest($1::uuid[], $2::text[]) AS k(p, w)
       LEFT JOIN subject_epochs e ON e.psp_id = k.p AND ${ofOnly('e.psp_id', 3)}
       LEFT JOIN wallet_holds h ON h.psp_id = k.p AND h.wallet = k.w AND ${ofOnly('h.psp_id', 3)}`,
      [keys.map((k) => k.psp), keys.map((k) => k.wallet), onlyPsp(db, keys)],
    );
    const found = new Map<string, { holds: WalletHold[]; epoch: number }>();
    for (const r of rows) {
      const of = found.get(keyText(r)) ?? { holds: [], epoch: r.epoch };
      if (r.h_id) of.holds.push(table.fromPrefixed('h_', r as Prefixed<typeof walletHolds, 'h_'>));
      found.set(keyText(r), of);
    }
    return found;
  },
};

export const findWalletHold = (db: Pick<Database, 'query'>, psp: PspId, id: string): Promise<WalletHold | undefined> =>
  table.find(db, 'WHERE psp_id = $1 AND id = $2', [psp, id]);

export const walletHoldOf = recordById('wallet-hold', walletHolds, table);

/**
 * @param f.account only of wallets that this account's payments name
 * @param f.at only those in force at this moment, ISO UTC
 */
export const listHolds = (
  db: Pick<Database, 'query'>,
  f: ListFilter<'wallet' | 'caseId' | 'at'>,
): Promise<WalletHold[]> =>
  table.read(
    db,
    `WHERE psp_id = $1 AND ($2::text IS NULL OR wallet = $2) AND ($3::uuid IS NULL OR case_id = $3)
       AND ($4::timestamptz IS NULL OR until_at IS NULL OR until_at > $4) AND ($5::uuid IS NULL OR id < $5)
       AND ($7::uuid IS NULL OR EXISTS (SELECT FROM lookups l WHERE l.psp_id = $1 AND l.kind = 'wallet'
         AND l.hash = wallet_holds.wallet AND l.account_id = $7))
     ORDER BY id DESC LIMIT $6`,
    [f.psp, f.wallet, f.caseId, f.at, f.before, f.limit, f.account],
  );
