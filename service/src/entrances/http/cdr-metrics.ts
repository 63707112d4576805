// Prometheus metrics of call detail files: lines taken in by this process, files by state in the database.
import { Counter, Gauge, type Registry } from 'prom-client';

export class CdrMetrics {
  readonly #lines: Counter;

  /** @param filesByState asked at each scrape */
  constructor(registry: Registry, filesByState: () => Promise<ReadonlyMap<string, number>>) {
    const registers = [registry];
    this.#lines = new Counter({
      name: 'assay_cdr_file_lines_total',
      help: 'Lines of call detail files that were recorded, kept out or known as duplicates.',
      registers,
    });
    new Gauge({
      name: 'assay_cdr_files',
      help: 'Call detail files by state.',
      labelNames: ['state'],
      registers,
      async collect() {
        const files = await filesByState().catch(() => new Map<string, number>());
        this.reset();
        for (const [state, n] of files) this.set({ state }, n);
      },
    });
  }

  lines(n: number): void {
    this.#lines.inc(n);
  }
}
