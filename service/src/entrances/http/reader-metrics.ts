// Prometheus metrics of the journal's readers: how far each is behind, and where one stands still.
import { Gauge, type Registry } from 'prom-client';

/** A reader as it is asked at each scrape; a lag that cannot be read shows as NaN. */
export interface MeasuredReader {
  readonly name: string;
  lag(): Promise<number>;
  readonly troubled: number;
  setAside(): Promise<number>;
}

export function measureReaders(registry: Registry, readers: readonly MeasuredReader[]): void {
  const registers = [registry];
  new Gauge({
    name: 'assay_journal_reader_lag',
    help: 'Journal entries a reader has not read yet.',
    // Every process reads the same of the database.
    aggregator: 'max',
    labelNames: ['reader'],
    registers,
    async collect() {
      for (const r of readers) this.set({ reader: r.name }, await r.lag().catch(() => Number.NaN));
    },
  });
  new Gauge({
    name: 'assay_journal_reader_troubled',
    help: 'PSPs in whose journal a reader stands still because of an error.',
    labelNames: ['reader'],
    registers,
    collect() {
      for (const r of readers) this.set({ reader: r.name }, r.troubled);
    },
  });
  new Gauge({
    name: 'assay_journal_reader_set_aside',
    help: 'Journal entries that a reader could not read and has gone on without.',
    aggregator: 'max',
    labelNames: ['reader'],
    registers,
    async collect() {
      for (const r of readers) this.set({ reader: r.name }, await r.setAside().catch(() => Number.NaN));
    },
  });
}
