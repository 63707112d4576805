// All SQL that changes events and deliveries, including owners' requests to hold or repeat them. Claims and results of
// attempts: attempt-store.ts.
import type { PspId } from '../../core/ids.ts';
import { type Database, valuesOf } from '../../platform/database.ts';
import type { Webhook } from './webhook-store.ts';

export interface WebhookEvent {
  readonly psp: PspId;
  readonly id: string;
  /** The account the event is about. */
  readonly account: string;
  readonly type: string;
  /** Number in the PSP's journal; null for a test. */
  readonly seq: number | null;
  readonly body: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

export interface NewDelivery {
  readonly psp: PspId;
  readonly id: string;
  readonly webhook: string;
  readonly event: string;
  /** Held if the address is paused or disabled. */
  readonly state: 'pending' | 'held';
  /** ISO 8601; a pending delivery is due from then on. */
  readonly createdAt: string;
}

export async function insertEvents(db: Database, events: readonly WebhookEvent[]): Promise<void> {
  await db.query(
    `INSERT INTO webhook_events (psp_id, id, account_id, type, seq, body, created_at)
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::bigint[], $6::text[], $7::timestamptz[])`,
    valuesOf(events, 'psp', 'id', 'account', 'type', 'seq', 'body', 'createdAt'),
  );
}

export async function insertDeliveries(db: Database, deliveries: readonly NewDelivery[]): Promise<void> {
  await db.query(
    `INSERT INTO webhook_deliveries (psp_id, id, webhook_id, event_id, state, attempts, next_at, created_at)
     SELECT psp_id, id, webhook_id, event_id, state, 0, CASE WHEN state = 'pending' THEN at END, at
     FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::timestamptz[])
       AS d(psp_id, id, webhook_id, event_id, state, at)`,
    valuesOf(deliveries, 'psp', 'id', 'webhook', 'event', 'state', 'createdAt'),
  );
}

/** Holds what waits for an address. What is in flight continues, and is held if it fails. */
export async function holdDeliveries(db: Database, psp: PspId, webhook: string): Promise<void> {
  await db.query(
    `UPDATE webhook_deliveries SET state = 'held', next_at = NULL
     WHERE psp_id = $1 AND webhook_id = $2 AND state IN ('pending', 'retrying')`,
    [psp, webhook],
  );
}

/** Cancels what waits or is held for an address. What is in flight continues, and is cancelled if it fails. */
export async function cancelDeliveries(db: Database, psp: PspId, webhook: string, now: number): Promise<void> {
  await db.query(
    `UPDATE webhook_deliveries SET state = 'cancelled', next_at = NULL, finished_at = $3
     WHERE psp_id = $1 AND webhook_id = $2 AND state IN ('pending', 'retrying', 'held')`,
    [psp, webhook, new Date(now).toISOString()],
  );
}

/** Makes everything held for an address due, in the order recorded. */
export async function releaseDeliveries(db: Database, psp: PspId, webhook: string, now: number): Promise<void> {
  await db.query(
    `UPDATE webhook_deliveries SET state = CASE WHEN attempts = 0 THEN 'pending' ELSE 'retrying' END, next_at = $3
     WHERE psp_id = $1 AND webhook_id = $2 AND state = 'held'`,
    [psp, webhook, new Date(now).toISOString()],
  );
}

/**
 * Makes one delivery due at once, whatever its state; if its address is paused or disabled it is held.
 * @returns false if there is none, or it is in flight at this moment
 */
export async function retryDelivery(db: Database, psp: PspId, id: string, now: number): Promise<boolean> {
  const rows = await db.query(
    `UPDATE webhook_deliveries d SET finished_at = NULL,
       state = CASE WHEN w.state = 'ACTIVE' THEN 'pending' ELSE 'held' END,
       next_at = CASE WHEN w.state = 'ACTIVE' THEN $3::timestamptz END
     FROM webhooks w
     WHERE d.psp_id = $1 AND d.id = $2 AND d.state <> 'delivering' AND w.psp_id = d.psp_id AND w.id = d.webhook_id
     RETURNING d.id`,
    [psp, id, new Date(now).toISOString()],
  );
  return rows.length > 0;
}

/** Notes that the owner of an address asked for something to be sent: it is tried at once, though it may keep failing. */
export async function noteAsked(db: Database, psp: PspId, webhook: string, now: number): Promise<void> {
  await db.query('UPDATE webhook_health SET asked_at = $3 WHERE psp_id = $1 AND webhook_id = $2', [
    psp,
    webhook,
    new Date(now).toISOString(),
  ]);
}

/**
 * Repairs what a process that ended between two steps left: what waits for an inactive address is held, what is held
 * for an active one is released, and what is left of a deleted one is cancelled.
 */
export async function settleDeliveries(db: Database, now: number): Promise<void> {
  const rows = await bySteps(db, "('pending', 'retrying', 'held')", (of, values) =>
    db.query<{ psp_id: PspId; id: string; state: Webhook['state'] }>(
      `WITH RECURSIVE ${addressesWith('waiting', "('pending', 'retrying')", of)}, ${addressesWith('kept', "('held')", of)}
     SELECT w.psp_id, w.id, w.state FROM waiting a JOIN webhooks w ON w.psp_id = a.psp_id AND w.id = a.webhook_id
     WHERE w.state <> 'ACTIVE' ${of('w', 1)}
     UNION ALL
     SELECT w.psp_id, w.id, w.state FROM kept a JOIN webhooks w ON w.psp_id = a.psp_id AND w.id = a.webhook_id
     WHERE w.state IN ('ACTIVE', 'DELETED') ${of('w', 1)}`,
      values,
    ),
  );
  for (const { psp_id, id, state } of rows)
    if (state === 'ACTIVE') await releaseDeliveries(db, psp_id, id, now);
    else if (state === 'DELETED') await cancelDeliveries(db, psp_id, id, now);
    else await holdDeliveries(db, psp_id, id);
}

/** SQL: limits a table to one PSP, given as the parameter with this number, where each PSP has a statement of its own. */
export type OfPsp = (alias: string, parameter: number) => string;
const ofAll: OfPsp = () => '';
const ofPsp: OfPsp = (alias, parameter) => `AND ${alias}.psp_id = $${parameter}`;

/**
 * Runs a statement that goes through deliveries step by step: once, or on a distributed database once for each PSP that
 * has deliveries in these states.
 */
export async function bySteps<R>(
  db: Pick<Database, 'query' | 'distributed'>,
  states: string,
  run: (of: OfPsp, psp: readonly PspId[]) => Promise<R[]>,
): Promise<R[]> {
  if (!db.distributed) return run(ofAll, []);
  const psps = await db.query<{ psp_id: PspId }>(
    `SELECT DISTINCT w.psp_id FROM webhooks w WHERE EXISTS (
       SELECT 1 FROM webhook_deliveries d WHERE d.psp_id = w.psp_id AND d.webhook_id = w.id AND d.state IN ${states})`,
  );
  const found: R[] = [];
  for (const { psp_id } of psps) found.push(...(await run(ofPsp, [psp_id])));
  return found;
}

/**
 * A common table expression of the addresses that have deliveries in the given states: it skips from address to address
 * in the index, so that its cost depends on the number of addresses, not deliveries. Used after `WITH RECURSIVE`.
 */
export const addressesWith = (name: string, states: string, of: OfPsp = ofAll, psp = 1): string => `
  ${name} AS (
    (SELECT d.psp_id, d.webhook_id FROM webhook_deliveries d WHERE d.state IN ${states} ${of('d', psp)}
     ORDER BY d.psp_id, d.webhook_id LIMIT 1)
    UNION ALL
    SELECT next.psp_id, next.webhook_id FROM ${name} a CROSS JOIN LATERAL (
      SELECT d.psp_id, d.webhook_id FROM webhook_deliveries d
      WHERE d.state IN ${states} AND (d.psp_id, d.webhook_id) > (a.psp_id, a.webhook_id) ${of('d', psp)}
      ORDER BY d.psp_id, d.webhook_id LIMIT 1
    ) next
  )`;
