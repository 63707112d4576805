// Reads rows page by page, each page after the last row of the one before; requests are answered in between.
import { setImmediate as pause } from 'node:timers/promises';

/**
 * @param size rows of a page
 * @param keyOf what the next page begins after
 * @param read gets null for the first page
 */
export async function* allPages<R, K>(
  size: number,
  keyOf: (row: R) => K,
  read: (after: K | null, limit: number) => Promise<readonly R[]>,
): AsyncGenerator<readonly R[]> {
  for (let after: K | null = null; ; ) {
    const rows = await read(after, size);
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    after = keyOf(rows.at(-1) as R);
    await pause();
  }
}
