// Measures from outside the service how far the journal readers are behind: in entries, and in seconds since the entry
// that they read last was the newest.
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from '../service/src/platform/database.ts';

/** Positions at one moment, over all PSPs: of the newest entry, and of each reader. */
interface Moment {
  readonly atMs: number;
  readonly head: number;
  readonly cursors: ReadonlyMap<string, number>;
}

export interface Behind {
  entries: number;
  seconds: number;
}

const everyMs = 100;

async function look(pool: Pool): Promise<Moment> {
  const rows = await pool.query(
    `SELECT r.reader, sum(h.seq)::bigint AS head, sum(coalesce(c.seq, 0))::bigint AS seq
     FROM (SELECT DISTINCT reader FROM journal_cursors) r CROSS JOIN journal_heads h
     LEFT JOIN journal_cursors c ON c.psp_id = h.psp_id AND c.reader = r.reader GROUP BY r.reader`,
  );
  return {
    atMs: performance.now(),
    head: Number(rows[0]?.head ?? 0),
    cursors: new Map(rows.map((r) => [r.reader as string, Number(r.seq)])),
  };
}

/**
 * Waits until every reader except those in `without` has read everything. @returns the time it took, in milliseconds
 */
export async function caughtUp(pool: Pool, without: readonly string[] = [], withinMs = 900_000): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const { head, cursors } = await look(pool);
    if (cursors.size > 0 && [...cursors].every(([reader, seq]) => seq >= head || without.includes(reader)))
      return performance.now() - begun;
    if (performance.now() - begun > withinMs)
      throw new Error(`the journal's readers have not caught up within ${withinMs / 1000} s`);
    await pause(everyMs);
  }
}

/** Watches the readers. @returns a function that stops watching and returns how far each was behind at most */
export function watchReaders(pool: Pool): () => Promise<ReadonlyMap<string, Behind>> {
  const furthest = new Map<string, Behind>();
  const heads: Moment[] = [];
  let watching = true;
  const watched = (async () => {
    while (watching) {
      const now = await look(pool);
      heads.push(now);
      for (const [reader, seq] of now.cursors) {
        const f = furthest.get(reader) ?? { entries: 0, seconds: 0 };
        furthest.set(reader, f);
        f.entries = Math.max(f.entries, now.head - seq);
        // The last moment whose entries have all been read by now.
        const read = heads.findLast((m) => m.head <= seq);
        if (read) f.seconds = Math.max(f.seconds, (now.atMs - read.atMs) / 1000);
      }
      await pause(everyMs);
    }
  })();
  return async () => {
    watching = false;
    await watched;
    return furthest;
  };
}
