// Networks that cut connections, repeat and reorder requests, between clients and service and between service and
// database.
import { afterAll, beforeAll, it } from 'vitest';
import { makeDatabase } from '../support/app.ts';
import { scenario as commitResets } from './scenarios/commit-resets.ts';
import { scenario as repetitions } from './scenarios/repetitions.ts';
import { scenario as resets } from './scenarios/resets.ts';
import { onSharedServer, type SharedPlace } from './support/scenes.ts';
import { Stage } from './support/service-process.ts';
import { holds } from './support/short-form.ts';

const stage = new Stage();
/** One service whose callers' network fails in one way after the other. */
let place: SharedPlace;
beforeAll(async () => {
  place = await onSharedServer(stage, { database: makeDatabase }, 3);
});
afterAll(() => stage.end());

it('settles every request whose connection breaks before it, within it, after it or within its answer', async () => {
  await holds(resets, 1, { place });
});

it('makes one record of requests that come twice, late and out of order', async () => {
  await holds(repetitions, 1, { place });
});

it('settles every commit around which the connection to the database breaks', async () => {
  await holds(commitResets, 1);
});
