// A database server that hangs without closing connections.
import { it } from 'vitest';
import { scenario } from './scenarios/hung-database.ts';
import { holds } from './support/short-form.ts';

it('answers everything while its database server hangs, says that it is not ready, and goes on when the server does', async () => {
  await holds(scenario, 2);
});
