// Connections between client and service that break: before a request, within it, after it and within its reply.
import { until } from '../support/conditions.ts';
import { type Fate, FaultProxy } from '../support/fault-proxy.ts';
import { underLoad } from '../support/faults.ts';
import { holdRounds } from '../support/rounds.ts';
import { onSharedServer } from '../support/scenes.ts';
import { dice } from '../support/storm.ts';
import type { Scenario } from './scenario.ts';

const cuts: readonly Fate[] = ['cut before', 'cut within', 'cut after', 'cut answer'];

export const scenario: Scenario = {
  name: 'resets',
  fault: 'connections reset before, within and after a request, and within its answer',
  done: 'A proxy before the service cuts a quarter of the requests at one of the four places, about 200 a round.',
  async run(stage, wanted) {
    const place = wanted.place ?? (await onSharedServer(stage, wanted, 3));
    const random = dice(wanted.seed);
    let cutting = false;
    const proxy = await FaultProxy.start({
      target: () => ({ host: '127.0.0.1', port: Number(new URL(place.service.address).port) }),
      fate: () => (cutting && random() < 0.25 ? (cuts[Math.floor(random() * cuts.length)] as Fate) : 'pass'),
    });
    stage.defer(() => proxy.stop());
    const most = wanted.form === 'short' ? 100 : 200;
    const tally = await holdRounds({ ...place, by: () => [proxy.address] }, wanted, (seed) =>
      underLoad({ ...place, by: () => [proxy.address] }, seed, 30, async () => {
        const before = proxy.cuts;
        cutting = true;
        await until('enough was cut', () => proxy.cuts >= before + most, 180_000);
        cutting = false;
        return undefined;
      }),
    );
    tally.notes.push(cuts.map((c) => `${c.slice(4)} ${proxy.counts[c] ?? 0}`).join(', '));
    return tally;
  },
};
