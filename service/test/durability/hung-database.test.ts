// A database server that hangs without closing connections.
import { it, vi } from 'vitest';
import { scenario } from './scenarios/hung-database.ts';
import { holds } from './support/short-form.ts';

// Only ends a hang: other work may hold the machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

it('answers everything while its database server hangs, says that it is not ready, and goes on when the server does', async () => {
  await holds(scenario, 2);
});
