// Makes a demo world in a service that runs: its PSPs and clients, its days, and what they end with.
import { Assay } from '@assay/client';
import { systemClock } from '../src/platform/clock.ts';
import { planOf, type World } from './plan.ts';
import { play, type Stage } from './play.ts';
import type { Progress } from './progress.ts';
import type { Receiver } from './receiver.ts';
import { type Settled, settleIn } from './settle-in.ts';
import { windUp } from './wind-up.ts';

export interface Place {
  /** Address of the service. */
  readonly url: string;
  /** Of an operator. */
  readonly apiKey: string;
  readonly startMs: number;
  readonly receiver: Receiver | undefined;
  readonly drop: Stage['drop'];
  /** Absent where the service's clock cannot be moved: all is recorded at the time it is. */
  moveTo?(ms: number): void;
  /** Called when all days are played. */
  arrive?(): void;
}

export interface Made {
  readonly settled: readonly Settled[];
  /** What was asked for, of all kinds. */
  readonly events: number;
}

/** Safe to be run again, as often as one likes. */
export async function makeWorld(world: World, place: Place, progress: Progress): Promise<Made> {
  const connect = (apiKey: string) => new Assay({ baseUrl: place.url, apiKey, retries: 5 });
  const staff = connect(place.apiKey);
  const events = planOf(world);
  try {
    progress.show(0, events.length, 'PSPs and clients');
    const settled = await settleIn(staff, connect, place.receiver);
    const stage: Stage = {
      staff,
      connect,
      settled,
      drop: place.drop,
      startMs: place.startMs,
      ...(place.moveTo ? { moveTo: place.moveTo } : {}),
      watch: (done, total, minute) =>
        progress.show(done, total, `day ${Math.floor(minute / 1440) + 1} of ${world.days}`),
    };
    await play(world, stage, events);
    place.arrive?.();
    progress.show(events.length, events.length, 'totals and reports');
    await windUp(stage, events, place.moveTo ? place.startMs + world.days * 86_400_000 : systemClock());
    return { settled, events: events.length };
  } finally {
    progress.end();
  }
}
