// Prometheus metrics of call detail records: lines taken in and records analysed by this process, files by state in the
// database.
import { Counter, Gauge, type Registry } from 'prom-client';

export class CdrMetrics {
  readonly #lines: Counter;
  readonly #analysed: Counter;

  /**
   * Both are asked at each scrape.
   * @param inHand of the files that are waiting or worked on together: the share that is done, and what is left
   */
  constructor(
    registry: Registry,
    filesByState: () => Promise<ReadonlyMap<string, number>>,
    inHand: () => Promise<{ readonly share: number; readonly bytesLeft: number; readonly etaSeconds: number }>,
  ) {
    const registers = [registry];
    this.#lines = new Counter({
      name: 'assay_cdr_file_lines_total',
      help: 'Lines of call detail files that were recorded, kept out or known as duplicates.',
      registers,
    });
    this.#analysed = new Counter({
      name: 'assay_cdr_analysed_records_total',
      help: 'Call detail records that were classed and taxed.',
      registers,
    });
    new Gauge({
      name: 'assay_cdr_files',
      help: 'Call detail files by state.',
      // Every process reads the same of the database.
      aggregator: 'max',
      labelNames: ['state'],
      registers,
      async collect() {
        const files = await filesByState().catch(() => new Map<string, number>());
        this.reset();
        for (const [state, n] of files) this.set({ state }, n);
      },
    });
    const left = new Gauge({
      name: 'assay_cdr_files_bytes_left',
      help: 'Bytes still to be read of the call detail files that were picked up.',
      aggregator: 'max',
      registers,
    });
    const eta = new Gauge({
      name: 'assay_cdr_files_eta_seconds',
      help: 'Seconds until they are done, as fast as since the first was picked up; 0 with none, NaN before a beginning.',
      aggregator: 'max',
      registers,
    });
    new Gauge({
      name: 'assay_cdr_files_progress_ratio',
      help: 'Share of their bytes that is done, from 0 to 1; 1 with none.',
      aggregator: 'max',
      registers,
      async collect() {
        const unknown = { share: Number.NaN, bytesLeft: Number.NaN, etaSeconds: Number.NaN };
        const all = await inHand().catch(() => unknown);
        this.set(all.share);
        left.set(all.bytesLeft);
        eta.set(all.etaSeconds);
      },
    });
  }

  lines(n: number): void {
    this.#lines.inc(n);
  }

  analysed(n: number): void {
    this.#analysed.inc(n);
  }
}
