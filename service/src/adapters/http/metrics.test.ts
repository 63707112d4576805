// What the metrics of several processes say together.
import { setTimeout as pause } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import { expect, it, vi } from 'vitest';
import { doorReadings, Metrics } from './metrics.ts';

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

it('the delay of an event loop is none while nothing happens, and as long as what it was held up by', async () => {
  const metrics = new Metrics();
  const seconds = async (p: string) => {
    const told = await metrics.registry.getMetricsAsJSON();
    return told.find((m) => m.name === `assay_nodejs_eventloop_lag_${p}_seconds`)?.values[0]?.value as number;
  };
  // Each reading begins a new count: at the second one there is none.
  for (const p of ['min', 'mean', 'max', 'p50']) {
    await seconds(p);
    expect(await seconds(p)).toBe(0);
  }
  await vi.waitFor(async () => expect(await heldUp(0)).toBeLessThan(0.05), { timeout: 60_000 });
  expect(await heldUp(400)).toBeGreaterThan(0.25);
  async function heldUp(ms: number): Promise<number> {
    await pause(300);
    for (const end = performance.now() + ms; performance.now() < end; );
    await pause(150);
    return seconds('max');
  }
});

it('the share of requests in flight is that of the process that has least room, however many have more', async () => {
  const figuresOf = (inHand?: number, limit = 4000) => {
    const metrics = new Metrics();
    // One that works in the background answers no requests.
    if (inHand !== undefined) metrics.read(doorReadings(() => ({ inHand, limit, held: 0, bodyBytes: 0 })));
    return metrics.registry.getMetricsAsJSON();
  };
  const all = await Promise.all([figuresOf(2), figuresOf(128, 128), figuresOf(3), figuresOf()]);
  const text = await AggregatorRegistry.aggregate(all).metrics();
  expect(text).toMatch(/^assay_requests_share 1$/m);
  expect(text).toMatch(/^assay_requests_in_hand 133$/m);
  expect(text).toMatch(/^assay_requests_limit 8128$/m);
});

it.each(['http_request', 'commit', 'queue'])(
  'the time of a %s is told apart up to the ten seconds for which one waits for a database',
  async (what) => {
    const metrics = new Metrics();
    for (const ms of [300, 700, 1500, 4000, 8000]) {
      metrics.answered('/v1/ref', 'GET', 200, ms);
      metrics.batch({ size: 1, commitMs: ms, waitedMs: ms });
    }
    const told = await metrics.registry.getMetricsAsJSON();
    const values = told.find((m) => m.name === `assay_${what}_seconds`)?.values ?? [];
    const within = (s: number) => values.find((v) => Number((v.labels as { le?: unknown }).le) === s)?.value;
    expect([0.5, 2, 5, 10].map(within)).toEqual([1, 3, 4, 5]);
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
