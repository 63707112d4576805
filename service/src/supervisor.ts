// Runs several worker processes as one service, those that serve and one that follows: starts them, replaces those that
// end or hang, stops all in order, passes wake-ups on and adds up their metrics. Serves no requests and uses no database, so that
// little can end it.
import cluster, { type Worker } from 'node:cluster';
import { setPriority } from 'node:os';
import { eachListens, refuseTaken } from './adapters/http/listeners.ts';
import { monotonicClock } from './platform/clock.ts';
import { every } from './platform/every.ts';
import { FiguresOfAll } from './platform/figures.ts';
import { errorFields, type Log } from './platform/log.ts';
import { type Alive, awayExit, type FiguresAsked, type FromWorker, WakeSender, workerMark } from './platform/worker.ts';
import type { Settings } from './settings.ts';

/** A worker that ends before it is ready, or within this time, has failed to start. */
const soonMs = 2_000;
/** Consecutive failed starts after which it gives up, so that nobody waits for answers; a follower is always tried again. */
const mostFailures = 5;
const longestPauseMs = 30_000;
/** A worker ends itself within STOP_LIMIT_MS after it stopped serving; this much later one that cannot is ended. */
const stopSlackMs = 1_000;
/** Priority of the process that follows, as `nice` counts: requests that wait for an answer come first. */
const followerPriority = 10;

/** Times that it asks a worker whether it is at work, within the silence after which it is replaced. */
const asksWithinSilence = 12;

/** Workers of one role. */
interface Crew {
  readonly role: 'serve' | 'follow';
  readonly count: number;
  readonly workers: Set<Worker>;
  /** Those that are at work. */
  readonly ready: WeakSet<Worker>;
  /** Of those that are at work, how often each was asked and has not answered. */
  readonly unanswered: WeakMap<Worker, number>;
  wasReady: boolean;
  failures: number;
  restart?: NodeJS.Timeout;
}

/** How a worker ended. */
interface Exit {
  readonly pid: number | undefined;
  readonly code: number | null;
  readonly signal: string | null;
}

/**
 * Runs until a signal.
 * @param say prints for the person who starts the service
 * @returns the exit code: 0 if every worker ended in order
 * @throws if the workers cannot be started, or no longer
 */
export async function supervise(
  settings: Pick<Settings, 'port' | 'host' | 'stopDelayMs' | 'stopLimitMs' | 'workerSilenceMs'>,
  counts: Readonly<Record<Crew['role'], number>>,
  log: Log,
  say: (text: string) => void,
): Promise<number> {
  await refuseTaken(settings);
  // Keeps numbers as they are: JSON has no NaN, the value of a gauge that cannot be read.
  cluster.setupPrimary({ serialization: 'advanced', args: [workerMark] });
  const figures = new FiguresOfAll<Worker>(
    (worker, id) => worker.isConnected() && worker.send({ type: 'assay:figures', id } satisfies FiguresAsked),
  );
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const crew = (role: Crew['role']): Crew => ({
    ...{ role, count: counts[role], workers: new Set(), ready: new WeakSet(), unanswered: new WeakMap() },
    ...{ wasReady: false, failures: 0 },
  });
  const [serving, following] = [crew('serve'), crew('follow')];
  /** The first worker's port, for all others; a port that this process itself holds is shared with them on request. */
  let ports: Record<string, string> | undefined;
  let toFollower: WakeSender | undefined;
  /** Called when all have ended. */
  let end: (() => void) | undefined;
  let disorderly = false;
  let stoppedBy: NodeJS.Signals = 'SIGTERM';

  function start(crew: Crew): void {
    const { role, workers } = crew;
    // One process follows, however many serve.
    const worker = cluster.fork({ ...ports, ROLE: role, ...(role === 'follow' ? { WORKERS: '1' } : {}) });
    const { pid } = worker.process;
    let readyAt: number | undefined;
    workers.add(worker);
    if (role === 'follow') {
      lower(pid);
      toFollower = new WakeSender((message, sent) => worker.send(message, sent));
    }
    worker.on('message', (m: FromWorker) => {
      if (m.type === 'assay:wake') toFollower?.pass(m.wake);
      if (m.type === 'assay:metrics') answerMetrics(worker, m.id);
      if (m.type === 'assay:figures' && m.figures) figures.answered(worker, m.id, m.figures);
      // It may have more to say than this; any word of it is a sign.
      crew.unanswered.set(worker, 0);
      if (m.type !== 'assay:ready') return;
      readyAt = monotonicClock();
      crew.wasReady = true;
      crew.ready.add(worker);
      log.info({ role, pid }, 'a worker is ready');
      if (ports || end) return;
      ports = eachListens ? { PORT: m.port } : {};
      say(m.greeting);
      for (const c of [serving, following]) fill(c);
    });
    worker.once('exit', (code, signal) => {
      workers.delete(worker);
      figures.ended(worker);
      if (end) {
        // A process that has only just begun does not handle signals yet.
        if (code !== 0 && signal !== stoppedBy) disorderly = true;
        if (serving.workers.size === 0) endFollower();
        return;
      }
      replace(crew, { pid, code, signal }, readyAt !== undefined && monotonicClock() - readyAt > soonMs);
    });
  }

  /** Gives the process that follows a lower priority. At once after its start: threads that it makes later inherit it. */
  function lower(pid: number | undefined): void {
    try {
      if (pid !== undefined) setPriority(pid, followerPriority);
    } catch (e) {
      log.warn(errorFields(e), 'the process that follows has the priority of the others');
    }
  }

  function fill(crew: Crew): void {
    while (crew.workers.size < crew.count) start(crew);
  }

  function replace(crew: Crew, exit: Exit, lived: boolean): void {
    const { role } = crew;
    log.warn({ role, ...exit }, 'a worker ended');
    crew.failures = lived ? 0 : crew.failures + 1;
    const what = crew.wasReady
      ? `workers ended at their start ${crew.failures} times in a row`
      : 'a worker ended at its start';
    // One that follows and was ended by a signal, or had no database, did not fail by itself: requests are answered, and
    // another is tried.
    const failed = !crew.wasReady && (role === 'serve' || (exit.signal === null && exit.code !== awayExit));
    if (failed || (role === 'serve' && crew.failures >= mostFailures))
      stop(() => reject(new Error(`${what} (${role}); what they wrote says why`)));
    else {
      // More may end before the delay is over.
      clearTimeout(crew.restart);
      const pauseMs = crew.failures === 0 ? 0 : Math.min(100 * 2 ** crew.failures, longestPauseMs);
      crew.restart = setTimeout(() => fill(crew), pauseMs);
    }
  }

  function stop(then: () => void, by: NodeJS.Signals = 'SIGTERM'): void {
    // A second signal is passed to the workers too.
    if (end) tell(serving, by);
    if (end) return;
    end = then;
    stoppedBy = by;
    for (const c of [serving, following]) clearTimeout(c.restart);
    tell(serving, by);
    setTimeout(
      () => {
        disorderly = true;
        for (const w of [...serving.workers, ...following.workers]) w.process.kill('SIGKILL');
      },
      settings.stopDelayMs + settings.stopLimitMs + stopSlackMs,
    ).unref();
    if (serving.workers.size === 0) endFollower();
  }

  /** Last, so that what is recorded until then is followed too. */
  function endFollower(): void {
    if (following.workers.size === 0) end?.();
    tell(following, stoppedBy);
  }

  function tell(crew: Crew, signal: NodeJS.Signals): void {
    for (const w of crew.workers) w.process.kill(signal);
  }

  /**
   * Ends a worker that hangs: the kernel still gives connections to one that serves, and nobody does the work of one
   * that follows. Counts its own questions, not time: a machine that slept has asked none.
   */
  function endSilent(crew: Crew): void {
    for (const worker of crew.workers) {
      const unanswered = crew.unanswered.get(worker);
      if (unanswered === undefined || !crew.ready.has(worker)) continue;
      if (unanswered >= asksWithinSilence) {
        const { pid } = worker.process;
        log.error({ role: crew.role, pid, silentMs: settings.workerSilenceMs }, 'a worker hangs and is ended');
        crew.unanswered.delete(worker);
        worker.process.kill('SIGKILL');
        continue;
      }
      crew.unanswered.set(worker, unanswered + 1);
      if (worker.isConnected()) worker.send({ type: 'assay:alive' } satisfies Alive);
    }
  }

  /** One that still starts has nothing to tell. */
  function answerMetrics(worker: Worker, id: number): void {
    const ready = [serving, following].flatMap((c) => [...c.workers].filter((w) => c.ready.has(w)));
    figures.text([worker, ...ready]).then(
      (text) => worker.isConnected() && worker.send({ type: 'assay:metrics', id, text } satisfies FromWorker),
      (e) => log.warn(errorFields(e), 'a worker does not tell its metrics'),
    );
  }

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      log.info({ signal }, 'stopping');
      stop(() => resolve(disorderly ? 1 : 0), signal);
    });
  const { workerSilenceMs } = settings;
  if (workerSilenceMs > 0)
    every(workerSilenceMs / asksWithinSilence, () => end ?? [serving, following].forEach(endSilent));
  start(serving);
  return promise;
}
