// The journal reader that creates deliveries: for every published entry, one event and one delivery per subscribed
// address, in the transaction that moves the cursor. Nothing is duplicated or left out.
import { type EventKind, eventKinds, isForPspAlone } from '../../core/events.ts';
import type { PspId } from '../../core/ids.ts';
import { announcement, isAnnounced } from '../../core/webhooks/announcement.ts';
import { announcedSchemas } from '../../entries/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { ofOnly, onlyPsp } from '../../platform/each-psp.ts';
import type { Journal, JournalEntry } from '../../platform/journal-entries.ts';
import type { IdMaker } from '../../platform/random.ts';
import { insertDeliveries, insertEvents, type NewDelivery, type WebhookEvent } from './delivery-store.ts';
import { type Webhook, webhooksOf } from './webhook-store.ts';

/** The reader's name, under which its cursors are stored. */
export const fanOutName = 'webhooks';

/** The PSPs without subscriptions: a later subscriber receives later entries only. */
export async function withoutSubscribers(tx: Database, psps: readonly PspId[]): Promise<PspId[]> {
  const keys = psps.map((psp) => ({ psp }));
  const rows = await tx.query<{ psp_id: string }>(
    `SELECT p.psp_id FROM unnest($1::uuid[]) AS p(psp_id)
     WHERE NOT EXISTS (SELECT 1 FROM webhooks w WHERE w.psp_id = p.psp_id AND ${ofOnly('w.psp_id', 2)} AND w.state <> 'DELETED')`,
    [psps, onlyPsp(tx, keys)],
  );
  return rows.map((r) => r.psp_id);
}

export async function fanOut(tx: Database, journals: readonly Journal[], ids: IdMaker, clock: Clock): Promise<void> {
  const announced = journals.flatMap((j) =>
    j.entries.filter((e) => eventKinds[e.kind as EventKind] != null && isAnnounced(e.body)),
  );
  if (announced.length === 0) return;
  const keys = announced.flatMap(({ psp, account }) => [
    { psp, account },
    { psp, account: psp },
  ]);
  const hooks = await webhooksOf.load(tx, [...new Map(keys.map((k) => [webhooksOf.text(k), k])).values()]);
  const at = new Date(clock()).toISOString();
  const events: WebhookEvent[] = [];
  const deliveries: NewDelivery[] = [];
  for (const e of announced) {
    // The client the entry is about, and its PSP, which receives the events of all its clients.
    const { psp } = e;
    const account = isForPspAlone(e.kind) ? psp : e.account;
    const addresses = [...new Set([account, psp])]
      .flatMap((account) => hooks.get(webhooksOf.text({ psp, account })) ?? [])
      .filter((w) => hears(w, e));
    if (addresses.length === 0) continue;
    const { body, timestamp } = announcement(e.body, announcedSchemas);
    events.push({ psp, id: e.id, account, type: e.kind, seq: e.seq, body, createdAt: timestamp });
    for (const w of addresses)
      deliveries.push({
        psp,
        id: ids.next(),
        webhook: w.id,
        event: e.id,
        state: w.state === 'ACTIVE' ? 'pending' : 'held',
        createdAt: at,
      });
  }
  if (events.length === 0) return;
  await insertEvents(tx, events);
  await insertDeliveries(tx, deliveries);
}

/**
 * Ids begin with their creation time: a subscription receives what was written after it, as exactly as the clocks of
 * several processes agree. Its own creation is the first event it receives.
 */
const hears = (w: Webhook, e: JournalEntry): boolean =>
  w.id < e.id && (w.eventTypes === null || w.eventTypes.includes(e.kind));
