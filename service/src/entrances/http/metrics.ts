// Prometheus metrics of the process.
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { version } from '../../platform/version.ts';
import { askMetrics, isWorker } from '../../platform/worker.ts';

export interface HttpMetrics {
  observe(route: string, method: string, status: number, elapsedMs: number): void;
  authFailed(): void;
  watchDoor(read: () => { inHand: number; limit: number; held: number }): void;
}

export class Metrics implements HttpMetrics {
  readonly registry = new Registry();
  readonly #requests = new Histogram({
    name: 'assay_http_request_seconds',
    help: 'Requests by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [this.registry],
  });
  readonly #authFailures = new Counter({
    name: 'assay_auth_failures_total',
    help: 'Requests with a key that is not valid.',
    registers: [this.registry],
  });
  readonly #batchSize = new Histogram({
    name: 'assay_batch_commands',
    help: 'Commands in one commit.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers: [this.registry],
  });
  readonly #commit = new Histogram({
    name: 'assay_commit_seconds',
    help: 'Time of one commit.',
    buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2],
    registers: [this.registry],
  });
  readonly #waited = new Histogram({
    name: 'assay_queue_seconds',
    help: 'Wait of the oldest command of a batch.',
    buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25],
    registers: [this.registry],
  });

  /** @param depth number of waiting commands, read at each scrape */
  constructor(depth: () => number) {
    if (isWorker) AggregatorRegistry.setRegistries([this.registry]);
    new Gauge({ name: 'assay_processes', help: 'Processes these figures are of.', registers: [this.registry] }).set(1);
    new Gauge({
      name: 'assay_build_info',
      help: 'The version that runs, in its label.',
      labelNames: ['version'],
      aggregator: 'first',
      registers: [this.registry],
    }).set({ version }, 1);
    collectDefaultMetrics({ register: this.registry, prefix: 'assay_' });
    new Gauge({
      name: 'assay_queue_commands',
      help: 'Commands waiting for a batch.',
      registers: [this.registry],
      collect() {
        this.set(depth());
      },
    });
  }

  /** Registers what admission lets in and refuses, read at each scrape. */
  watchDoor(read: () => { inHand: number; limit: number; held: number }): void {
    const gauge = (name: string, help: string, of: keyof ReturnType<typeof read>) =>
      new Gauge({
        name,
        help,
        registers: [this.registry],
        collect() {
          this.set(read()[of]);
        },
      });
    gauge('assay_requests_in_hand', 'Requests let in and not yet answered.', 'inHand');
    gauge('assay_requests_limit', 'Requests in hand from which on more are refused.', 'limit');
    gauge('assay_refusals_held', 'Refusals that are answered late.', 'held');
  }

  /** Everything in Prometheus' text format; in a worker, of all workers. */
  text(): Promise<string> {
    return isWorker ? askMetrics() : this.registry.metrics();
  }

  readonly #routes = new Map<string, Histogram.Internal<string>>();

  observe(route: string, method: string, status: number, elapsedMs: number): void {
    const key = `${route} ${method} ${status}`;
    let series = this.#routes.get(key);
    if (!series) {
      series = this.#requests.labels(route, method, String(status));
      this.#routes.set(key, series);
    }
    series.observe(elapsedMs / 1000);
  }

  authFailed(): void {
    this.#authFailures.inc();
  }

  batch(b: { size: number; commitMs: number; waitedMs: number }): void {
    this.#batchSize.observe(b.size);
    this.#commit.observe(b.commitMs / 1000);
    this.#waited.observe(b.waitedMs / 1000);
  }
}
