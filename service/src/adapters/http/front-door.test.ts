// The front door with real connections: a request for which there is no room waits, and is let in as soon as there is.
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../../test/durability/support/conditions.ts';
import type { Principal } from '../../modules/kernel/principal.ts';
import { monotonicClock } from '../../platform/clock.ts';
import { Admission } from './admission.ts';
import { FrontDoor } from './front-door.ts';
import { TokenBuckets } from './limits.ts';

const room = 5;
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that lets `room` requests in at most, and ends their work on command. @param spent keys past their rate */
async function open({ rate = 1000, burst = 1000, spent = [] as readonly string[] } = {}) {
  const limits = new TokenBuckets(rate, burst);
  for (const actor of spent) limits.take(actor, monotonicClock());
  const told: { refused: Readonly<Record<number, number>>; actors: Readonly<Record<number, readonly string[]>> }[] = [];
  const admission = new Admission({ targetMs: 1, atFirst: 1, most: room, limits, clock: monotonicClock });
  const door = new FrontDoor({
    ...{ admission, monotonic: monotonicClock, burst: 1000, apiVersion: '1.0' },
    recall: (headers) => (headers.actor ? ({ actor: headers.actor } as Principal) : undefined),
    newId: () => 'id',
    observe: () => undefined,
    tell: (refused, actors) => told.push({ refused, actors }),
  });
  const working: (() => void)[] = [];
  const begun: string[] = [];
  const server = createServer(
    door.before((request, response) => {
      begun.push(request.url as string);
      void admission.during(request.headers.actor as string, async () => {
        await new Promise<void>((done) => working.push(done));
        response.end();
      });
    }),
  );
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  closing.push(() => {
    door.close();
    for (const done of working) done();
    server.closeAllConnections();
    server.close();
  });
  const ask = (path: string, actor = 'one') =>
    new Promise<number>((resolve, reject) => {
      get({ port, path, headers: { actor }, agent: false }, (r) => resolve(r.resume().statusCode ?? 0)).on(
        'error',
        reject,
      );
    });
  return { door, admission, working, begun, told, ask };
}

type Door = Awaited<ReturnType<typeof open>>;

/** More than all shares together have room for, until at least two wait; those beyond were refused. */
async function fill({ door, admission, ask }: Door, round: number): Promise<Promise<number>[]> {
  const all = Array.from({ length: 40 }, (_, i) => ask(`/${round}/${i}`));
  await until('some wait at the door', () => admission.inHand >= room && door.held >= 2);
  return all;
}

describe('the front door', () => {
  it('lets in who waits at it as soon as there is room', async () => {
    const d = await open();
    // On a slow machine those that wait may be refused before the room is made: then the next ones are.
    let round = 0;
    await until('a request that waited is let in', async () => {
      const all = await fill(d, round++);
      const waited = d.door.held;
      const before = d.begun.length;
      while (d.working.length > 0) {
        d.working.shift()?.();
        await new Promise(setImmediate);
      }
      await Promise.all(all);
      return waited > 0 && d.begun.length > before;
    });
  });

  it('names the keys that were refused most often, at most three', async () => {
    const keys = ['once', 'most', 'twice', 'often'] as const;
    const times = { once: 1, most: 4, twice: 2, often: 3 };
    const d = await open({ rate: 0.001, burst: 1, spent: keys });
    // The refusals of a round may be of two seconds: then those of the next are of one.
    const whole = () => d.told.find((t) => t.refused[429] === 10);
    await until('a second has all refusals of a round', async () => {
      const before = d.told.length;
      const all = keys.flatMap((actor) => Array.from({ length: times[actor] }, () => d.ask('/', actor)));
      expect(new Set(await Promise.all(all))).toEqual(new Set([429]));
      await until('it was logged', () => d.told.length > before);
      return whole() !== undefined;
    });
    expect(whole()).toEqual({ refused: { 429: 10 }, actors: { 429: ['most', 'often', 'twice'] } });
  });

  it('refuses who found no room, and runs none of their work', async () => {
    const d = await open();
    const all = await fill(d, 0);
    const let_in = d.begun.length;
    await until('those that waited are refused', () => d.door.held === 0);
    expect(d.begun).toHaveLength(let_in);
    for (const done of d.working.splice(0)) done();
    const statuses = await Promise.all(all);
    expect(statuses.filter((s) => s === 200)).toHaveLength(let_in);
    expect(statuses.filter((s) => s === 503)).toHaveLength(all.length - let_in);
  });
});
