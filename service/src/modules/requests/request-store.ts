// All SQL on the log of requests. It is no record: the journal has no entry of it, and what is older than its days is removed.
import type { AccountId, PspId } from '../../core/ids.ts';
import { type Database, valuesOf } from '../../platform/database.ts';

export interface RequestRow {
  readonly psp: PspId;
  readonly id: string;
  readonly at: string;
  readonly account: AccountId;
  readonly client: AccountId | null;
  readonly key: string | null;
  readonly requests: number;
  readonly single: boolean;
  readonly method: string;
  readonly route: string | null;
  readonly status: number;
  readonly code: string | null;
  readonly field: string | null;
  readonly ref: string | null;
  readonly ms: number | null;
}

export async function addRequests(db: Database, rows: readonly RequestRow[]): Promise<void> {
  await db.query(
    `INSERT INTO request_log (psp_id, id, at, account_id, client_id, key_id, requests, single, method, route, status, code, field, ref, ms)
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::uuid[], $5::uuid[], $6::uuid[], $7::int[], $8::boolean[],
       $9::text[], $10::text[], $11::int[], $12::text[], $13::text[], $14::text[], $15::int[])
     ON CONFLICT DO NOTHING`,
    [
      ...valuesOf(
        rows,
        'psp',
        'id',
        'at',
        'account',
        'client',
        'key',
        'requests',
        'single',
        'method',
        'route',
        'status',
        'code',
        'field',
        'ref',
        'ms',
      ),
    ],
  );
}

/** Until the transaction ends, no other process writes requests. */
export async function lockRequests(tx: Database): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('request-log', 0))");
}

/** How many requests of these PSPs and minutes (since the epoch, by their ids) are kept one by one, by key and outcome. */
export const singleRequests = (
  db: Database,
  psps: readonly PspId[],
  minutes: { readonly first: number; readonly last: number },
): Promise<{ psp: PspId; minute: number; key: string | null; refused: boolean; requests: number }[]> =>
  db.query(
    `SELECT psp_id AS psp, (('x' || left(id::text, 8) || substr(id::text, 10, 4))::bit(48)::bigint / 60000)::int AS minute,
       key_id AS key, status >= 400 AS refused, count(*)::int AS requests
     FROM request_log
     WHERE psp_id = ANY ($1::uuid[]) AND single
       AND id >= uuid_floor(to_timestamp($2::int * 60.0)) AND id < uuid_floor(to_timestamp(($3::int + 1) * 60.0))
     GROUP BY 1, 2, 3, 4`,
    [psps, minutes.first, minutes.last],
  );

export interface RequestFilter {
  readonly psp: PspId;
  /** Only calls by keys of this account. */
  readonly account?: AccountId | undefined;
  /** Only calls that concern this client. */
  readonly client?: AccountId | undefined;
  readonly key?: string | undefined;
  readonly id?: string | undefined;
  readonly refused?: boolean | undefined;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly method?: string | undefined;
  readonly route?: string | undefined;
  readonly ref?: string | undefined;
  /** ISO UTC; the second is the first moment after. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

const columns = `r.psp_id AS psp, r.id, r.at, r.account_id AS account, r.client_id AS client, r.key_id AS key,
  r.requests, r.single, r.method, r.route, r.status, r.code, r.field, r.ref, r.ms`;

/** Requests, newest first. */
export const listRequests = (db: Database, f: RequestFilter): Promise<RequestRow[]> =>
  db.query<RequestRow>(
    `SELECT ${columns} FROM request_log r
     WHERE r.psp_id = $1 AND ($2::uuid IS NULL OR r.account_id = $2) AND ($3::uuid IS NULL OR r.client_id = $3)
       AND ($4::uuid IS NULL OR r.key_id = $4) AND ($5::uuid IS NULL OR (r.id = $5 AND r.single))
       AND ($6::boolean IS NULL OR (r.status >= 400) = $6) AND ($7::int IS NULL OR r.status = $7)
       AND ($8::text IS NULL OR r.code = $8) AND ($9::text IS NULL OR r.method = $9) AND ($10::text IS NULL OR r.route = $10)
       AND ($11::text IS NULL OR r.ref = $11)
       AND ($12::timestamptz IS NULL OR r.id >= uuid_floor($12)) AND ($13::timestamptz IS NULL OR r.id < uuid_floor($13))
       AND ($14::uuid IS NULL OR r.id < $14)
     ORDER BY r.id DESC LIMIT $15`,
    [
      f.psp,
      f.account,
      f.client,
      f.key,
      f.id,
      f.refused,
      f.status,
      f.code,
      f.method,
      f.route,
      f.ref,
      f.from,
      f.to,
      f.before,
      f.limit,
    ],
  );

/** A single request by its id. @param account whose keys called; undefined for any of these PSPs */
export async function findRequest(
  db: Database,
  psps: readonly PspId[],
  account: AccountId | undefined,
  id: string,
): Promise<RequestRow | undefined> {
  const [found] = await db.query<RequestRow>(
    `SELECT ${columns} FROM request_log r
     WHERE r.psp_id = ANY ($1::uuid[]) AND r.id = $2 AND r.single AND ($3::uuid IS NULL OR r.account_id = $3)`,
    [psps, id, account],
  );
  return found;
}

/** Removes what is older, some at a time, so that nobody waits. @returns the number of rows */
export async function removeRequests(db: Database, psp: PspId, before: string): Promise<number> {
  let removed = 0;
  for (;;) {
    const rows = await db.query(
      `DELETE FROM request_log WHERE psp_id = $1 AND id IN
         (SELECT id FROM request_log WHERE psp_id = $1 AND id < uuid_floor($2) ORDER BY id LIMIT 5000) RETURNING 1 AS one`,
      [psp, before],
    );
    removed += rows.length;
    if (rows.length < 5000) return removed;
  }
}
