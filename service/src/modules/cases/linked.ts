// Which ids may be linked to a case: records and cases of the same PSP.
import { fromWire, type IdKind, type PspId } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';
import { findCdr } from '../telecom/index.ts';
import { findTransaction } from '../transactions/index.ts';
import { findPayout, findWager } from '../wagers/index.ts';
import { findCase } from './case-store.ts';

const finders: Readonly<Partial<Record<IdKind, (db: Database, psp: PspId, id: string) => Promise<unknown>>>> = {
  transaction: findTransaction,
  wager: findWager,
  payout: findPayout,
  cdr: findCdr,
  case: findCase,
};

/** @param wire any text of a caller */
export async function isLinkable(db: Database, psp: PspId, wire: string): Promise<boolean> {
  for (const [kind, find] of Object.entries(finders)) {
    const id = fromWire(kind as IdKind, wire);
    if (id !== undefined) return (await find(db, psp, id)) !== undefined;
  }
  return false;
}
