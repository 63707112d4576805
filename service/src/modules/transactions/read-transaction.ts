// A transaction as its operations show it, with the parts that `expand` names.
import { fromWire } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import { reaches } from '../kernel/asked.ts';
import type { HasDecliner } from '../kernel/decliner.ts';
import type { Call, Needs } from '../kernel/operation.ts';
import type { HasRateKeeper } from '../rates/index.ts';
import { describeTransaction, expandQuery, transactionParts } from './describe.ts';
import { findTransaction } from './transaction-store.ts';

export type Uses = Needs<'db' | 'subjects' | 'vault'> & HasRateKeeper & HasDecliner;

export const expand = expandQuery(transactionParts);

export async function read(s: Uses, call: Call, id: string | undefined, parts: string | undefined) {
  const { principal } = call;
  const uuid = id === undefined ? undefined : fromWire('transaction', id);
  const t = uuid && (await findTransaction(s.db, principal.psp, uuid));
  // The same answer if it is unknown or another account's.
  if (!t || !reaches(call, t.account)) throw notFound();
  return { message: 'transaction found', content: await describeTransaction(s, t, parts, principal.kind !== 'client') };
}
