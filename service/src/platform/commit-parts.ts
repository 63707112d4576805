// How facts are loaded and commits sent where each PSP's rows may lie on a server of their own: facts PSP by PSP, commits
// to the servers that have the rows, and PSP by PSP through the coordinator where such a server cannot commit by itself.
import type { PspId } from '../core/ids.ts';
import type { BoundForm } from './batch-parameters.ts';
import type { FactLoader, Writes } from './command.ts';
import type { Database, Pool } from './database.ts';
import { eachPsp } from './each-psp.ts';
import type { Place, Places } from './places.ts';

/** Where commits go. */
export interface Commits {
  /** Of a distributed database each PSP's part of a batch is a commit of its own. */
  readonly pool: Pick<Pool, 'query' | 'committing' | 'transaction'> & Pick<Database, 'distributed'>;
  readonly form: BoundForm;
  /** Only of a distributed database. */
  readonly places?: Pick<Places, 'find'> | undefined;
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

interface Decided {
  readonly writes: Writes;
  readonly place?: Place;
}

/**
 * What is committed apart: what the server of a place can commit by itself, by places; the rest by PSP, through the
 * coordinator. What is of several PSPs is a commit by itself.
 */
export async function inParts<D extends Decided>(
  { form, places }: Commits,
  decided: readonly D[],
): Promise<(D & Decided)[][]> {
  const psps = decided.map((d) => (form.lieWithPsp(d.writes) ? form.pspOf(d.writes) : undefined));
  const known = await places?.find(new Set(psps.filter((psp) => psp !== undefined)));
  const placed = decided.map((d, i): D & Decided => {
    const place = known?.get(psps[i] as PspId);
    return place === undefined ? d : { ...d, place };
  });
  return [...Map.groupBy(placed, (d) => d.place ?? form.pspOf(d.writes) ?? d).values()];
}

/**
 * The commit of a part: with one call, or where it is of several PSPs and they are apart with all calls in one transaction.
 * @throws if a row cannot be encoded; what is returned then sends it
 */
export function commitOf(c: Commits, decided: readonly Decided[]): () => Promise<readonly number[]> {
  const { pool, form } = c;
  const writes = decided.map((d) => d.writes);
  const place = decided[0]?.place;
  if (place) return place.commitOf(writes);
  const call = form.call(writes);
  if (pool.distributed && writes.some((w) => form.pspOf(w) === undefined)) return () => inTransaction(c, writes);
  return async () => {
    const [r] = await pool.committing<{ failed: number[] }>(call.name, call.text, call.values);
    return r?.failed ?? [];
  };
}

async function inTransaction(c: Commits, writes: readonly Writes[]): Promise<readonly number[]> {
  let failed: readonly number[] = [];
  try {
    await c.pool.transaction(async (tx) => {
      failed = await callIn(tx, c, writes);
      if (failed.length > 0) throw new Error('an expectation failed, so no part is committed');
    });
  } catch (e) {
    if (failed.length === 0) throw e;
  }
  return failed;
}
