// kill -9 of the service, repeatedly, while it works.
import { it, vi } from 'vitest';
import { upTo } from '../support/depth.ts';
import { scenario } from './scenarios/kill-service.ts';
import { holds } from './support/short-form.ts';

// Only ends a hang: other work may hold the machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

it('loses nothing it acknowledged when it is killed under load, and settles every unknown outcome', async () => {
  await holds(scenario, upTo(1, 3));
});
