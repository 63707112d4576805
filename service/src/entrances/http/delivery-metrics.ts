// Prometheus metrics of webhooks: what came of attempts, how soon the first was made, what waits.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** What is asked at each scrape; a source that cannot answer shows as NaN. */
export interface DeliveryGauges {
  /** Due and not in hand. */
  backlog(): Promise<number>;
  /** URLs at which nothing is sent at present. */
  breakersOpen(): number;
}

export class DeliveryMetrics {
  readonly #attempts: Counter<'reason'>;
  readonly #duration: Histogram;
  readonly #first: Histogram;

  constructor(registry: Registry, gauges: DeliveryGauges) {
    const registers = [registry];
    this.#attempts = new Counter({
      name: 'assay_webhook_attempts_total',
      help: 'Attempts to deliver a webhook by what came of them.',
      labelNames: ['reason'],
      registers,
    });
    this.#duration = new Histogram({
      name: 'assay_webhook_attempt_seconds',
      help: 'Time of one attempt.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
      registers,
    });
    this.#first = new Histogram({
      name: 'assay_webhook_first_attempt_seconds',
      help: 'From the decision that is announced to the beginning of its first attempt.',
      buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5, 30, 300],
      registers,
    });
    new Gauge({
      name: 'assay_webhook_backlog',
      help: 'Webhook deliveries that are due and not in hand.',
      // Every process reads the same of the database.
      aggregator: 'max',
      registers,
      async collect() {
        this.set(await gauges.backlog().catch(() => Number.NaN));
      },
    });
    new Gauge({
      name: 'assay_webhook_breakers_open',
      help: 'Webhook addresses at which nothing is sent for now, because they keep failing.',
      registers,
      collect() {
        this.set(gauges.breakersOpen());
      },
    });
  }

  attempt(a: { reason: string; durationMs: number; sinceMs: number | undefined }): void {
    this.#attempts.inc({ reason: a.reason });
    this.#duration.observe(a.durationMs / 1000);
    if (a.sinceMs !== undefined) this.#first.observe(Math.max(0, a.sinceMs) / 1000);
  }
}
