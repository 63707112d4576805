// A process may hold one service after another, as that of the tests does: one that has stopped leaves no memory behind
// in it, and nothing that goes on.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { Metrics } from '../src/adapters/http/metrics.ts';
import { until } from './durability/support/conditions.ts';
import { makeTestApp } from './support/app.ts';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** A service that has recorded and shown something, and has stopped. */
async function stopped(): Promise<WeakRef<object>> {
  const t = await makeTestApp();
  const psp = await t.makePsp();
  await t.makeClient(psp);
  expect((await t.get('/metrics')).text).toContain('assay_nodejs_gc_duration_seconds');
  await t.stop();
  return new WeakRef(t.app.services);
}

it('is not kept by its process once it has stopped', async () => {
  const services: WeakRef<object>[] = [];
  for (let i = 0; i < 8; i++) services.push(await stopped());
  // The engine may still hold what it ran last.
  await until('most are collected', () => {
    gc();
    return services.filter((s) => s.deref() !== undefined).length <= 3;
  });
});

it('shares what is measured of the process, and nothing else, with others in it', () => {
  const metrics = () => new Set(new Metrics().registry.getMetricsAsArray());
  const [one, other] = [metrics(), metrics()] as const;
  const ofProcess = (name: string) => /^assay_(process|nodejs)_/.test(name);
  const shared = [...one.intersection(other)].map((m) => m.name);
  expect(shared).toContain('assay_nodejs_eventloop_lag_seconds');
  expect(shared.filter((name) => !ofProcess(name))).toEqual([]);
  expect([...one.difference(other)].map((m) => m.name).filter(ofProcess)).toEqual([]);
});
