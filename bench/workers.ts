// Benchmark of workers: verifyTransaction in a closed loop on the service with one worker that serves and with two, beside
// the one that follows. Prints their ratio within one run. Load, service and PostgreSQL share the machine's cores, so two
// cores show little gain. Never part of the tests.
import { availableParallelism } from 'node:os';
import { asStarted, best, load, loadAsked, option, prepare, type Result, show, stopPostgres } from './stage.ts';

const rounds = option('rounds', 2);
const many = option('workers', 2);
const how = loadAsked(10, 4);

const place = await prepare('bench_workers');
const results = new Map<number, Result[]>([
  [1, []],
  [many, []],
]);
// Rounds are interleaved, so that slow moments of the machine affect both alike.
for (let i = 0; i < rounds; i++)
  for (const [workers, all] of results)
    all.push(
      await asStarted(place, { WORKERS: String(workers) }, ({ port, pids }) =>
        load(port, pids('serve'), place.apiKey, how),
      ),
    );
const bestOf = (workers: number) => best(results.get(workers) as Result[]);
for (const workers of results.keys()) show(`WORKERS=${workers}`, bestOf(workers));
console.log(
  `WORKERS=${many} / WORKERS=1   ${(bestOf(many).perSecond / bestOf(1).perSecond).toFixed(2)}   (${availableParallelism()} cores, shared with PostgreSQL and the load)`,
);
await stopPostgres();
