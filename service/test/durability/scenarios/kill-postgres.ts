// kill -9 of the database server under a running service: all processes, its main process alone, and one backend.
import { killPostgres, type Victim } from '../support/faults.ts';
import { holdRounds } from '../support/rounds.ts';
import { onOwnServer } from '../support/scenes.ts';
import type { Scenario } from './scenario.ts';

const victims: readonly Victim[] = ['all', 'backend', 'postmaster'];

export const scenario: Scenario = {
  name: 'kill-postgres',
  fault: 'kill -9 of PostgreSQL',
  done: 'By turns all its processes, one backend at work, and its main process alone; the service goes on and starts the server again.',
  async run(stage, wanted) {
    const place = await onOwnServer(stage, 3);
    const tally = await holdRounds(place, wanted, (seed, n) =>
      killPostgres(place, place.dataDir, victims[n % victims.length] as Victim, seed, 200 + 30 * (n % 4)),
    );
    // It is still the process that was started, and it ends in order.
    place.service.signal('SIGTERM');
    const end = await place.service.exited;
    if (end.code !== 0)
      tally.violations.push({ check: 'B', what: `the service ended with ${end.code ?? end.signal}, not in order` });
    return tally;
  },
};
