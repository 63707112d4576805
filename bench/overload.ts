// What overload does to the service: its peak in a closed loop, then several times that much offered in an open loop, by
// one key that floods and a few modest ones. Prints goodput, latency, statuses and the modest keys' share; never part of
// the tests.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeApp } from '../service/src/app.ts';
import { createAccount } from '../service/src/modules/accounts/administer.ts';
import { system } from '../service/src/modules/accounts/first-start.ts';
import { readSettings } from '../service/src/settings.ts';
import type { OpenJob, OpenResult, Tally } from './open-load.ts';
import { load, log, option, type Place, prepare, serve, stopPostgres } from './stage.ts';

const times = option('times', 5);
const seconds = option('seconds', 10);
const modest = option('modest', 4);
const modestShare = option('share', 0.05);
const connections = option('connections', 2000);
const afterSeconds = 8;

const place = await prepare('bench_overload');
const modestKeys = await makeKeys(place, modest);
await serve('real', place, async (port, pid) => {
  const how = { connections: 64, warmSeconds: 3, seconds: Math.max(5, seconds / 2) };
  const peak = await load(port, pid, place.apiKey, how);
  const peakMany = await load(port, pid, place.apiKey, { ...how, connections: 256, warmSeconds: 1 });
  const capacity = Math.max(peak.perSecond, peakMany.perSecond);
  console.log(
    `peak, closed loop                  ${capacity.toFixed(0).padStart(7)}/s   (64 connections ${peak.perSecond.toFixed(0)}/s, p99 ${peak.p99.toFixed(1)} ms; 256 ${peakMany.perSecond.toFixed(0)}/s, p99 ${peakMany.p99.toFixed(1)} ms)`,
  );

  const modestRate = capacity * modestShare;
  const flood = times * capacity - modest * modestRate;
  // Before and after: the modest keys as always, the other key at a fifth of what there is.
  const calm = capacity / 5;
  const job: OpenJob = {
    port,
    prefix: `o-${process.pid}`,
    phases: [4, seconds, afterSeconds],
    callers: [
      { name: 'flood', apiKey: place.apiKey, connections, rates: [calm, flood, calm] },
      ...modestKeys.map((apiKey, i) => ({
        name: `modest ${i + 1}`,
        apiKey,
        connections: 200,
        rates: [modestRate, modestRate, modestRate],
      })),
    ],
  };
  const memory = watchMemory(pid);
  const r = await offer(job);
  const rss = memory();
  const during = Object.values(r.tallies[1] as Record<string, Tally>);
  const all = during.reduce((n, t) => n + t.due, 0);
  const unsent = during.reduce((n, t) => n + t.unsent, 0);
  const ok = during.reduce((n, t) => n + (t.statuses[200] ?? 0), 0);
  const statuses: Record<string, number> = {};
  for (const t of r.tallies.flatMap((p) => Object.values(p)))
    for (const [s, n] of Object.entries(t.statuses)) statuses[s] = (statuses[s] ?? 0) + n;
  const other = Object.entries(statuses).filter(([s]) => !['200', '429', '503'].includes(s));
  console.log(
    `offered, open loop                 ${(all / seconds).toFixed(0).padStart(7)}/s   = ${(all / seconds / capacity).toFixed(1)} × peak; not sent for want of a free connection ${((100 * unsent) / all).toFixed(0)} % (${connections} of the flood, 200 of each modest key); the load was late by ${r.lagMs.toFixed(0)} ms at most`,
  );
  const [before, under, after] = r.latencies;
  console.log(`goodput / peak                     ${(ok / seconds / capacity).toFixed(2)}   (to reach 0.80)`);
  console.log(
    `admitted: p50 ${under?.p50.toFixed(1)} ms, p99 ${under?.p99.toFixed(1)} ms, at most ${under?.max.toFixed(1)} ms   (p99 to stay below 250; before ${before?.p99.toFixed(1)}, after ${after?.p99.toFixed(1)})`,
  );
  console.log(
    `answers                            ${Object.entries(statuses)
      .map(([s, n]) => `${s}: ${n}`)
      .join(', ')}   (to be 200, 429 and 503 only: ${other.length === 0 ? 'so they are' : 'THEY ARE NOT'})`,
  );
  for (const [name, t] of Object.entries(r.tallies[1] as Record<string, Tally>))
    console.log(
      `${name.padEnd(10)} at ${(t.due / seconds).toFixed(0).padStart(6)}/s   200: ${((100 * (t.statuses[200] ?? 0)) / t.due).toFixed(1).padStart(5)} % of what was due, not sent ${t.unsent}${name === 'flood' ? '' : '   (to reach 99)'}`,
    );
  console.log(`back to normal after               ${recovery(r, before?.p99 ?? 0)}   (to reach 5)`);
  console.log(
    `memory (RSS) before ${rss.first} MB, highest ${rss.highest} MB, at the end ${rss.last} MB; ${r.opened} connections opened`,
  );
});
await stopPostgres();

/** Seconds from the end of the flood until a second in which everything succeeds as fast as before. */
function recovery(r: OpenResult, usualMs: number): string {
  const from = (4 + seconds) * 4;
  const good = (i: number) => {
    const s = r.slices[i];
    return s !== undefined && s.ok === s.due && s.p99 <= Math.max(2 * usualMs, 25);
  };
  for (let i = from; i + 4 <= from + afterSeconds * 4; i++)
    if ([0, 1, 2, 3].every((k) => good(i + k))) return `${((i - from) / 4).toFixed(2)} s`;
  return `NOT WITHIN ${afterSeconds} s`;
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

/** Clients of the PSP of a place, with a key each. */
async function makeKeys(p: Place, count: number): Promise<string[]> {
  const app = await makeApp({
    settings: readSettings({ CDR_SFTP: 'off', DATA_DIR: p.dataDir, DATABASE_URL: p.url, LOG_LEVEL: 'warn' }),
    log,
  });
  const s = app.services;
  const [psp] = await s.db.query("SELECT id FROM accounts WHERE kind = 'psp'");
  const keys: string[] = [];
  for (let i = 1; i <= count; i++) {
    const { apiKey } = await createAccount(
      s,
      system,
      {
        psp: psp?.id as string,
        id: s.ids.next(),
        kind: 'client',
        name: `Client ${i}`,
        country: 'NG',
        classification: 'ECOMM_LOCAL',
      },
      s.clock(),
    );
    keys.push(apiKey);
  }
  await app.stop();
  return keys;
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
