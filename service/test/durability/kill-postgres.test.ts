// kill -9 of the database server under a running service: whole, its main process alone, and one backend.
import { it, vi } from 'vitest';
import { scenario } from './scenarios/kill-postgres.ts';
import { holds } from './support/short-form.ts';

// Only ends a hang: other work may hold the machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

it('comes back by itself when its database server is killed under load, and loses nothing it acknowledged', async () => {
  await holds(scenario, 4);
});
