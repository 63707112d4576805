// How far the journal's readers are behind, seen from outside the service: in entries, and in seconds since what they
// read last was the newest.
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from '../service/src/platform/database.ts';

/** The numbers of one moment: the newest entry's and those the readers have reached, over all PSPs. */
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

/** Resolves when every reader but those left out has read all there is. @returns how long that took, in milliseconds */
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

/** Watches until told to stop. @returns the furthest each reader was behind */
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
        // The last moment at which everything that existed is read by now.
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
