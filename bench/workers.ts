// Benchmark of workers: verifyTransaction in a closed loop on the service with one worker and with two. Prints their
// ratio within one run. Load, service and PostgreSQL share the machine's cores, so two cores show little gain. Never
// part of the tests.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { best, load, option, type Place, prepare, type Result, stopPostgres } from './stage.ts';

const rounds = option('rounds', 2);
const many = option('workers', 2);
const how = {
  connections: option('connections', 64),
  seconds: option('seconds', 10),
  warmSeconds: option('warm', 4),
};

const place = await prepare('bench_workers');
const results = new Map<number, Result[]>([
  [1, []],
  [many, []],
]);
// Rounds are interleaved, so that slow moments of the machine affect both alike.
for (let i = 0; i < rounds; i++)
  for (const [workers, all] of results)
    all.push(await start(workers, place, (port, pid) => load(port, pid, place.apiKey, how)));
const bestOf = (workers: number) => best(results.get(workers) as Result[]);
for (const workers of results.keys()) {
  const r = bestOf(workers);
  console.log(
    `WORKERS=${workers}   ${r.perSecond.toFixed(0).padStart(7)}/s   p50 ${r.p50.toFixed(2)} ms   p99 ${r.p99.toFixed(2)} ms   CPU postgres ${r.postgresUs?.toFixed(0)} µs${r.failed ? `   ${r.failed} FAILED` : ''}`,
  );
}
console.log(
  `WORKERS=${many} / WORKERS=1   ${(bestOf(many).perSecond / bestOf(1).perSecond).toFixed(2)}   (${availableParallelism()} cores, shared with PostgreSQL and the load)`,
);
await stopPostgres();

/** Runs the service as an operator starts it, during `use`. */
async function start<T>(workers: number, p: Place, use: (port: number, pid: number) => Promise<T>): Promise<T> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../service/bin/start.js')], {
    env: {
      ...process.env,
      WORKERS: String(workers),
      PORT: '0',
      CDR_SFTP: 'off',
      DATA_DIR: p.dataDir,
      DATABASE_URL: p.url,
      RATE_PER_SECOND: '1000000',
      RATE_BURST: '1000000',
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stderr.on('data', (d) => (text += d));
  child.stdout.on('data', (d) => (text += d));
  const gone = new Promise<void>((r) => child.once('exit', () => r()));
  const workersReady = () => text.split('"a worker is ready"').length - 1;
  while (!/API\s+http\S+\n/.test(text) || (workers > 1 && workersReady() < workers)) {
    if (child.exitCode !== null) throw new Error(`the service did not start: ${text}`);
    await new Promise((r) => setTimeout(r, 50));
  }
  const result = await use(Number(/API\s+http:\/\/[^:]+:(\d+)/.exec(text)?.[1]), child.pid as number);
  child.kill('SIGTERM');
  await gone;
  return result;
}
