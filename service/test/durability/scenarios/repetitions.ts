// Requests that come twice, late and out of order: a hundred equal ones at the same time, and a network that repeats
// some after others have overtaken them.

import { until } from '../support/conditions.ts';
import { FaultProxy } from '../support/fault-proxy.ts';
import { underLoad } from '../support/faults.ts';
import type { Party } from '../support/history.ts';
import { blame, holdRounds } from '../support/rounds.ts';
import { onSharedServer, type Place } from '../support/scenes.ts';
import { dice, newRef, payIn, sale } from '../support/storm.ts';
import { emptyTally, type Scenario } from './scenario.ts';

/**
 * A hundred equal requests of each operation at once: one record, and one answer but for what says that it is repeated.
 */
async function hundred(p: Place): Promise<string[]> {
  const wrong: string[] = [];
  const party = p.parties[1] as Party;
  for (const operation of ['verifyTransaction', 'deposit'] as const) {
    const body = operation === 'deposit' ? payIn(newRef(), 75.25, 7) : sale(newRef(), 75.25);
    const all = await Promise.all(
      Array.from({ length: 100 }, () => p.history.send(p.client, p.service.address, party, operation, body)),
    );
    const answers = new Set(all.map((s) => `${s.status} ${s.text}`));
    const fresh = all.filter((s) => s.status === 200 && !s.replayed).length;
    if (answers.size !== 1 || fresh !== 1 || all[0]?.status !== 200)
      wrong.push(`100 equal requests of ${operation}: ${answers.size} answers, ${fresh} of them not repeated`);
  }
  return wrong;
}

export const scenario: Scenario = {
  name: 'repetitions',
  fault: 'requests repeated and reordered',
  done: '100 equal requests at once of each operation; then a proxy that delivers a third of the requests twice and a third late, so that they overtake one another.',
  async run(stage, wanted) {
    const place = { ...(wanted.place ?? (await onSharedServer(stage, wanted, 3))), steady: true };
    place.history.twice = true;
    const random = dice(wanted.seed);
    const proxy = await FaultProxy.start({
      target: () => ({ host: '127.0.0.1', port: Number(new URL(place.service.address).port) }),
      fate: () => (['pass', 'late', 'twice'] as const)[Math.floor(random() * 3)] ?? 'pass',
      lateMs: () => random() * 400,
    });
    stage.defer(() => proxy.stop());
    const by = { ...place, by: () => [proxy.address] };
    const first = emptyTally();
    const tally = await holdRounds(by, wanted, async (seed) => {
      for (const what of await hundred(place)) first.violations.push({ check: 'C1', what, effect: 'doubled' });
      const before = proxy.counts.twice ?? 0;
      const round = await underLoad(by, seed, 100, async () => {
        await until('enough was repeated', () => (proxy.counts.twice ?? 0) >= before + 100, 180_000);
        return undefined;
      });
      // What was held back may still make a record nobody was told of: it must be there before it is looked for.
      await proxy.drained();
      return { ...round, void: (proxy.counts.twice ?? 0) === before };
    });
    blame(tally, first.violations);
    tally.notes.push(`${proxy.counts.twice ?? 0} requests delivered twice, ${proxy.counts.late ?? 0} late`);
    return tally;
  },
};
