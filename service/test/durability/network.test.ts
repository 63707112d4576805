// Networks that break off, repeat and reorder what passes through them, before the service and behind it.
import { afterEach, it, vi } from 'vitest';
import { scenario as commitResets } from './scenarios/commit-resets.ts';
import { scenario as repetitions } from './scenarios/repetitions.ts';
import { scenario as resets } from './scenarios/resets.ts';
import { Stage } from './support/service-process.ts';
import { holds } from './support/short-form.ts';

// Only ends a hang: other work may hold the machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let stage = new Stage();
afterEach(async () => {
  await stage.end();
  stage = new Stage();
});

it('settles every request whose connection breaks before it, within it, after it or within its answer', async () => {
  await holds(stage, resets, 1);
});

it('settles every commit around which the connection to the database breaks', async () => {
  await holds(stage, commitResets, 1);
});

it('makes one record of requests that come twice, late and out of order', async () => {
  await holds(stage, repetitions, 1);
});
