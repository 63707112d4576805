// Statements about several PSPs, on a database that may keep each PSP's rows on another server.
import type { PspId } from '../core/ids.ts';
import type { Database } from './database.ts';

/**
 * The PSP to name in a statement about these keys, on a distributed database: null for several. It runs any statement
 * that names one PSP for each table, and refuses most of those that search step by step for several. One server gets null:
 * of a PSP whose rows are new it assumes to have few, and would read all of them in place of those asked for.
 */
export function onlyPsp(db: Pick<Database, 'distributed'>, keys: readonly { readonly psp: PspId }[]): PspId | null {
  const [first] = keys;
  return db.distributed && first && keys.every((k) => k.psp === first.psp) ? first.psp : null;
}

/** SQL: limits a column to the PSP given as this parameter by `onlyPsp`. */
export const ofOnly = (column: string, parameter: number): string =>
  `($${parameter}::uuid IS NULL OR ${column} = $${parameter})`;

/** Statements that run at once on a distributed database. */
const atOnce = 4;

/**
 * Runs a statement about several PSPs: once, or on a distributed database once for each PSP.
 * @param pspOf undefined for a key of none
 * @param run gets the only PSP of its keys, null for several, besides the keys
 */
export async function eachPsp<K, R>(
  db: Pick<Database, 'distributed'>,
  keys: readonly K[],
  pspOf: (key: K) => PspId | undefined,
  run: (of: readonly K[], psp: PspId | null) => Promise<Iterable<R>>,
): Promise<R[]> {
  const parts = db.distributed ? [...Map.groupBy(keys, pspOf).values()] : [keys];
  const runPart = (of: readonly K[]) => run(of, (db.distributed && pspOf(of[0] as K)) || null);
  const found: R[] = [];
  for (let i = 0; i < parts.length; i += atOnce)
    for (const rows of await Promise.all(parts.slice(i, i + atOnce).map(runPart))) found.push(...rows);
  return found;
}
