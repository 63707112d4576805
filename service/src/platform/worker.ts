// Messages between a worker and its supervisor. A process without a supervisor sends none.
import cluster from 'node:cluster';
import { AggregatorRegistry } from 'prom-client';

/** A worker accepts requests. */
export interface Ready {
  readonly type: 'assay:ready';
  readonly port: string;
  /** The greeting for a newcomer, printed once for all workers. */
  readonly greeting: string;
}
/** Requests the metrics of all workers; the reply contains them. */
export interface MetricsAsked {
  readonly type: 'assay:metrics';
  readonly id: number;
  readonly text?: string;
}
export type FromWorker = Ready | MetricsAsked;

/** Last argument of a worker's process, to recognise our own workers in another program's cluster. */
export const workerMark = 'worker';
export const isWorker = cluster.isWorker && process.argv.at(-1) === workerMark;

/** Longer than the supervisor waits for an unresponsive worker. */
const patienceMs = 8_000;

export function tellReady(ready: Omit<Ready, 'type'>): void {
  if (isWorker) process.send?.({ type: 'assay:ready', ...ready } satisfies Ready);
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

/** From here on the supervisor's requests are answered: it waits for all workers, including those still starting. */
export function hearMetricsAsked(): void {
  if (isWorker) new AggregatorRegistry();
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
