// Benchmark of overload, in rounds: the service's peak in a closed loop, then several times that load in an open loop,
// by one key that floods and a few moderate ones. Prints goodput, latency, statuses and the moderate keys' share; never
// part of the tests.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeClients } from './accounts.ts';
import type { OpenJob, OpenResult, Tally } from './open-load.ts';
import { cpuMs } from './processor-time.ts';
import { quantile } from './quantile.ts';
import { tell } from './row.ts';
import { load, option, postgresPids, prepare, type Result, serve, stopPostgres } from './stage.ts';

const times = option('times', 5);
const rounds = option('rounds', 5);
const seconds = option('seconds', 6);
const modest = option('modest', 4);
const modestShare = option('share', 0.05);
const connections = option('connections', 2000);
const calmSeconds = 3;
const afterSeconds = 6;

interface Round {
  readonly goodput: number;
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
  /** Share of its due requests that the worst-served moderate key got answered. */
  readonly modest: number;
  /** Seconds; infinite if the service did not recover. */
  readonly recovery: number;
  /** Processor time of service and PostgreSQL for each verify answered 200, at the peak to the flood. */
  readonly cpu: number;
}

const place = await prepare('bench_overload');
const modestKeys = await makeClients(place, modest);
const done: Round[] = [];
const statuses: Record<string, number> = {};
await serve('real', place, async (port, pid) => {
  const memory = watchMemory(pid);
  const peakOf = (warmSeconds: number) => load(port, pid, place.apiKey, { connections: 256, warmSeconds, seconds: 4 });
  const spentMs = () => cpuMs([pid]) + cpuMs(postgresPids());
  // The machine's speed may change within a minute, so each flood is compared with the peaks before and after it.
  let before = await peakOf(4);
  for (let round = 1; round <= rounds; round++) {
    const offered = offer(jobOf(port, round, before.perSecond));
    await pause(calmSeconds * 1000);
    const begun = spentMs();
    await pause(seconds * 1000);
    const floodMs = spentMs() - begun;
    const r = await offered;
    const after = await peakOf(1);
    done.push(told(round, r, before, after, floodMs));
    before = after;
  }
  const rss = memory();
  console.log(`memory (RSS) before ${rss.first} MB, highest ${rss.highest} MB, at the end ${rss.last} MB`);
});
const other = Object.entries(statuses).filter(([s]) => !['200', '429', '503'].includes(s));
const median = (pick: (r: Round) => number) => quantile(done.map(pick), 0.5);
const each = (pick: (r: Round) => number, digits: number) => done.map((r) => pick(r).toFixed(digits)).join(', ');
tell({
  what: `goodput at ${times} times the peak, to the peak`,
  value: median((r) => r.goodput),
  atLeast: 0.85,
  note: each((r) => r.goodput, 2),
});
tell({
  what: 'the same, by processor time of service and PostgreSQL',
  value: median((r) => r.cpu),
  note: `the load has none of it; ${each((r) => r.cpu, 2)}`,
});
tell({
  what: 'the same, p99 of those let in',
  value: median((r) => r.p99),
  digits: 0,
  unit: 'ms',
  note: `${each((r) => r.p99, 0)}; the longest ${Math.max(...done.map((r) => r.most)).toFixed(0)}`,
});
tell({
  what: 'the same, answered of the worst moderate key',
  value: median((r) => r.modest),
  digits: 1,
  unit: '%',
  atLeast: 99,
  note: each((r) => r.modest, 1),
});
tell({
  what: 'the same, normal again after',
  value: median((r) => r.recovery),
  unit: 's',
  atMost: 5,
  note: each((r) => r.recovery, 2),
});
tell({
  what: 'the same, answers other than 200, 429 and 503',
  value: other.reduce((n, [, count]) => n + count, 0),
  digits: 0,
  atMost: 0,
  note: Object.entries(statuses)
    .map(([s, n]) => `${s}: ${n}`)
    .join(', '),
});
await stopPostgres();

/** Before and after the flood the moderate keys send as usual, and the other key a fifth of the capacity. */
function jobOf(port: number, round: number, peak: number): OpenJob {
  const modestRate = peak * modestShare;
  const calm = peak / 5;
  return {
    port,
    prefix: `o${round}-${process.pid}`,
    phases: [calmSeconds, seconds, afterSeconds],
    callers: [
      { name: 'flood', apiKey: place.apiKey, connections, rates: [calm, times * peak - modest * modestRate, calm] },
      ...modestKeys.map((apiKey, i) => ({
        name: `modest ${i + 1}`,
        apiKey,
        connections: 200,
        rates: [modestRate, modestRate, modestRate],
      })),
    ],
  };
}

/** The result of one flood, printed as a line. */
function told(round: number, r: OpenResult, before: Result, after: Result, floodMs: number): Round {
  const peak = (before.perSecond + after.perSecond) / 2;
  const usAtPeak =
    ((before.nodeUs ?? 0) + (before.postgresUs ?? 0) + (after.nodeUs ?? 0) + (after.postgresUs ?? 0)) / 2;
  const [flood, ...others] = Object.values(r.tallies[1] as Record<string, Tally>) as [Tally, ...Tally[]];
  const during = [flood, ...others];
  const sum = (pick: (t: Tally) => number) => during.reduce((n, t) => n + pick(t), 0);
  for (const t of r.tallies.flatMap((p) => Object.values(p)))
    for (const [s, n] of Object.entries(t.statuses)) statuses[s] = (statuses[s] ?? 0) + n;
  const [calm, under] = r.latencies;
  const one = {
    goodput: sum((t) => t.statuses[200] ?? 0) / seconds / peak,
    cpu: (usAtPeak * sum((t) => t.statuses[200] ?? 0)) / (floodMs * 1000),
    p50: under?.p50 ?? 0,
    p99: under?.p99 ?? 0,
    most: under?.max ?? 0,
    modest: Math.min(...others.map((t) => (100 * (t.statuses[200] ?? 0)) / t.due)),
    recovery: recovery(r, calm?.p99 ?? 0),
  };
  const due = sum((t) => t.due);
  console.log(
    `${round}: peak before ${before.perSecond.toFixed(0)}/s, after ${after.perSecond.toFixed(0)}/s; offered ${(due / seconds).toFixed(0)}/s, not sent for want of a free connection ${((100 * sum((t) => t.unsent)) / due).toFixed(0)} %, the load late by ${r.lagMs.toFixed(0)} ms at most and on ${(r.cores[1] ?? 0).toFixed(2)} cores, the service and PostgreSQL on ${(floodMs / seconds / 1000).toFixed(2)}; goodput ${one.goodput.toFixed(2)}, by processor time ${one.cpu.toFixed(2)}; admitted p50 ${one.p50.toFixed(0)}, p99 ${one.p99.toFixed(0)} ms (calm before: ${calm?.p99.toFixed(0)}); modest keys ${one.modest.toFixed(1)} %; normal after ${one.recovery.toFixed(2)} s`,
  );
  return one;
}

/** Seconds from the end of the flood to the first second in which all requests succeed as fast as before. */
function recovery(r: OpenResult, usualMs: number): number {
  const from = (calmSeconds + seconds) * 4;
  const good = (i: number) => {
    const s = r.slices[i];
    return s !== undefined && s.ok === s.due && s.p99 <= Math.max(2 * usualMs, 25);
  };
  for (let i = from; i + 4 <= from + afterSeconds * 4; i++)
    if ([0, 1, 2, 3].every((k) => good(i + k))) return (i - from) / 4;
  return Number.POSITIVE_INFINITY;
}

function offer(job: OpenJob): Promise<OpenResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'open-load.ts'), JSON.stringify(job)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (d) => (out += d));
    child.once('exit', (code) =>
      code === 0 ? resolve(JSON.parse(out)) : reject(new Error(`the load ended with ${code}`)),
    );
  });
}

/** Resident memory of a process in MB, from /proc (0 elsewhere). */
function watchMemory(pid: number): () => { first: number; highest: number; last: number } {
  const read = () => {
    try {
      return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
    } catch {
      return 0;
    }
  };
  const first = read();
  let highest = first;
  const timer = setInterval(() => (highest = Math.max(highest, read())), 250);
  return () => {
    clearInterval(timer);
    return { first, highest, last: read() };
  };
}
