// Runs several worker processes as one service: starts them, replaces those that end, stops all in order and adds up
// their metrics. Serves no requests and uses no database, so that little can end it.
import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry } from 'prom-client';
import { eachListens, refuseTaken } from './entrances/http/listeners.ts';
import { monotonicClock } from './platform/clock.ts';
import { errorFields, type Log } from './platform/log.ts';
import { type FromWorker, workerMark } from './platform/worker.ts';
import type { Settings } from './settings.ts';

/** A worker that ends before it is ready, or within this time, has failed to start. */
const soonMs = 2_000;
/** Consecutive failed starts after which it gives up. */
const mostFailures = 5;
/** A worker ends itself within 10 s after it stopped serving; this only ends one that cannot. */
const stopMs = 11_000;

/**
 * Runs until a signal.
 * @param say prints for the person who starts the service
 * @returns the exit code: 0 if every worker ended in order
 * @throws if the workers cannot be started, or no longer
 */
export async function supervise(
  settings: Pick<Settings, 'port' | 'host' | 'stopDelayMs'>,
  count: number,
  log: Log,
  say: (text: string) => void,
): Promise<number> {
  await refuseTaken(settings);
  // Keeps numbers as they are: JSON has no NaN, the value of a gauge that cannot be read.
  cluster.setupPrimary({ serialization: 'advanced', args: [workerMark] });
  const all = new AggregatorRegistry();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const workers = new Set<Worker>();
  /** The first worker's port, for all others; a port that this process itself holds is shared with them on request. */
  let ports: Record<string, string> | undefined;
  let failures = 0;
  let restart: NodeJS.Timeout | undefined;
  /** Called when all have ended. */
  let end: (() => void) | undefined;
  let disorderly = false;
  let stoppedBy: NodeJS.Signals | undefined;

  function start(): void {
    const worker = cluster.fork(ports);
    let readyAt: number | undefined;
    workers.add(worker);
    worker.on('message', (m: FromWorker) => {
      if (m.type === 'assay:metrics') answerMetrics(worker, m.id);
      if (m.type !== 'assay:ready') return;
      readyAt = monotonicClock();
      log.info({ pid: worker.process.pid }, 'a worker is ready');
      if (ports || end) return;
      ports = eachListens ? { PORT: m.port } : {};
      say(m.greeting);
      for (let i = 1; i < count; i++) start();
    });
    worker.once('exit', (code, signal) => {
      workers.delete(worker);
      if (end) {
        // A worker still starting does not handle signals yet.
        if (code !== 0 && signal !== stoppedBy) disorderly = true;
        if (workers.size === 0) end();
        return;
      }
      replace(worker, { code, signal }, readyAt !== undefined && monotonicClock() - readyAt > soonMs);
    });
  }

  function replace(worker: Worker, exit: object, lived: boolean): void {
    log.warn({ pid: worker.process.pid, ...exit }, 'a worker ended');
    failures = lived ? 0 : failures + 1;
    if (!ports) stop(() => reject(new Error('the first worker ended at its start; what it wrote says why')));
    else if (failures >= mostFailures)
      stop(() =>
        reject(new Error(`workers ended at their start ${failures} times in a row; what they wrote says why`)),
      );
    else {
      // More may end before the delay is over.
      clearTimeout(restart);
      restart = setTimeout(
        () => {
          while (workers.size < count) start();
        },
        failures === 0 ? 0 : 100 * 2 ** failures,
      );
    }
  }

  function stop(then: () => void, by: NodeJS.Signals = 'SIGTERM'): void {
    // A second signal is passed to the workers too.
    if (end) tell(by);
    if (end) return;
    end = then;
    stoppedBy = by;
    clearTimeout(restart);
    tell(by);
    setTimeout(() => {
      disorderly = true;
      for (const w of workers) w.process.kill('SIGKILL');
    }, settings.stopDelayMs + stopMs).unref();
    if (workers.size === 0) then();
  }

  function tell(signal: NodeJS.Signals): void {
    for (const w of workers) w.process.kill(signal);
  }

  function answerMetrics(worker: Worker, id: number): void {
    all.clusterMetrics().then(
      (text) => worker.isConnected() && worker.send({ type: 'assay:metrics', id, text } satisfies FromWorker),
      (e) => log.warn(errorFields(e), 'a worker does not tell its metrics'),
    );
  }

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      log.info({ signal }, 'stopping');
      stop(() => resolve(disorderly ? 1 : 0), signal);
    });
  start();
  return promise;
}
