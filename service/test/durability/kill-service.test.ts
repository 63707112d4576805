// kill -9 of the service, repeatedly, while it works.
import { it } from 'vitest';
import { upTo } from '../support/depth.ts';
import { scenario } from './scenarios/kill-service.ts';
import { holds } from './support/short-form.ts';

it('loses nothing it acknowledged when it is killed under load, and settles every unknown outcome', async () => {
  await holds(scenario, upTo(1, 3));
});
