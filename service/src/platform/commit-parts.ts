// How facts are loaded and commits sent where each PSP's rows may lie on a server of their own: PSP by PSP.
import type { PspId } from '../core/ids.ts';
import type { BoundForm, Call } from './batch-parameters.ts';
import type { FactLoader, Writes } from './command.ts';
import type { Database, Pool } from './database.ts';
import { eachPsp } from './each-psp.ts';

/** Where commits go. */
export interface Commits {
  /** Of a distributed database each PSP's part of a batch is a commit of its own. */
  readonly pool: Pick<Pool, 'query' | 'committing' | 'transaction'> & Pick<Database, 'distributed'>;
  readonly form: BoundForm;
}

/** The PSP whose rows hold a fact; undefined for a fact of none. */
const pspOf = (key: unknown): PspId | undefined => (key as { readonly psp?: PspId }).psp;

/** Facts by the text of their keys. */
export async function loadFacts<V>(
  { pool }: Commits,
  loader: FactLoader<unknown, V>,
  keys: readonly unknown[],
): Promise<ReadonlyMap<string, V>> {
  if (!pool.distributed) return loader.load(pool, keys);
  return new Map(await eachPsp(pool, keys, pspOf, (part) => loader.load(pool, part)));
}

/**
 * Calls the commit function in a transaction.
 * @returns the numbers of the writes left out because an expectation failed; the caller commits nothing if there are any
 * and the writes are of several PSPs
 */
export async function callIn(
  tx: Database,
  { pool, form }: Commits,
  writes: readonly Writes[],
): Promise<readonly number[]> {
  // One after the other, as they are locked in this order.
  for (const part of pool.distributed ? form.partsOf(writes) : [writes]) {
    const { text, values } = form.call(part);
    const [r] = await tx.query<{ failed: number[] }>(text, values);
    if (r && r.failed.length > 0) return r.failed;
  }
  return [];
}

/** Commits writes: with one call, or where they are of several PSPs and apart with all calls in one transaction. */
export async function sendCommit(c: Commits, call: Call, writes: readonly Writes[]): Promise<readonly number[]> {
  const { pool, form } = c;
  if (!pool.distributed || writes.every((w) => form.pspOf(w) !== undefined)) {
    const [r] = await pool.committing<{ failed: number[] }>(call.name, call.text, call.values);
    return r?.failed ?? [];
  }
  let failed: readonly number[] = [];
  try {
    await pool.transaction(async (tx) => {
      failed = await callIn(tx, c, writes);
      if (failed.length > 0) throw new Error('an expectation failed, so no part is committed');
    });
  } catch (e) {
    if (failed.length === 0) throw e;
  }
  return failed;
}
