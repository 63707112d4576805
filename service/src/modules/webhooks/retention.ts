// Removes delivered events after their retention time, with every attempt. The journal keeps what happened: a replay
// creates an event from it again.
import type { PspId } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';
import { lockReplays } from './replay-store.ts';

/** Events checked per transaction. */
const stretch = 200;

export interface Transactions extends Database {
  transaction<T>(work: (tx: Database) => Promise<T>): Promise<T>;
}

const ended = `('delivered', 'exhausted', 'cancelled')`;

/**
 * Removes a PSP's events that happened before a moment and whose deliveries all ended before it, in small steps. Events
 * with waiting, held or claimed deliveries stay complete.
 * @param before ISO 8601
 * @returns number of events
 */
export async function removePublished(db: Transactions, psp: PspId, before: string): Promise<number> {
  let removed = 0;
  for (let after: string | undefined; ; ) {
    const step = await db.transaction(async (tx) => {
      // A replay adds deliveries to existing events, so nothing of the PSP is removed while one is running.
      if (!(await lockReplays(tx, psp))) return undefined;
      return removeStep(tx, psp, after, before);
    });
    if (!step) return removed;
    removed += step.removed;
    if (step.last === undefined) return removed;
    after = step.last;
  }
}

async function removeStep(tx: Database, psp: PspId, after: string | undefined, before: string) {
  const events = await tx.query<{ id: string }>(
    `SELECT id FROM webhook_events
     WHERE psp_id = $1 AND ($2::uuid IS NULL OR id > $2) AND id < uuid_floor($3) ORDER BY id LIMIT ${stretch}`,
    [psp, after, before],
  );
  const ids = events.map((r) => r.id);
  // Locked, so that none of them is requested again meanwhile.
  const deliveries = await tx.query<{ id: string; event_id: string; over: boolean }>(
    `SELECT id, event_id, state IN ${ended} AND coalesce(finished_at, created_at) < $3 AS over
     FROM webhook_deliveries WHERE psp_id = $1 AND event_id = ANY ($2::uuid[]) ORDER BY id FOR UPDATE`,
    [psp, ids, before],
  );
  const kept = new Set(deliveries.filter((d) => !d.over).map((d) => d.event_id));
  const gone = ids.filter((id) => !kept.has(id));
  const over = deliveries.filter((d) => !kept.has(d.event_id)).map((d) => d.id);
  for (const [table, column, list] of [
    ['webhook_attempts', 'delivery_id', over],
    ['webhook_deliveries', 'id', over],
    ['webhook_events', 'id', gone],
  ] as const)
    if (list.length > 0)
      await tx.query(`DELETE FROM ${table} WHERE psp_id = $1 AND ${column} = ANY ($2::uuid[])`, [psp, list]);
  return { removed: gone.length, last: ids.length < stretch ? undefined : ids.at(-1) };
}
