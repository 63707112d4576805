// Events, deliveries and attempts as shown to people, and the health of an address. Read only; delivery-store.ts
// changes deliveries.
import type { PspId } from '../../core/ids.ts';
import { publicEvent } from '../../core/public-standing.ts';
import type { Database } from '../../platform/database.ts';
import type { ListFilter } from '../kernel/list-filter.ts';
import type { WebhookEvent } from './delivery-store.ts';

export const deliveryStates = [
  'pending',
  'delivering',
  'delivered',
  'retrying',
  'exhausted',
  'held',
  'cancelled',
] as const;
type DeliveryState = (typeof deliveryStates)[number];

export interface Delivery {
  readonly id: string;
  readonly webhook: string;
  readonly event: string;
  readonly type: string;
  /** The account the event is about. */
  readonly account: string;
  readonly psp: PspId;
  readonly state: DeliveryState;
  /** Number of attempts so far. */
  readonly attempts: number;
  readonly nextAt: string | null;
  readonly createdAt: string;
  readonly finishedAt: string | null;
  /** From the last attempt; null before the first, and the status also if there was no response. */
  readonly lastStatus: number | null;
  readonly lastReason: string | null;
}

export interface Attempt {
  readonly attempt: number;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly stage: string;
  readonly reason: string;
  readonly response: string | null;
}

/** An address's health, and what waits for it. */
export interface Fare {
  readonly lastOkAt: string | null;
  readonly failingSince: string | null;
  readonly failures: number;
  readonly lastFailureAt: string | null;
  readonly backlog: Readonly<Record<Exclude<DeliveryState, 'delivered' | 'cancelled'>, number>>;
}

export async function faresOf(db: Database, psp: PspId, webhooks: readonly string[]): Promise<Map<string, Fare>> {
  const waiting = (state: DeliveryState) =>
    `(SELECT count(*) FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.psp_id = $1 AND d.state = '${state}') AS ${state}`;
  const rows = await db.query<{ id: string } & Omit<Fare, 'backlog'> & Fare['backlog']>(
    `SELECT w.id, h.last_ok_at AS "lastOkAt", h.failing_since AS "failingSince", coalesce(h.failures, 0) AS failures,
       h.last_failure_at AS "lastFailureAt",
       ${(['pending', 'delivering', 'retrying', 'exhausted', 'held'] as const).map(waiting).join(', ')}
     FROM unnest($2::uuid[]) AS w(id) LEFT JOIN webhook_health h ON h.psp_id = $1 AND h.webhook_id = w.id`,
    [psp, webhooks],
  );
  return new Map(
    rows.map(({ id, pending, delivering, retrying, exhausted, held, ...fare }) => [
      id,
      { ...fare, backlog: { pending, delivering, retrying, exhausted, held } },
    ]),
  );
}

/** Of the PSP given as $1. */
const deliverySelect = `SELECT d.id, d.webhook_id AS webhook, d.event_id AS event, e.type, e.account_id AS account, d.psp_id AS psp,
    d.state, d.attempts, d.next_at AS "nextAt", d.created_at AS "createdAt", d.finished_at AS "finishedAt",
    a.status AS "lastStatus", a.reason AS "lastReason"
  FROM webhook_deliveries d JOIN webhook_events e ON e.psp_id = d.psp_id AND e.id = d.event_id
  LEFT JOIN LATERAL (
    SELECT a.status, a.reason FROM webhook_attempts a WHERE a.psp_id = $1 AND a.delivery_id = d.id
    ORDER BY a.attempt DESC LIMIT 1
  ) a ON true`;

export interface DeliveryFilter {
  readonly psp: PspId;
  readonly webhook: string;
  readonly state?: string | undefined;
  readonly type?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Newest first. */
export const listDeliveries = (db: Database, f: DeliveryFilter): Promise<Delivery[]> =>
  db.query(
    `${deliverySelect}
     WHERE d.psp_id = $1 AND d.webhook_id = $2 AND ($3::text IS NULL OR d.state = $3) AND ($4::text IS NULL OR e.type = $4)
       AND ($5::timestamptz IS NULL OR d.id >= uuid_floor($5)) AND ($6::timestamptz IS NULL OR d.id < uuid_floor($6))
       AND ($7::uuid IS NULL OR d.id < $7)
     ORDER BY d.id DESC LIMIT $8`,
    [f.psp, f.webhook, f.state, f.type, f.since, f.until, f.before, f.limit],
  );

export async function findDelivery(db: Database, psp: PspId, id: string): Promise<Delivery | undefined> {
  const [found] = await db.query<Delivery>(`${deliverySelect} WHERE d.psp_id = $1 AND d.id = $2`, [psp, id]);
  return found;
}

/** Deliveries of events to the addresses of one account, or of all, by the event; oldest first. */
export async function deliveriesOf(
  db: Database,
  psp: PspId,
  events: readonly string[],
  account: string | undefined,
): Promise<ReadonlyMap<string, readonly Delivery[]>> {
  const rows = await db.query<Delivery>(
    `${deliverySelect} JOIN webhooks w ON w.psp_id = d.psp_id AND w.id = d.webhook_id
     WHERE d.psp_id = $1 AND d.event_id = ANY ($2::uuid[]) AND ($3::uuid IS NULL OR w.account_id = $3) ORDER BY d.id`,
    [psp, events, account],
  );
  return Map.groupBy(rows, (d) => d.event);
}

/** First to last. */
export async function attemptsOf(db: Database, psp: PspId, id: string): Promise<Attempt[]> {
  const rows = await db.query<Attempt>(
    `SELECT attempt, started_at AS "startedAt", duration_ms AS "durationMs", status, stage, reason, response
     FROM webhook_attempts WHERE psp_id = $1 AND delivery_id = $2 ORDER BY attempt DESC LIMIT 200`,
    [psp, id],
  );
  return rows.reverse();
}

const eventColumns = 'psp_id AS psp, id, account_id AS account, type, seq, body, created_at AS "createdAt"';
const shown = (e: WebhookEvent): WebhookEvent => ({ ...e, body: publicEvent(e.body) });

export interface EventFilter extends ListFilter<'type' | 'since' | 'until'> {
  /** Only events about these records or resources (UUIDs). */
  readonly resources?: readonly string[] | undefined;
}

// Included only if requested: an event has the id of its journal entry, which an index finds by the resource.
const aboutResources =
  'AND id IN (SELECT j.id FROM journal j WHERE j.psp_id = $1 AND j.resource_id = ANY ($8::uuid[]))';

/** Newest first. */
export async function listEvents(db: Database, f: EventFilter): Promise<WebhookEvent[]> {
  const rows = await db.query<WebhookEvent>(
    `SELECT ${eventColumns} FROM webhook_events
     WHERE psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND ($3::text IS NULL OR type = $3)
       AND ($4::timestamptz IS NULL OR id >= uuid_floor($4)) AND ($5::timestamptz IS NULL OR id < uuid_floor($5))
       AND ($6::uuid IS NULL OR id < $6) ${f.resources === undefined ? '' : aboutResources}
     ORDER BY id DESC LIMIT $7`,
    [
      ...[f.psp, f.account ?? null, f.type ?? null, f.since ?? null, f.until ?? null, f.before ?? null, f.limit],
      ...(f.resources === undefined ? [] : [f.resources]),
    ],
  );
  return rows.map(shown);
}

export async function findEvent(db: Database, psp: PspId, id: string): Promise<WebhookEvent | undefined> {
  const [found] = await db.query<WebhookEvent>(
    `SELECT ${eventColumns} FROM webhook_events WHERE psp_id = $1 AND id = $2`,
    [psp, id],
  );
  return found && shown(found);
}
