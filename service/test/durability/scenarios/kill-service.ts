// kill -9 of the service, repeatedly, while it works.
import { killService } from '../support/faults.ts';
import { holdRounds } from '../support/rounds.ts';
import { onOwnServer } from '../support/scenes.ts';
import type { Scenario } from './scenario.ts';

export const scenario: Scenario = {
  name: 'kill-service',
  fault: 'kill -9 of the service',
  done: 'The service is killed once a round under load and started again; its database server outlives it.',
  async run(stage, wanted) {
    const place = await onOwnServer(stage, 3);
    return holdRounds(place, wanted, (seed, n) => killService(place, seed, 150 + 40 * (n % 4)));
  },
};
