// Two service processes on one database, and the loss of one of them: requests sent to both are recorded once.
import { until } from '../support/conditions.ts';
import type { Round } from '../support/faults.ts';
import type { Party } from '../support/history.ts';
import { holdRounds } from '../support/rounds.ts';
import { pairOnSharedServer } from '../support/scenes.ts';
import { dice, newRef, sale, storm } from '../support/storm.ts';
import type { Scenario } from './scenario.ts';

export const scenario: Scenario = {
  name: 'two-processes',
  fault: 'two processes on one database, one of them killed',
  done: 'Half of the load is the same ref and body sent to both at once. One of them, by turns, is killed in the middle of it; the other goes on.',
  async run(stage, wanted) {
    const { place, processes: pair } = wanted.pair ?? (await pairOnSharedServer(stage, wanted, 4));
    const { history, client, ground } = place;
    const parties = [...ground.clients, ...ground.onBehalf];
    const random = dice(wanted.seed);
    return holdRounds(place, wanted, async (seed, n): Promise<Round> => {
      const start = history.now();
      let over = false;
      // Pairs: the same ref and body to both, at once.
      const pairs = Promise.all(
        Array.from({ length: 16 }, async () => {
          for (let i = 0; i < 60 && !over; i++) {
            const party = parties[Math.floor(random() * parties.length)] as Party;
            const body = sale(newRef(), Math.round(1000 + random() * 9000) / 100);
            await Promise.all(pair.map((p) => history.send(client, p.address, party, 'verifyTransaction', body)));
          }
        }),
      );
      const mixed = storm({
        history,
        client,
        parties,
        addresses: () => pair.map((p) => p.address),
        workers: 12,
        max: 1200,
        seed,
        stop: () => over,
      });
      await until('some were acknowledged', () => history.count('ok', start) >= 250);
      const inFlight = history.inFlight;
      const dying = pair[n % 2] as (typeof pair)[number];
      place.service = pair[1 - (n % 2)] as (typeof pair)[number];
      const killedMs = performance.now();
      dying.signal('SIGKILL');
      await dying.exited;
      const killed = history.now();
      await until('the other goes on', () => history.count('ok', killed) >= 100);
      over = true;
      await Promise.all([pairs, mixed]);
      const firstMs = Math.min(
        ...history.all.filter((s) => s.outcome === 'ok' && s.sentAt > killed).map((s) => s.answeredMs),
      );
      const unknown = history.count('unknown', start);
      const round = {
        inFlight,
        acknowledged: history.count('ok', start),
        unknown,
        verdict: await place.checks.look(history, 'before asking again'),
        void: inFlight === 0 || unknown === 0,
        recoveryMs: firstMs - killedMs,
      };
      pair[n % 2] = await place.restart();
      return round;
    });
  },
};
