// Checks of passwords take turns by network.
import { expect, it } from 'vitest';
import { Passwords } from './passwords.ts';

it('a rush from one network keeps out no other, and is bounded', async () => {
  const passwords = new Passwords({ N: 4096, r: 8, p: 1 });
  const kept = await passwords.hash('the right one');
  const order: string[] = [];
  const check = async (from: string, password: string) => {
    const right = await passwords.check(password, kept, from);
    order.push(from);
    return right;
  };
  const rush = Array.from({ length: 100 }, () => check('203.0.113.9', 'a guess'));
  // Each of the rush has taken its place in the queue, or been refused.
  await Promise.resolve();
  const other = await check('198.51.100.7', 'the right one');
  const results = await Promise.all(rush);
  expect(other).toBe(true);
  expect(results.filter((r) => r === undefined).length).toBeGreaterThan(50);
  expect(results.filter((r) => r === false).length).toBeGreaterThan(30);
  // Thirty and more were waiting before it.
  const answered = order.filter((from, i) => from === '203.0.113.9' && i < order.indexOf('198.51.100.7')).length;
  expect(answered - results.filter((r) => r === undefined).length).toBeLessThan(20);
});
