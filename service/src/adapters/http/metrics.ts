// The metrics of metric-rows.ts in Prometheus' text form: counted and observed by name, gauges read at each scrape.
import { setTimeout as pause } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import { onFirstUse } from '../../core/first-use.ts';
import { version } from '../../platform/version.ts';
import { askMetrics, isWorker, tellFigures } from '../../platform/worker.ts';
import { type MetricRow, metricRows, type Named } from './metric-rows.ts';

type Labels = Readonly<Record<string, string>>;

/** One value, or a value for each value of the gauge's one label. */
export type Reading = number | ReadonlyMap<string, number>;
export type Readings = { readonly [N in Named<'gauge'>]?: () => Reading | Promise<Reading> };

/** Longest that a scrape waits for a gauge: less than the supervisor waits for a process, and Prometheus for the service. */
const usualReadingMs = 3_000;
const underWay = new WeakMap<() => unknown, Promise<Reading>>();

/**
 * A reading, asked again only once the one before has ended: of a database that hangs the scrapes must not ask for more and
 * more, and what no database tells must not be missing with it. @throws where it fails, or takes too long
 */
async function inTime(read: () => Reading | Promise<Reading>, readingMs: number): Promise<Reading> {
  let reading = underWay.get(read);
  if (reading === undefined) {
    reading = Promise.try(read).finally(() => underWay.delete(read));
    underWay.set(read, reading);
  }
  const end = new AbortController();
  const late = pause(readingMs, undefined, { signal: end.signal }).then(() => {
    throw new Error('the gauge was not read in time');
  });
  return Promise.race([reading, late]).finally(() => end.abort());
}

/** Milliseconds between two looks at the delay of the event loop. Each wakes a process that has nothing to do. */
const lagEveryMs = 100;

/**
 * Node gives the time from one look to the next; a look came late by what is more than their interval. Without a look
 * since the last reading it gives no number, and for the smallest one of centuries.
 */
function leaveOutInterval(gauge: Gauge): void {
  const set = gauge.set.bind(gauge) as (labels: object, seconds: number) => void;
  Object.assign(gauge, {
    set(labels: object, seconds: number) {
      const late = seconds - lagEveryMs / 1000;
      set(labels, late > 0 && late < 1e6 ? late : 0);
    },
  });
}

/**
 * Metrics of the process, made once in it, however many services it has: prom-client observes garbage collections and
 * the delay of the event loop for each that is made, and never stops.
 */
const processMetrics = onFirstUse((): readonly Metric[] => {
  const made = new Registry();
  collectDefaultMetrics({ register: made, prefix: 'assay_', eventLoopMonitoringPrecision: lagEveryMs });
  const all = made.getMetricsAsArray();
  for (const metric of all) {
    const [, figure] = /_eventloop_lag_(min|max|mean|p\d+)_/.exec(metric.name) ?? [];
    if (figure === undefined) continue;
    // The mean of several processes would hide the one whose thread is full.
    if (figure.startsWith('p')) metric.aggregator = 'max';
    leaveOutInterval(made.getSingleMetric(metric.name) as Gauge);
  }
  return all.flatMap(({ name }) => made.getSingleMetric(name) ?? []);
});

export class Metrics {
  readonly registry = new Registry();
  readonly #counters = new Map<string, Counter>();
  readonly #histograms = new Map<string, Histogram>();
  readonly #readings = new Map<string, () => Reading | Promise<Reading>>();
  readonly #routes = new Map<string, Histogram.Internal<string>>();

  readonly #readingMs: number;

  constructor(readingMs = usualReadingMs) {
    this.#readingMs = readingMs;
    tellFigures(() => this.registry.getMetricsAsJSON());
    for (const [name, row] of Object.entries<MetricRow>(metricRows)) {
      // Metrics of the process are registered here, so that their position in the output does not change.
      if (name === 'assay_queue_commands') for (const metric of processMetrics()) this.registry.registerMetric(metric);
      this.#make(name, row);
    }
    this.read({ assay_processes: () => 1, assay_build_info: () => new Map([[version, 1]]) });
  }

  #make(name: string, { kind, help, labels: labelNames = [], buckets = [], awaited = [], ...row }: MetricRow): void {
    const config = { name, help, labelNames: [...labelNames], registers: [this.registry] };
    if (kind === 'counter') {
      const counter = new Counter(config);
      for (const of of awaited) counter.inc({ ...of }, 0);
      this.#counters.set(name, counter);
    } else if (kind === 'histogram') {
      const histogram = new Histogram({ ...config, buckets: [...buckets] });
      for (const of of awaited) histogram.zero({ ...of });
      this.#histograms.set(name, histogram);
    } else {
      const [readings, readingMs] = [this.#readings, this.#readingMs];
      new Gauge({
        ...config,
        ...(row.shared || row.fullest ? { aggregator: 'max' } : {}),
        async collect() {
          const read = readings.get(name);
          // Another process has what this one has no reading of: it must not show, or the sum of all is no number.
          const labelled = labelNames.length > 0;
          if (!read) return labelled ? undefined : this.remove();
          const unknown = labelled ? new Map<string, number>() : Number.NaN;
          const reading = await inTime(read, readingMs).catch(() => unknown);
          if (typeof reading === 'number') return this.set(reading);
          this.reset();
          for (const [label, value] of reading) this.set({ [labelNames[0] as string]: label }, value);
        },
      });
    }
  }

  /** Says how gauges are read at each scrape; one that cannot be read shows as NaN, or without any label; one without a reading not at all. */
  read(readings: Readings): void {
    for (const [name, read] of Object.entries(readings)) this.#readings.set(name, read);
  }

  count(name: Named<'counter'>, labels: Labels = {}, by = 1): void {
    this.#counters.get(name)?.inc(labels, by);
  }

  observe(name: Named<'histogram'>, value: number, labels: Labels = {}): void {
    this.#histograms.get(name)?.observe(labels, value);
  }

  /** A request that was answered; there are many, so the series of each route is looked up once. */
  answered(route: string, method: string, status: number, elapsedMs: number): void {
    const key = `${route} ${method} ${status}`;
    let series = this.#routes.get(key);
    if (!series) {
      const requests = this.#histograms.get('assay_http_request_seconds' satisfies Named<'histogram'>) as Histogram;
      series = requests.labels(route, method, String(status));
      this.#routes.set(key, series);
    }
    series.observe(elapsedMs / 1000);
  }

  batch(b: { size: number; commitMs: number; waitedMs: number }): void {
    this.observe('assay_batch_commands', b.size);
    this.observe('assay_commit_seconds', b.commitMs / 1000);
    this.observe('assay_queue_seconds', b.waitedMs / 1000);
  }

  attempt(a: { reason: string; durationMs: number; sinceMs: number | undefined }): void {
    this.count('assay_webhook_attempts_total', { reason: a.reason });
    this.observe('assay_webhook_attempt_seconds', a.durationMs / 1000);
    if (a.sinceMs !== undefined) this.observe('assay_webhook_first_attempt_seconds', Math.max(0, a.sinceMs) / 1000);
  }

  report({ kind, state, ms }: { kind: string; state: string; ms: number }): void {
    this.observe('assay_report_seconds', ms / 1000, { kind, state });
  }

  /** Metrics of the file drop. */
  readonly drop = {
    signIn: (outcome: string) => this.count('assay_sftp_sign_ins_total', { outcome }),
    refused: () => this.count('assay_sftp_refused_connections_total'),
    received: (bytes: number) => this.count('assay_sftp_received_bytes_total', {}, bytes),
    uploaded: (outcome: string) => this.count('assay_sftp_uploads_total', { outcome }),
  };

  /** Everything in Prometheus' text format; in a worker, of all workers. */
  text(): Promise<string> {
    return isWorker ? askMetrics() : this.registry.metrics();
  }
}

/** @param read returns the requests in flight, their limit, the requests that wait at the door, and the bytes of bodies */
export const doorReadings = (
  read: () => { inHand: number; limit: number; held: number; bodyBytes: number },
): Readings => ({
  assay_requests_in_hand: () => read().inHand,
  assay_requests_limit: () => read().limit,
  assay_requests_share: () => {
    const { inHand, limit } = read();
    return inHand / limit;
  },
  assay_refusals_held: () => read().held,
  assay_request_body_bytes: () => read().bodyBytes,
});
