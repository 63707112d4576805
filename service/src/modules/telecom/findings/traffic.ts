// How calls went: attempts, answers, durations, speech quality, and the networks that records name. The records are
// read once, one day per statement; the days' sums are combined here.

import { answeredWords } from '../../../core/cdr/call-types.ts';
import { isForeignNetwork } from '../../../core/cdr/networks.ts';
import { average, percent } from '../../../core/cdr/shares.ts';
import { jitterMs, latencyMs, packetLossPercent } from '../../../core/cdr/thresholds.ts';
import { type Decimal, decimal } from '../../../core/money.ts';
import { plus } from '../../../core/sums.ts';
import { accountOf, callsOnly, type Day, type FindingsScope, sliceOf, sliceSql } from './slice.ts';

/** Sums over some records. */
export interface Traffic {
  records: number;
  /** Records that came more than seven days after their call. */
  late: number;
  /** Calls; `answered` counts the answered ones, and `seconds` is their duration. */
  attempts: number;
  answered: number;
  seconds: number;
  loss: Measured;
  jitter: Measured;
  latency: Measured;
}

/** Values of one quality measure. */
export interface Measured {
  count: number;
  sum: Decimal;
  /** Number of values above the threshold. */
  above: number;
}

export interface TrafficOf extends Traffic {
  readonly account: string;
  readonly date: string;
  readonly network: string;
  readonly callType: string;
}

/** SQL: a call is answered if it has a duration and its status, if given, says so: a busy call may have a duration. */
const isAnswered = `(duration_s > 0 AND (call_status IS NULL
  OR translate(upper(trim(call_status)), ' -', '__') = ANY ($5::text[])))`;

const measure = (name: string, above: number) =>
  `count(${name}) AS ${name}_n, coalesce(sum(${name}), 0) AS ${name}_sum,
   count(*) FILTER (WHERE ${name} > ${above}) AS ${name}_above`;

const sums = [
  'records',
  'late',
  'attempts',
  'answered',
  'seconds',
  ...['loss', 'jitter', 'latency'].flatMap((m) => [`${m}_n`, `${m}_sum`, `${m}_above`]),
];
/**
 * Most groups of network and call type for an account and day; the others are added up under `otherNetworks`, since
 * records could name any number of networks.
 */
const mostNetworks = 200;
export const otherNetworks = '(others)';

const statement = `WITH r AS MATERIALIZED (
    SELECT account_id, network_provider, call_type, duration_s, ${callsOnly} AS is_call,
      ${callsOnly} AND ${isAnswered} AS is_answered, is_late, packet_loss AS loss, jitter_ms AS jitter,
      latency_ms AS latency
    ${sliceSql}
  ), grouped AS (
    SELECT account_id, network_provider, call_type, count(*) AS records, count(*) FILTER (WHERE is_late) AS late,
      count(*) FILTER (WHERE is_call) AS attempts, count(*) FILTER (WHERE is_answered) AS answered,
      coalesce(sum(duration_s) FILTER (WHERE is_answered), 0) AS seconds,
      ${measure('loss', packetLossPercent)}, ${measure('jitter', jitterMs)}, ${measure('latency', latencyMs)},
      row_number() OVER (PARTITION BY account_id ORDER BY count(*) DESC, network_provider) AS nth
    FROM r GROUP BY account_id, network_provider, call_type
  ), named AS (
    SELECT *, CASE WHEN nth > ${mostNetworks} THEN '${otherNetworks}' ELSE network_provider END AS network FROM grouped
  )
  SELECT account_id, network, call_type, ${sums.map((name) => `sum(${name}) AS ${name}`).join(', ')}
  FROM named GROUP BY account_id, network, call_type ORDER BY account_id, network, call_type`;

type Measures = 'loss' | 'jitter' | 'latency';
type TrafficRow = { readonly account_id: string; readonly network: string; readonly call_type: string } & {
  readonly [C in
    | 'records'
    | 'late'
    | 'attempts'
    | 'answered'
    | 'seconds'
    | `${Measures}_${'n' | 'sum' | 'above'}`]: string;
};

/** Sums of one day by account, network and call type. */
export async function readTraffic(s: FindingsScope, day: Day): Promise<TrafficOf[]> {
  const rows = await s.db.query<TrafficRow>(statement, [...sliceOf(s, day), answeredWords]);
  return rows.map((r) => ({
    account: r.account_id,
    date: day.date,
    network: r.network,
    callType: r.call_type,
    records: Number(r.records),
    late: Number(r.late),
    attempts: Number(r.attempts),
    answered: Number(r.answered),
    seconds: Number(r.seconds),
    loss: measured(r, 'loss'),
    jitter: measured(r, 'jitter'),
    latency: measured(r, 'latency'),
  }));
}

const measured = (r: TrafficRow, name: Measures): Measured => ({
  count: Number(r[`${name}_n`]),
  sum: decimal(r[`${name}_sum`]),
  above: Number(r[`${name}_above`]),
});

const nothing = (): Measured => ({ count: 0, sum: decimal('0'), above: 0 });

/** Adds sums up by the key that `keyOf` returns, in the order of first occurrence. */
export function groupTraffic(
  all: readonly TrafficOf[],
  keyOf: (t: TrafficOf) => readonly string[],
): [string[], Traffic][] {
  const groups = new Map<string, [string[], Traffic]>();
  for (const t of all) {
    const key = keyOf(t);
    const id = JSON.stringify(key);
    const group = groups.get(id)?.[1] ?? {
      records: 0,
      late: 0,
      attempts: 0,
      answered: 0,
      seconds: 0,
      loss: nothing(),
      jitter: nothing(),
      latency: nothing(),
    };
    for (const name of ['records', 'late', 'attempts', 'answered', 'seconds'] as const) group[name] += t[name];
    for (const name of ['loss', 'jitter', 'latency'] as const) {
      group[name].count += t[name].count;
      group[name].above += t[name].above;
      group[name].sum = plus(group[name].sum, t[name].sum);
    }
    groups.set(id, [[...key], group]);
  }
  return [...groups.values()];
}

/** Attempts, answered calls, answer-seizure ratio in per cent, average call duration in seconds. */
export const answerCells = (t: Traffic): (string | null)[] => [
  String(t.attempts),
  String(t.answered),
  percent(t.answered, t.attempts),
  average({ units: BigInt(t.seconds), scale: 0 }, t.answered),
];

/** For each measure: number of values, mean, and share above the threshold in per cent. */
export const qualityCells = (t: Traffic): (string | null)[] =>
  [t.loss, t.jitter, t.latency].flatMap((m) => [String(m.count), average(m.sum, m.count), percent(m.above, m.count)]);

export interface ForeignNetwork {
  readonly account: string;
  readonly network: string;
  readonly records: number;
  readonly ofAll: number;
}

/** Networks other than the account's own, those with most records first. */
export function foreignNetworks(s: FindingsScope, all: readonly TrafficOf[]): ForeignNetwork[] {
  const ofAll = new Map(groupTraffic(all, (t) => [t.account]).map(([[account], t]) => [account as string, t.records]));
  return groupTraffic(all, (t) => [t.account, t.network])
    .map(([[account, network], t]) => ({
      account: account as string,
      network: network as string,
      records: t.records,
      ofAll: ofAll.get(account as string) ?? 0,
    }))
    .filter((n) => isForeignNetwork(n.network, accountOf(s, n.account), s.networks, n.records, n.ofAll))
    .sort((a, b) => b.records - a.records || (a.network < b.network ? -1 : 1));
}
