// Requests with large bodies take turns: one at a time, and a key with many does not hold up one with a single one.
import { expect, it } from 'vitest';
import { LargeBodies } from './large-bodies.ts';

it('one at a time, keys in turn, whether they succeed or fail', async () => {
  const large = new LargeBodies();
  const order: string[] = [];
  let running = 0;
  const work = (name: string) => async () => {
    running++;
    order.push(`${name}${running > 1 ? ' beside another' : ''}`);
    await Promise.resolve();
    running--;
    if (name === 'a2') throw new Error('refused');
  };
  const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => large.inTurn(name[0] as string, work(name)));
  const results = await Promise.allSettled(all);
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  expect(results.map((r) => r.status)).toEqual(['fulfilled', 'rejected', ...Array(4).fill('fulfilled')]);
});
