// All SQL of the delivery worker: what is due, which process has claimed it, the result of each attempt. One process at
// a time holds a delivery, by a lease; results count only while the lease is held.
import type { PspId } from '../../core/ids.ts';
import { publicEvent } from '../../core/public-standing.ts';
import type { Database, Pool } from '../../platform/database.ts';
import { eachPsp, ofOnly } from '../../platform/each-psp.ts';
import { addressesWith, bySteps, type OfPsp } from './delivery-store.ts';

/** The worker's statements are large and frequent: they are prepared once per connection. */
export type Statements = Pick<Pool, 'committing' | 'query' | 'distributed'>;

/** Milliseconds a process may hold deliveries without reporting. */
export const leaseMs = 90_000;

export interface DueAddress {
  readonly psp: PspId;
  readonly webhook: string;
  readonly account: string;
  readonly url: string;
  /** Number due now, up to a limit: never tried before, and due for a retry. */
  readonly firsts: number;
  readonly retries: number;
  /** Whether the last attempt succeeded; null before the first. */
  readonly lastOk: boolean | null;
  /** When its owner last asked for something to be sent, in milliseconds since the epoch; 0 for never. */
  readonly askedMs: number;
}

const dueIn = (state: string, of: OfPsp) => `(SELECT count(*)::int FROM (
      SELECT 1 FROM webhook_deliveries d WHERE d.psp_id = w.psp_id AND d.webhook_id = w.id
        AND d.state = '${state}' AND d.next_at <= $1 ${of('d', 3)} LIMIT $2) x)`;

/** Step by step: joined freely, the planner would repeat the counts for every pair of addresses. */
const dueStatement = (of: OfPsp) => `WITH RECURSIVE ${addressesWith('a', waiting, of, 3)}, w AS MATERIALIZED (
       SELECT w.* FROM a CROSS JOIN LATERAL (
         SELECT h.psp_id, h.id, h.account_id, h.url FROM webhooks h
         WHERE h.psp_id = a.psp_id AND h.id = a.webhook_id AND h.state = 'ACTIVE' ${of('h', 3)} OFFSET 0) w
     ), counted AS MATERIALIZED (
       SELECT w.*, ${dueIn('pending', of)} AS firsts, ${dueIn('retrying', of)} AS retries FROM w
     )
     SELECT c.psp_id AS psp, c.id AS webhook, c.account_id AS account, c.url, c.firsts, c.retries, h.failures = 0 AS "lastOk",
       coalesce(extract(epoch FROM h.asked_at) * 1000, 0)::float8 AS "askedMs"
     FROM counted c LEFT JOIN webhook_health h ON h.psp_id = c.psp_id AND h.webhook_id = c.id ${of('h', 3)}
     WHERE c.firsts + c.retries > 0`;
const waiting = "('pending', 'retrying')";

/** Active addresses with due deliveries. @param most maximum count per address */
export const dueAddresses = (db: Statements, now: number, most: number): Promise<DueAddress[]> =>
  bySteps(db, waiting, (of, psp) =>
    db.committing('webhook_due', dueStatement(of), [new Date(now).toISOString(), most, ...psp]),
  );

export interface Share {
  readonly address: DueAddress;
  readonly firsts: number;
  readonly retries: number;
}

export interface Claimed {
  readonly psp: PspId;
  readonly id: string;
  readonly webhook: string;
  readonly event: string;
  /** Number of earlier attempts. */
  readonly attempts: number;
  /** Whether it waits after a failure. */
  readonly retry: boolean;
  readonly type: string;
  readonly body: string;
  /** When the event happened, ISO 8601. */
  readonly happenedAt: string;
}

const takenFrom = (state: string, most: string, one: boolean) => `
    SELECT d.psp_id, d.id, d.state, d.next_at FROM want CROSS JOIN LATERAL (
      SELECT psp_id, id, state, next_at FROM webhook_deliveries
      WHERE psp_id = ${one ? '$8' : 'want.psp_id'} AND webhook_id = want.webhook_id AND state = '${state}' AND next_at <= $5
      ORDER BY next_at, id LIMIT want.${most} FOR UPDATE SKIP LOCKED) d`;

/** @param one whether all addresses are of one PSP, given as $8 */
const claimStatement = (one: boolean) => `WITH want AS (
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[]) AS w(psp_id, webhook_id, firsts, retries)
     ), firsts AS (${takenFrom('pending', 'firsts', one)}), retries AS (${takenFrom('retrying', 'retries', one)}),
     picked AS (SELECT * FROM firsts UNION ALL SELECT * FROM retries),
     held AS (
       UPDATE webhook_deliveries d SET state = 'delivering', leased_by = $6, leased_until = $7
       FROM picked p WHERE d.psp_id = p.psp_id AND d.id = p.id
       RETURNING d.psp_id, d.id, d.webhook_id, d.event_id, d.attempts, p.state, p.next_at
     )
     SELECT h.psp_id AS psp, h.id, h.webhook_id AS webhook, h.event_id AS event, h.attempts, h.state = 'retrying' AS retry,
       e.type, e.body, e.created_at AS "happenedAt" FROM held h JOIN webhook_events e ON e.psp_id = h.psp_id AND e.id = h.event_id
     ORDER BY h.next_at, h.id`;

/** Claims deliveries, those due longest first. Skips what another process is claiming at this moment. */
export async function claim(
  db: Statements,
  worker: string,
  shares: readonly Share[],
  now: number,
  until: number,
): Promise<Claimed[]> {
  const claimed = (of: readonly Share[], psp?: PspId) =>
    db.committing<Claimed>('webhook_claim', claimStatement(psp !== undefined), [
      of.map((s) => s.address.psp),
      of.map((s) => s.address.webhook),
      of.map((s) => s.firsts),
      of.map((s) => s.retries),
      new Date(now).toISOString(),
      worker,
      new Date(until).toISOString(),
      ...(psp === undefined ? [] : [psp]),
    ]);
  const parts = db.distributed
    ? [...Map.groupBy(shares, (s) => s.address.psp)].map(([psp, of]) => claimed(of, psp))
    : [claimed(shares)];
  const rows = (await Promise.all(parts)).flat();
  return rows.map((c) => ({ ...c, body: publicEvent(c.body) }));
}

/** Sets a delivery that was claimed but not tried back to its state before. */
export const backToWaiting = `state = CASE WHEN attempts = 0 THEN 'pending' ELSE 'retrying' END, leased_by = NULL, leased_until = NULL`;

/** Releases claimed deliveries that were not tried; they stay due. */
export async function giveBack(
  db: Database,
  worker: string,
  given: readonly { psp: PspId; id: string }[],
): Promise<void> {
  if (given.length > 0)
    await db.query(
      `UPDATE webhook_deliveries SET ${backToWaiting} WHERE leased_by = $1 AND psp_id = ANY ($2::uuid[]) AND id = ANY ($3::uuid[])`,
      [worker, given.map((d) => d.psp), given.map((d) => d.id)],
    );
}

export interface Result {
  readonly psp: PspId;
  readonly id: string;
  readonly state: 'delivered' | 'retrying' | 'exhausted' | 'held';
  readonly nextAt: string | null;
  readonly finishedAt: string | null;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly stage: string;
  readonly reason: string;
  readonly response: string | null;
  readonly ok: boolean;
}

export interface AddressHealth {
  readonly psp: PspId;
  readonly webhook: string;
  readonly failingSince: string | null;
  readonly lastFailureAt: string | null;
  readonly failures: number;
  readonly warnedHours: number;
}

/** What results are stored with. */
export type Recording = Pick<Statements, 'committing'> & Pick<Database, 'distributed'>;

/**
 * Stores results: the attempt, the delivery's new state and its address's health are one commit, on a distributed
 * database one for each PSP. A failed one whose address was paused meanwhile is held. Results of lost leases are dropped.
 * @returns the health of the addresses affected
 */
export const record = (db: Recording, worker: string, results: readonly Result[]): Promise<AddressHealth[]> =>
  eachPsp(
    db,
    results,
    (r) => r.psp,
    (of, psp) => db.committing<AddressHealth>('webhook_record', recordResults, [worker, JSON.stringify(of), psp]),
  );

const notActive = `(SELECT w.state <> 'ACTIVE' FROM webhooks w
  WHERE w.psp_id = d.psp_id AND ${ofOnly('w.psp_id', 3)} AND w.id = d.webhook_id)`;

/**
 * Only claimed deliveries have a lease. A condition on the state as well would use the index of leases, which is full
 * of entries that just ended. Per address the results of the batch count in order: failures after the last success
 * count as failing.
 */
const recordResults = `WITH r AS (
  SELECT * FROM json_to_recordset($2::json) AS x(psp uuid, id uuid, state text, "nextAt" timestamptz,
    "finishedAt" timestamptz, "startedAt" timestamptz, "endedAt" timestamptz, "durationMs" integer, status integer,
    stage text, reason text, response text, ok boolean)
), moved AS (
  UPDATE webhook_deliveries d SET
    state = CASE WHEN r.state = 'retrying' AND ${notActive} THEN 'held' ELSE r.state END,
    next_at = CASE WHEN r.state = 'retrying' AND NOT ${notActive} THEN r."nextAt" END,
    attempts = d.attempts + 1, finished_at = r."finishedAt", leased_by = NULL, leased_until = NULL
  FROM r WHERE d.psp_id = r.psp AND ${ofOnly('d.psp_id', 3)} AND d.id = r.id AND d.leased_by = $1
  RETURNING d.psp_id, d.id, d.webhook_id, d.attempts, r."startedAt", r."endedAt", r."durationMs", r.status, r.stage,
    r.reason, r.response, r.ok
), logged AS (
  INSERT INTO webhook_attempts
    (psp_id, delivery_id, attempt, webhook_id, started_at, duration_ms, status, stage, reason, response)
  SELECT psp_id, id, attempts, webhook_id, "startedAt", "durationMs", status, stage, reason, response FROM moved
), seen AS (
  SELECT psp_id, webhook_id, max("endedAt") FILTER (WHERE ok) AS ok_at FROM moved GROUP BY psp_id, webhook_id
), news AS (
  SELECT s.psp_id, s.webhook_id, s.ok_at,
    count(m.id) FILTER (WHERE NOT m.ok) AS failures,
    min(m."endedAt") FILTER (WHERE NOT m.ok) AS failing_since,
    max(m."endedAt") FILTER (WHERE NOT m.ok) AS last_failure_at
  FROM seen s LEFT JOIN moved m ON m.psp_id = s.psp_id AND m.webhook_id = s.webhook_id
    AND (s.ok_at IS NULL OR m."endedAt" > s.ok_at)
  GROUP BY s.psp_id, s.webhook_id, s.ok_at
)
INSERT INTO webhook_health AS h (psp_id, webhook_id, last_ok_at, failing_since, failures, last_failure_at, warned_hours)
SELECT psp_id, webhook_id, ok_at, failing_since, failures, last_failure_at, 0 FROM news ORDER BY psp_id, webhook_id
ON CONFLICT (psp_id, webhook_id) DO UPDATE SET
  last_ok_at = coalesce(excluded.last_ok_at, h.last_ok_at),
  failing_since = CASE WHEN excluded.last_ok_at IS NULL
    THEN coalesce(h.failing_since, excluded.failing_since) ELSE excluded.failing_since END,
  failures = CASE WHEN excluded.last_ok_at IS NULL THEN h.failures ELSE 0 END + excluded.failures,
  last_failure_at = coalesce(excluded.last_failure_at, h.last_failure_at),
  warned_hours = h.warned_hours
RETURNING psp_id AS psp, webhook_id AS webhook, failing_since AS "failingSince", last_failure_at AS "lastFailureAt",
  failures, warned_hours AS "warnedHours"`;

/** Records that a warning was sent, or with 0 that it is over, unless another process was faster. */
export async function noteWarning(db: Database, h: AddressHealth, hours: number): Promise<void> {
  await db.query(
    'UPDATE webhook_health SET warned_hours = $3 WHERE psp_id = $1 AND webhook_id = $2 AND warned_hours = $4',
    [h.psp, h.webhook, hours, h.warnedHours],
  );
}

/** Clears an address's failures when it is enabled again. */
export async function forgetFailures(db: Database, psp: PspId, webhook: string): Promise<void> {
  await db.query(
    `UPDATE webhook_health SET failing_since = NULL, failures = 0, warned_hours = 0
     WHERE psp_id = $1 AND webhook_id = $2`,
    [psp, webhook],
  );
}

/** Number of deliveries that are due and not claimed. */
export async function backlog(db: Database, now: number): Promise<number> {
  const [r] = await db.query<{ n: number }>(
    "SELECT count(*) AS n FROM webhook_deliveries WHERE state IN ('pending', 'retrying') AND next_at <= $1",
    [new Date(now).toISOString()],
  );
  return r?.n ?? 0;
}
