// How calls went: attempts, answers, durations, speech quality, and the networks that records name. The records are
// read once, one day per statement; the days' sums are combined here.

import { answeredWords, notTakenWords, unansweredWords } from '../../../core/cdr/call-types.ts';
import { isForeignNetwork } from '../../../core/cdr/networks.ts';
import { jitterMs, latencyMs, packetLossPercent } from '../../../core/cdr/thresholds.ts';
import { type Grouped, groupedBy } from '../../../core/grouped.ts';
import { type Decimal, decimal } from '../../../core/money.ts';
import { plus } from '../../../core/sums.ts';
import { accountOf, callsOnly, type Day, type FindingsScope, sliceOf, sliceSql } from './slice.ts';

/** Sums over some records. */
export interface Traffic {
  readonly records: number;
  /** Records that came more than seven days after their call. */
  readonly late: number;
  /** Calls; `answered` counts the answered ones, and `seconds` is their duration. */
  readonly attempts: number;
  readonly answered: number;
  /** Calls that reached the called side: answered ones, and those that it did not take. */
  readonly reached: number;
  readonly seconds: number;
  readonly loss: Measured;
  readonly jitter: Measured;
  readonly latency: Measured;
}

/** Values of one quality measure. */
interface Measured {
  readonly count: number;
  readonly sum: Decimal;
  /** Number of values above the threshold. */
  readonly above: number;
}

export interface TrafficOf extends Traffic {
  readonly account: string;
  readonly date: string;
  readonly network: string;
  readonly callType: string;
}

/** SQL: `isAnswered` of call-types.ts. */
const statusWord = `translate(upper(trim(coalesce(call_status, ''))), ' -', '__')`;
const isAnswered = `(${statusWord} = ANY ($5::text[]) OR (duration_s > 0 AND ${statusWord} <> ALL ($6::text[])))`;

const measure = (name: string, above: number) =>
  `count(${name}) AS ${name}_n, coalesce(sum(${name}), 0) AS ${name}_sum,
   count(*) FILTER (WHERE ${name} > ${above}) AS ${name}_above`;

const sums = [
  'records',
  'late',
  'attempts',
  'answered',
  'reached',
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
      ${callsOnly} AND ${isAnswered} AS is_answered,
      ${callsOnly} AND (${isAnswered} OR ${statusWord} = ANY ($7::text[])) AS is_reached, is_late, packet_loss AS loss, jitter_ms AS jitter,
      latency_ms AS latency
    ${sliceSql}
  ), grouped AS (
    SELECT account_id, network_provider, call_type, count(*) AS records, count(*) FILTER (WHERE is_late) AS late,
      count(*) FILTER (WHERE is_call) AS attempts, count(*) FILTER (WHERE is_answered) AS answered,
      count(*) FILTER (WHERE is_reached) AS reached,
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
    | 'reached'
    | 'seconds'
    | `${Measures}_${'n' | 'sum' | 'above'}`]: string;
};

/** Sums of one day by account, network and call type. */
export async function readTraffic(s: FindingsScope, day: Day): Promise<TrafficOf[]> {
  const rows = await s.db.query<TrafficRow>(statement, [
    ...sliceOf(s, day),
    answeredWords,
    unansweredWords,
    notTakenWords,
  ]);
  return rows.map((r) => ({
    account: r.account_id,
    date: day.date,
    network: r.network,
    callType: r.call_type,
    records: Number(r.records),
    late: Number(r.late),
    attempts: Number(r.attempts),
    answered: Number(r.answered),
    reached: Number(r.reached),
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

const measures = (all: readonly Measured[]): Measured => ({
  count: all.reduce((n, m) => n + m.count, 0),
  sum: all.map((m) => m.sum).reduce(plus),
  above: all.reduce((n, m) => n + m.above, 0),
});

/** Adds sums up by some fields, in the order of first occurrence. */
export const groupTraffic = <K extends 'account' | 'date' | 'network' | 'callType'>(
  all: readonly TrafficOf[],
  ...by: readonly K[]
): (Grouped<TrafficOf, K> & Traffic)[] =>
  groupedBy(all, by).map((g) => {
    const sum = (name: 'records' | 'late' | 'attempts' | 'answered' | 'reached' | 'seconds') =>
      g.rows.reduce((n, t) => n + t[name], 0);
    return {
      ...g,
      records: sum('records'),
      late: sum('late'),
      attempts: sum('attempts'),
      answered: sum('answered'),
      reached: sum('reached'),
      seconds: sum('seconds'),
      loss: measures(g.rows.map((t) => t.loss)),
      jitter: measures(g.rows.map((t) => t.jitter)),
      latency: measures(g.rows.map((t) => t.latency)),
    };
  });

/** Networks other than the account's own, those with most records first. */
export function foreignNetworks(s: FindingsScope, all: readonly TrafficOf[]) {
  const ofAll = new Map(groupTraffic(all, 'account').map((t) => [t.account, t.records]));
  return groupTraffic(all, 'account', 'network')
    .map((t) => ({ ...t, ofAll: ofAll.get(t.account) ?? 0 }))
    .filter((n) => n.network !== otherNetworks)
    .filter((n) => isForeignNetwork(n.network, accountOf(s, n.account), s.networks, n.records, n.ofAll))
    .sort((a, b) => b.records - a.records || (a.network < b.network ? -1 : 1));
}
