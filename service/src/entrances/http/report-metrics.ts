// Prometheus metrics of reports: those in the database by state, and how long this process took over its own.
import { Gauge, Histogram, type Registry } from 'prom-client';

export class ReportMetrics {
  readonly #seconds: Histogram;

  /** @param reportsByState asked at each scrape */
  constructor(registry: Registry, reportsByState: () => Promise<ReadonlyMap<string, number>>) {
    const registers = [registry];
    this.#seconds = new Histogram({
      name: 'assay_report_seconds',
      help: 'Time from the beginning of a report to its end, by kind and outcome.',
      labelNames: ['kind', 'state'],
      buckets: [0.1, 0.5, 1, 5, 15, 60, 300, 1800],
      registers,
    });
    new Gauge({
      name: 'assay_reports',
      help: 'Reports by state.',
      // Every process reads the same of the database.
      aggregator: 'max',
      labelNames: ['state'],
      registers,
      async collect() {
        const reports = await reportsByState().catch(() => new Map<string, number>());
        this.reset();
        for (const [state, n] of reports) this.set({ state }, n);
      },
    });
  }

  made({ kind, state, ms }: { kind: string; state: string; ms: number }): void {
    this.#seconds.observe({ kind, state }, ms / 1000);
  }
}
