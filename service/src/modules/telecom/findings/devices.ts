// Devices, by the keyed hash of their IMEI: those that many numbers call from, and those in two calls at the same time.
// An IMEI with very many numbers is a placeholder that networks write for unknown devices; it is left out.
import {
  dummyDeviceNumbers,
  mostLines,
  overlapReachS,
  sameCallS,
  sharedDeviceNumbers,
} from '../../../core/cdr/thresholds.ts';
import { callerShown, callsOnly, type Day, type FindingsScope, presented, sliceOf, sliceSql } from './slice.ts';

/** SQL: one row for each device in a call, with the number on its side. */
const uses = (columns: string) => `SELECT ${columns}, u.device, u.number
  FROM (SELECT id, account_id, cdr_id, call_start, duration_s, caller_number AS caller, receiver_number AS receiver,
      caller_device, receiver_device ${sliceSql} AND ${callsOnly}) c
  CROSS JOIN LATERAL (VALUES (caller_device, caller), (receiver_device, receiver)) u(device, number)
  WHERE u.device IS NOT NULL`;

export interface Overlap {
  readonly device: string;
  /** Our ids of the call that began first and of the later one; `secondCdrId` is the operator's id of the later one. */
  readonly first: string;
  readonly second: string;
  readonly secondCdrId: string;
  readonly account: string;
  readonly callStart: string;
  /** Seconds for which both calls last. */
  readonly seconds: number;
}

const overlapStatement = `WITH u AS MATERIALIZED (
    ${uses('c.id, c.account_id, c.cdr_id, c.call_start, c.duration_s, c.caller, c.receiver')} AND c.duration_s > 0
  ), real AS (
    SELECT device FROM u GROUP BY device HAVING count(*) > 1 AND count(DISTINCT number) < ${dummyDeviceNumbers}
  ), once AS (
    SELECT *, call_start + make_interval(secs => duration_s) AS call_end FROM (
      SELECT u.*, call_start - lag(call_start) OVER (
        PARTITION BY device, caller, receiver ORDER BY call_start, account_id, id) AS apart
      FROM u JOIN real USING (device)
    ) x WHERE apart IS NULL OR apart > interval '${sameCallS} s'
  ), beside AS (
    SELECT *, max(lpad((extract(epoch FROM call_end) * 1000)::bigint::text, 15, '0') || id) OVER (
      PARTITION BY device ORDER BY call_start, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS longest
    FROM once
  ), found AS (
    SELECT *, substr(longest, 16)::uuid AS first_id,
      least(extract(epoch FROM call_end), left(longest, 15)::numeric / 1000) - extract(epoch FROM call_start) AS seconds
    FROM beside WHERE longest IS NOT NULL
  )
  SELECT device, first_id AS first, id AS second, cdr_id AS "secondCdrId", account_id AS account, call_start AS "callStart",
    floor(seconds)::integer AS seconds, count(*) OVER () AS n
  FROM found WHERE seconds > 1 AND first_id <> id AND call_start >= $5::timestamptz
  ORDER BY call_start, id LIMIT $6::integer`;

/** Calls that begin on the day while the same device is in another one. */
export async function readOverlaps(s: FindingsScope, day: Day): Promise<{ count: number; listed: Overlap[] }> {
  const rows = await s.db.query<Overlap & { readonly n: number }>(overlapStatement, [
    ...sliceOf(s, day, overlapReachS),
    new Date(day.from).toISOString(),
    mostLines,
  ]);
  return { count: rows[0]?.n ?? 0, listed: rows.map(({ n: _, ...overlap }) => overlap) };
}

/** One device and the numbers that call from it. */
export interface SharedDevice {
  readonly device: string;
  /** Some of its numbers as stored, ordered like `shown`. */
  readonly numbers: readonly string[];
  readonly shown: readonly string[];
  readonly count: number;
  readonly calls: number;
}

const sharedStatement = `WITH calls AS (
    SELECT caller_device AS device, caller_number AS number, min(${callerShown}) AS shown, count(*) AS n
    ${sliceSql} AND ${callsOnly} AND ${presented} GROUP BY 1, 2
  )
  SELECT device, (array_agg(number ORDER BY shown))[1:$5::integer] AS numbers,
    (array_agg(shown ORDER BY shown))[1:$5::integer] AS shown, count(*) AS count, sum(n)::bigint AS calls
  FROM calls WHERE device IS NOT NULL GROUP BY device
  HAVING count(*) >= ${sharedDeviceNumbers} AND count(*) < ${dummyDeviceNumbers}
  ORDER BY count DESC, device LIMIT $6::integer`;

/** Most numbers listed for one device. */
const mostNumbers = 100;

/** Reads the whole period in one statement, since numbers may also share a device on different days. */
export async function readSharedDevices(s: FindingsScope): Promise<SharedDevice[]> {
  return s.db.query<SharedDevice>(sharedStatement, [...sliceOf(s, { date: '', ...s.period }), mostNumbers, mostLines]);
}
