// Messages between a worker and its supervisor. A process without a supervisor sends none.
import cluster from 'node:cluster';
import type { Figures } from './figures.ts';

/** A worker is at work: one that serves accepts requests. */
export interface Ready {
  readonly type: 'assay:ready';
  /** Empty if it listens nowhere. */
  readonly port: string;
  /** The greeting for a newcomer, printed once for all workers. */
  readonly greeting: string;
}
/** Requests the metrics of all workers; the reply contains them. */
interface MetricsAsked {
  readonly type: 'assay:metrics';
  readonly id: number;
  readonly text?: string;
}
/** Passed on to the worker that follows. */
export interface WakeSent {
  readonly type: 'assay:wake';
  readonly wake: Wake;
}
/** The supervisor asks a worker for its figures; the reply contains them. */
export interface FiguresAsked {
  readonly type: 'assay:figures';
  readonly id: number;
  readonly figures?: Figures;
}
/** A worker that ends with this could not start because the database was not there, or had no room: another may. */
export const awayExit = 75;

/** The supervisor asks whether a worker is at work at all; the reply is the same. */
export interface Alive {
  readonly type: 'assay:alive';
}

export type FromWorker = Ready | MetricsAsked | FiguresAsked | WakeSent | Alive;

/**
 * What a process that serves has for one that follows: journals that have grown, or work that was requested. Some may
 * be lost; a follower also looks by itself.
 */
export type Wake = { readonly psps: ReadonlySet<string> } | { readonly work: 'intake' | 'reports' | 'screening' };

/** Sends wake-ups to another process. Journals that grow while a message is under way share the next one. */
export class WakeSender {
  readonly #send: (message: WakeSent, sent: () => void) => void;
  #psps = new Set<string>();
  #sending = false;

  /** @param send calls `sent` once the message has left, or cannot */
  constructor(send: (message: WakeSent, sent: () => void) => void) {
    this.#send = send;
  }

  pass(wake: Wake): void {
    if ('work' in wake) this.#send({ type: 'assay:wake', wake }, () => undefined);
    else for (const psp of wake.psps) this.#psps.add(psp);
    if (!this.#sending) this.#flush();
  }

  #flush(): void {
    const psps = this.#psps;
    this.#sending = psps.size > 0;
    if (!this.#sending) return;
    this.#psps = new Set();
    this.#send({ type: 'assay:wake', wake: { psps } }, () => this.#flush());
  }
}

/** Last argument of a worker's process, to recognise our own workers in another program's cluster. */
export const workerMark = 'worker';
export const isWorker = cluster.isWorker && process.argv.at(-1) === workerMark;

/** Longer than the supervisor waits for a worker that does not answer. */
const patienceMs = 8_000;

export function tellReady(ready: Omit<Ready, 'type'>): void {
  if (!isWorker) return;
  process.on('message', (m: FromWorker) => m.type === 'assay:alive' && process.send?.(m));
  process.send?.({ type: 'assay:ready', ...ready } satisfies Ready);
}

const toSupervisor = new WakeSender((message, sent) => process.send?.(message, undefined, undefined, sent));

/** Wakes the process that follows beside this one, if there is one. */
export function wakeBeside(wake: Wake): void {
  if (isWorker) toSupervisor.pass(wake);
}

/** @param woken called with what processes beside this one have for it */
export function hearWakes(woken: (wake: Wake) => void): void {
  if (isWorker) process.on('message', (m: FromWorker) => m.type === 'assay:wake' && woken(m.wake));
}

/** Stops cleanly when the supervisor is gone, instead of ending at once. */
export function whenAbandoned(stop: () => void): void {
  const { worker } = cluster;
  if (!isWorker) return;
  worker?.once('disconnect', () => {
    worker.exitedAfterDisconnect = true;
    stop();
  });
}

/** Answers the supervisor, which asks for the figures of this process. */
export function tellFigures(read: () => Promise<Figures>): void {
  if (!isWorker) return;
  process.on('message', (m: FromWorker) => {
    if (m.type !== 'assay:figures') return;
    // One that cannot read them is as one that does not answer.
    read().then(
      (figures) => process.send?.({ ...m, figures } satisfies FromWorker),
      () => undefined,
    );
  });
}

let asked = 0;
/** The metrics of all workers in Prometheus' text format. @throws if the supervisor does not answer */
export function askMetrics(): Promise<string> {
  const id = ++asked;
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      process.off('message', hear);
    };
    const hear = (m: MetricsAsked) => {
      if (m.type !== 'assay:metrics' || m.id !== id) return;
      end();
      resolve(m.text ?? '');
    };
    const timer = setTimeout(() => {
      end();
      reject(new Error('the metrics of all workers could not be had in time'));
    }, patienceMs);
    process.on('message', hear);
    process.send?.({ type: 'assay:metrics', id } satisfies MetricsAsked);
  });
}
