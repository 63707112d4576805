// Check C5 for events: each entry journalled since an address was subscribed has one event and one delivery to it; what
// the service calls delivered has reached the receiver, and the rest is listed as open or failed; and the bytes of an
// event are always the same. Runs after the webhooks' reader has read the whole journal.
import { type EventKind, eventKinds } from '../../../src/core/events.ts';
import { fromWire } from '../../../src/core/ids.ts';
import type { Database } from '../../../src/platform/database.ts';
import type { Received } from '../../support/receivers.ts';
import type { Violation } from './finding.ts';

/** The requests that reached one address. */
export interface Heard {
  readonly url: string;
  readonly received: readonly Received[];
}

export async function checkDeliveries(db: Database, heard: readonly Heard[]): Promise<Violation[]> {
  const out: Violation[] = [];
  const say = (what: string, effect?: Violation['effect']) =>
    out.push({ check: 'C5', what, ...(effect ? { effect } : {}) });
  const hooks = await db.query('SELECT id, psp_id, account_id, url FROM webhooks');
  const entries = await db.query('SELECT psp_id, id, kind, account_id FROM journal ORDER BY psp_id, seq');
  const deliveries = await db.query('SELECT webhook_id, event_id, state FROM webhook_deliveries');
  const bodies = new Map(
    (await db.query('SELECT id, body FROM webhook_events')).map((e) => [e.id as string, e.body as string]),
  );
  const byHook = Map.groupBy(deliveries, (d) => d.webhook_id as string);
  for (const w of hooks) {
    // A subscription receives what is journalled after it; a PSP's one also what concerns its clients.
    const due = entries.filter(
      (e) =>
        e.psp_id === w.psp_id &&
        (w.account_id === w.psp_id || e.account_id === w.account_id) &&
        (e.id as string) > (w.id as string) &&
        eventKinds[e.kind as EventKind] != null,
    );
    const told = Map.groupBy(byHook.get(w.id as string) ?? [], (d) => d.event_id as string);
    const at = heard.find((h) => h.url === w.url);
    const arrived = Map.groupBy(at?.received ?? [], (r) => fromWire('event', r.headers['webhook-id'] as string) ?? '');
    for (const e of due) {
      const [delivery, ...more] = told.get(e.id as string) ?? [];
      if (!delivery) say(`${e.kind} ${e.id} was not announced to ${w.url}`, 'lost');
      if (more.length > 0) say(`${e.kind} ${e.id} has ${more.length + 1} deliveries to ${w.url}`, 'doubled');
      if (delivery?.state === 'delivered' && at && !arrived.has(e.id as string))
        say(`${e.kind} ${e.id} is said to be delivered to ${w.url} and never reached it`, 'lost');
      told.delete(e.id as string);
    }
    for (const event of told.keys()) say(`${event} was announced to ${w.url}, which does not hear of it`);
    for (const [event, copies] of arrived) {
      const body = bodies.get(event);
      // Warnings about the address itself are sent too; they have no journal entries.
      if (body === undefined) say(`${w.url} received ${event || 'something without an id'}, which nobody announced`);
      else if (copies.some((c) => c.body !== body)) say(`${event} reached ${w.url} as other bytes than were announced`);
    }
  }
  return out;
}
