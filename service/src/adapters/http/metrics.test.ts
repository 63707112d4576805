// What the metrics of several processes say together.
import { AggregatorRegistry } from 'prom-client';
import { expect, it } from 'vitest';
import { Metrics } from './metrics.ts';

it.each(['p50', 'p90', 'p99'])(
  'the delay of an event loop (%s) is that of the fullest thread, not their mean',
  async (p) => {
    const name = `assay_nodejs_eventloop_lag_${p}_seconds`;
    const told = await new Metrics().registry.getMetricsAsJSON();
    expect(told.map((m) => m.name)).toContain(name);
    const of = (value: number) => told.map((m) => (m.name === name ? { ...m, values: [{ labels: {}, value }] } : m));
    const all = AggregatorRegistry.aggregate([of(0.01), of(0.9), of(0.02)]);
    expect(await all.getSingleMetricAsString(name)).toMatch(/_seconds 0\.9$/);
  },
);

it('a gauge whose reading hangs is no number, asked once however often it is scraped, and hides nothing else', async () => {
  const metrics = new Metrics(20);
  const hanging = Promise.withResolvers<number>();
  let asked = 0;
  const hang = () => {
    asked += 1;
    return asked === 1 ? hanging.promise : 7;
  };
  metrics.read({ assay_followers: hang, assay_queue_commands: () => 3 });
  for (let i = 0; i < 3; i++) {
    const text = await metrics.text();
    expect(text).toMatch(/^assay_followers Nan$/im);
    expect(text).toMatch(/^assay_queue_commands 3$/m);
  }
  expect(asked).toBe(1);
  hanging.resolve(1);
  await hanging.promise;
  await new Promise(setImmediate);
  expect(await metrics.text()).toMatch(/^assay_followers 7$/m);
});
