// Whose turn it is: slots of one address, slots of all, and who shares them.
import { describe, expect, it } from 'vitest';
import type { DueAddress } from './attempt-store.ts';
import { Lanes } from './lanes.ts';

const now = 1_800_000_000_000;
const address = (name: string, over: Partial<DueAddress> = {}): DueAddress => ({
  psp: 'p',
  webhook: name,
  account: 'a',
  url: `https://${name}`,
  firsts: 40,
  retries: 40,
  lastOk: undefined,
  ...over,
});
const counts = (lanes: Lanes<string>, all: readonly DueAddress[], at = now) =>
  Object.fromEntries(lanes.share(all, at).map((s) => [s.address.webhook, [s.firsts, s.retries]]));

/** Takes in hand what is shared out, and sends it. */
function begin(lanes: Lanes<string>, all: readonly DueAddress[], at = now): string[] {
  const begun: string[] = [];
  for (const s of lanes.share(all, at)) {
    for (let i = 0; i < s.firsts + s.retries; i++) lanes.add(s.address.url, s.address.webhook, i >= s.firsts, at);
    for (let d = lanes.next(s.address.url, at); d !== undefined; d = lanes.next(s.address.url, at)) begun.push(d);
  }
  return begun;
}
const finish = (lanes: Lanes<string>, a: DueAddress, ok: boolean, at = now) => {
  const back = lanes.ended(a.url, ok, at);
  for (const _ of [0, ...back]) lanes.settled(a.url, false, at);
  return back;
};

describe('one address', () => {
  it('has ten slots, half of them kept for first attempts', () => {
    const lanes = new Lanes<string>(1000);
    expect(counts(lanes, [address('a')])).toEqual({ a: [5, 5] });
    expect(counts(lanes, [address('a', { firsts: 0 })])).toEqual({ a: [0, 5] });
    expect(counts(lanes, [address('a', { retries: 0 })])).toEqual({ a: [10, 0] });
  });

  it('sends ten at a time, however many are in hand because it answers', () => {
    const lanes = new Lanes<string>(1000);
    const a = address('a', { retries: 0, firsts: 40, lastOk: true });
    expect(begin(lanes, [a])).toHaveLength(10);
    expect(lanes.inHand).toBe(40);
    finish(lanes, a, true);
    expect(lanes.next(a.url, now)).toBe('a');
    expect(lanes.next(a.url, now)).toBeUndefined();
  });

  it('shares its slots where several subscriptions name the same URL', () => {
    const lanes = new Lanes<string>(1000);
    const both = [address('a', { retries: 0 }), address('b', { retries: 0, url: 'https://a' })];
    expect(counts(lanes, both)).toEqual({ a: [5, 0], b: [5, 0] });
  });

  it('gets nothing while its breaker is open and gives back what waits behind it, then gets a single probe', () => {
    const lanes = new Lanes<string>(1000);
    const a = address('a', { retries: 0, lastOk: true });
    begin(lanes, [a]);
    const back: string[] = [];
    for (let i = 0; i < 10; i++) back.push(...finish(lanes, a, false));
    expect(back).toHaveLength(30);
    expect(lanes.open).toBe(1);
    expect(lanes.inHand).toBe(0);
    expect(counts(lanes, [a], now + 29_999)).toEqual({});
    expect(counts(lanes, [a], now + 30_000)).toEqual({ a: [1, 0] });
  });
});

describe('many addresses', () => {
  it('take turns, those first whose turn was the longest ago', () => {
    const lanes = new Lanes<string>(3);
    const all = ['a', 'b', 'c', 'd'].map((n) => address(n, { retries: 0, lastOk: true }));
    expect(counts(lanes, all)).toEqual({ a: [1, 0], b: [1, 0], c: [1, 0] });
    expect(Object.keys(counts(lanes, all))[0]).toBe('d');
  });

  it('leave half of all slots to one that answers, however many do not', () => {
    const lanes = new Lanes<string>(100);
    const dead = Array.from({ length: 1000 }, (_, i) => address(`dead${i}`));
    expect(begin(lanes, dead)).toHaveLength(50);
    expect(begin(lanes, dead)).toHaveLength(0);
    const live = address('live', { lastOk: true });
    expect(counts(lanes, [...dead, live])).toEqual({ live: [35, 5] });
  });

  it('count one as answering from its first 200 on, and as doubtful from its first failure', () => {
    const lanes = new Lanes<string>(10);
    const [a, b] = [address('a', { retries: 0 }), address('b', { retries: 0 })] as const;
    expect(begin(lanes, [a])).toHaveLength(5);
    expect(counts(lanes, [b])).toEqual({});
    for (let i = 0; i < 5; i++) finish(lanes, a, i > 0);
    expect(lanes.inHand).toBe(0);
    expect(counts(lanes, [a])).toEqual({ a: [10, 0] });
    expect(begin(lanes, [b])).toHaveLength(5);
    expect(counts(lanes, [a])).toEqual({ a: [5, 0] });
  });

  it('are forgotten an hour after they were last used', () => {
    const lanes = new Lanes<string>(10);
    const a = address('a', { retries: 0 });
    begin(lanes, [a]);
    for (let i = 0; i < 5; i++) finish(lanes, a, true);
    lanes.prune(now + 3_600_001);
    expect(counts(lanes, [a], now + 3_600_001)).toEqual({ a: [5, 0] });
  });
});

describe('what is taken out', () => {
  it('is what was not begun', () => {
    const lanes = new Lanes<string>(100);
    begin(lanes, [address('a', { retries: 0, lastOk: true })]);
    expect(lanes.drain()).toHaveLength(30);
    expect(lanes.drain()).toHaveLength(0);
  });
});
