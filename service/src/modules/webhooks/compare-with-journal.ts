// Compares stored events with the journal: what receivers are sent, signed, is what the entries say, to the byte. Those that
// were removed after their time are not missed.

import type { SealedEntry } from '../../core/audit/receipt.ts';
import { type EventKind, eventKinds, isForPspAlone } from '../../core/events.ts';
import type { PspId } from '../../core/ids.ts';
import { announcement, isAnnounced } from '../../core/webhooks/announcement.ts';
import { announcedSchemas } from '../../entries/index.ts';
import type { Database } from '../../platform/database.ts';
import { archivedThrough } from '../kernel/archived.ts';
import type { WebhookEvent } from './delivery-store.ts';
import { testType } from './redeliver.ts';

export interface EventFinding {
  readonly table: 'webhook_events';
  readonly id: string;
  readonly seq?: number;
  readonly what: string;
}

/** Events of these entries that announce something else. */
export async function compareEvents(
  db: Database,
  psp: PspId,
  entries: readonly SealedEntry[],
): Promise<EventFinding[]> {
  const stored = await db.query<Omit<WebhookEvent, 'psp'>>(
    `SELECT id, account_id AS account, type, seq, body, created_at AS "createdAt" FROM webhook_events
     WHERE psp_id = $1 AND id = ANY ($2::uuid[])`,
    [psp, entries.map((e) => e.id)],
  );
  const byId = new Map(entries.map((e) => [e.id, e]));
  return stored.flatMap((event): EventFinding[] => {
    const entry = byId.get(event.id) as SealedEntry;
    if (isAsJournaled(psp, event, entry)) return [];
    const what = 'what its receivers are sent is not what the journal says';
    return [{ table: 'webhook_events', id: event.id, seq: entry.seq, what }];
  });
}

function isAsJournaled(psp: PspId, event: Omit<WebhookEvent, 'psp'>, e: SealedEntry): boolean {
  if (eventKinds[e.kind as EventKind] == null || !isAnnounced(e.body)) return false;
  const { body, timestamp } = announcement(e.body, announcedSchemas);
  return (
    event.body === body &&
    event.type === e.kind &&
    (event.seq ?? e.seq) === e.seq &&
    event.account === (isForPspAlone(e.kind) ? psp : e.account) &&
    Date.parse(event.createdAt) === Date.parse(timestamp)
  );
}

/** Events that no entry tells of, at most ten. Tests of an address, which say that they are one, are in no entry of their own. */
export async function eventsWithoutEntry(db: Database, psp: PspId): Promise<EventFinding[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT id FROM webhook_events e WHERE psp_id = $1 AND coalesce(seq > $3, true)
       AND NOT (type = $2 AND body ~ ('^\\{"id":"[^"]*","type":"' || $2 || '","event":"' || $2 || '",'))
       AND NOT EXISTS (SELECT FROM journal j WHERE j.psp_id = $1 AND j.seq = e.seq AND j.id = e.id)
       AND (e.seq IS NOT NULL OR NOT EXISTS (SELECT FROM journal j WHERE j.psp_id = $1 AND j.id = e.id)) LIMIT 10`,
    [psp, testType, await archivedThrough(db, psp)],
  );
  return rows.map(({ id }) => ({ table: 'webhook_events', id, what: 'the journal has no entry that it announces' }));
}
