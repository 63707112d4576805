// What the metrics of several processes say together.
import { AggregatorRegistry } from 'prom-client';
import { expect, it } from 'vitest';
import { Metrics } from './metrics.ts';

it.each(['p50', 'p90', 'p99'])('the delay of an event loop (%s) is that of the fullest thread, not their mean', async (p) => {
  const name = `assay_nodejs_eventloop_lag_${p}_seconds`;
  const told = await new Metrics().registry.getMetricsAsJSON();
  expect(told.map((m) => m.name)).toContain(name);
  const of = (value: number) => told.map((m) => (m.name === name ? { ...m, values: [{ labels: {}, value }] } : m));
  const all = AggregatorRegistry.aggregate([of(0.01), of(0.9), of(0.02)]);
  expect(await all.getSingleMetricAsString(name)).toMatch(/_seconds 0\.9$/);
});
