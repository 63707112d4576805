// Prometheus metrics of the auditor: what became of the checkpoints sent there.
import { Counter, Gauge, type Registry } from 'prom-client';

export class AuditorMetrics {
  readonly #attempts: Counter<'reason'>;

  /** @param troubled PSPs whose checkpoint is not taken, asked at each scrape */
  constructor(registry: Registry, troubled: () => number) {
    const registers = [registry];
    this.#attempts = new Counter({
      name: 'assay_auditor_attempts_total',
      help: 'Attempts to send a checkpoint to the auditor by what came of them.',
      labelNames: ['reason'],
      registers,
    });
    new Gauge({
      name: 'assay_auditor_troubled',
      help: 'PSPs whose checkpoint the auditor does not take at present.',
      registers,
      collect() {
        this.set(troubled());
      },
    });
  }

  attempt(reason: string): void {
    this.#attempts.inc({ reason });
  }
}
