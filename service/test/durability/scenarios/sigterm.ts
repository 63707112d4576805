// SIGTERM under load: accepted requests are finished, others are refused with the documented error, and the process
// ends by itself. Exit status 1 would mean that it had to be forced after ten seconds.

import { until } from '../support/conditions.ts';
import { records, underLoad } from '../support/faults.ts';
import type { Violation } from '../support/finding.ts';
import { postmaster } from '../support/postgres-process.ts';
import { blame, holdRounds } from '../support/rounds.ts';
import { onOwnServer, onSharedServer, type Place } from '../support/scenes.ts';
import { type Scenario, type Tally, together, type Wanted } from './scenario.ts';

export const scenario: Scenario = {
  name: 'sigterm',
  fault: 'SIGTERM under load',
  done: 'The service is told to stop once a round while the load goes on, with a database server of its own and on a shared one; what it had accepted is answered, and nothing unanswered was recorded.',
  async run(stage, wanted) {
    const own = await held(await onOwnServer(stage, 2), { ...wanted, rounds: Math.ceil(wanted.rounds / 2) }, 'own');
    if (wanted.rounds < 2) return own;
    const shared = { ...wanted, rounds: Math.floor(wanted.rounds / 2), seed: wanted.seed + 500 };
    const place = wanted.place ?? (await onSharedServer(stage, wanted, 2));
    return together(own, await held(place, shared, 'shared'));
  },
};

async function held(place: Place, wanted: Wanted, server: 'own' | 'shared'): Promise<Tally> {
  const { history } = place;
  const wrong: Violation[] = [];
  const say = (what: string) => wrong.push({ check: 'B', what });
  const tally = await holdRounds(
    place,
    wanted,
    async (seed) => {
      const start = history.now();
      const round = await underLoad(place, seed, 150, async (end) => {
        const stopped = performance.now();
        place.service.signal('SIGTERM');
        const told = history.now();
        // The load goes on against the closing door until some were turned away.
        await until('some are turned away', () =>
          history.all.some((s) => s.sentAt > told && s.outcome !== 'ok' && s.outcome !== undefined),
        );
        const exit = await place.service.exited;
        if (exit.code !== 0) say(`the service ended with ${exit.code ?? exit.signal}`);
        end();
        // Its own server went with it: nothing is left that could not be started again.
        if (server === 'own' && postmaster(place.dataDir) !== undefined) say('its database server was left running');
        place.service = await place.restart();
        return records(place, stopped);
      });
      for (const s of history.all)
        if (s.sentAt > start && s.status === 503 && s.code !== 'OVERLOADED')
          say(`${s.ref} was turned away as ${s.code}`);
      return { ...round, void: round.inFlight === 0 };
    },
    // A connection may be closed under a request on its way, but what was accepted was also answered.
    ({ hadBeenRecorded }) =>
      hadBeenRecorded === 0 ? [] : [{ check: 'B', what: `${hadBeenRecorded} were recorded and not answered` }],
  );
  blame(tally, wrong);
  return tally;
}
