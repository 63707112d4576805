// Work at intervals: one turn at a time, also after failures, and none after the stop.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { until } from '../../test/durability/support/conditions.ts';
import { every } from './every.ts';

it('never runs twice at once, however long a turn takes', async () => {
  let now = 0;
  let most = 0;
  let turns = 0;
  const repeating = every(1, async () => {
    most = Math.max(most, ++now);
    await pause(10);
    now--;
    turns++;
  });
  await until('some turns have passed', () => turns >= 5);
  await repeating.stop();
  expect(most).toBe(1);
  expect(now).toBe(0);
});

it('goes on after a failure, which it hands over', async () => {
  const failures: unknown[] = [];
  const repeating = every(
    1,
    () => {
      throw new Error(`turn ${failures.length}`);
    },
    (e) => failures.push((e as Error).message),
  );
  await until('it failed twice', () => failures.length >= 2);
  await repeating.stop();
  expect(failures.slice(0, 2)).toEqual(['turn 0', 'turn 1']);
});

it('hands over a failure that repeats once, and once more after a turn that succeeded or failed otherwise', async () => {
  const failures: string[] = [];
  let turns = 0;
  const ends = ['away', 'away', 'away', '', 'away', 'away', 'full', 'full', 'away'];
  const repeating = every(
    1,
    () => {
      const end = ends[turns++] ?? '';
      if (end !== '') throw new Error(end);
    },
    (e) => failures.push((e as Error).message),
  );
  await until('all turns have passed', () => turns > ends.length);
  await repeating.stop();
  expect(failures).toEqual(['away', 'away', 'full', 'away']);
});

it('waits for the turn that runs when it is stopped, and starts none after', async () => {
  let begun = 0;
  let ended = 0;
  const repeating = every(1, async () => {
    begun++;
    await pause(20);
    ended++;
  });
  await until('a turn runs', () => begun > ended);
  await repeating.stop();
  const at = begun;
  expect(ended).toBe(at);
  await pause(30);
  expect(begun).toBe(at);
});

it('begins a turn when it is woken, one more for what woke it during a turn, and none after the stop', async () => {
  const turns: PromiseWithResolvers<void>[] = [];
  const repeating = every(2 ** 30, () => {
    const turn = Promise.withResolvers<void>();
    turns.push(turn);
    return turn.promise;
  });
  repeating.wake();
  expect(turns).toHaveLength(1);
  repeating.wake();
  repeating.wake();
  expect(turns).toHaveLength(1);
  turns[0]?.resolve();
  await until('the turn after it has begun', () => turns.length === 2);
  repeating.wake();
  const stopped = repeating.stop();
  turns[1]?.resolve();
  await stopped;
  repeating.wake();
  expect(turns).toHaveLength(2);
});
