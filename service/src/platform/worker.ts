// What a worker tells its supervisor and asks of it. A process of its own has none, and none of this happens.
import cluster from 'node:cluster';
import { AggregatorRegistry } from 'prom-client';

/** A worker takes requests. */
export interface Ready {
  readonly type: 'assay:ready';
  readonly port: string;
  /** What a newcomer needs to read, shown once for all workers. */
  readonly greeting: string;
}
/** Asks for the metrics of all workers, and is answered with them. */
export interface MetricsAsked {
  readonly type: 'assay:metrics';
  readonly id: number;
  readonly text?: string;
}
export type FromWorker = Ready | MetricsAsked;

/** The last argument of a worker's process, so that one in another's cluster is taken for none of ours. */
export const workerMark = 'worker';
export const isWorker = cluster.isWorker && process.argv.at(-1) === workerMark;

/** Longer than the supervisor waits for a worker that does not answer. */
const patienceMs = 8_000;

export function tellReady(ready: Omit<Ready, 'type'>): void {
  if (isWorker) process.send?.({ type: 'assay:ready', ...ready } satisfies Ready);
}

/** Does so when the supervisor is gone, in place of ending at once. */
export function whenAbandoned(stop: () => void): void {
  const { worker } = cluster;
  if (!isWorker) return;
  worker?.once('disconnect', () => {
    worker.exitedAfterDisconnect = true;
    stop();
  });
}

/** From here on the supervisor's asking is answered: it waits for all, those that are still starting too. */
export function hearMetricsAsked(): void {
  if (isWorker) new AggregatorRegistry();
}

let asked = 0;
/** The metrics of all workers in Prometheus' text form. @throws where the supervisor does not answer */
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
