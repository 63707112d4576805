// Networks that cut connections, repeat and reorder requests, between clients and service and between service and
// database.
import { it } from 'vitest';
import { scenario as commitResets } from './scenarios/commit-resets.ts';
import { scenario as repetitions } from './scenarios/repetitions.ts';
import { scenario as resets } from './scenarios/resets.ts';
import { holds } from './support/short-form.ts';

it('settles every request whose connection breaks before it, within it, after it or within its answer', async () => {
  await holds(resets, 1);
});

it('settles every commit around which the connection to the database breaks', async () => {
  await holds(commitResets, 1);
});

it('makes one record of requests that come twice, late and out of order', async () => {
  await holds(repetitions, 1);
});
