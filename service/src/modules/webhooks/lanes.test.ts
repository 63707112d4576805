// Whose turn it is: slots per address, slots in total, and how they are shared.
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
  lastOk: null,
  askedMs: 0,
  ...over,
});
const counts = (lanes: Lanes<string>, all: readonly DueAddress[], at = now) =>
  Object.fromEntries(lanes.share(all, at).map((s) => [s.address.webhook, [s.firsts, s.retries]]));

/** Takes what is shared out, and sends it. */
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
    const failing = { lastOk: false };
    expect(counts(lanes, [address('a', failing)])).toEqual({ a: [5, 5] });
    expect(counts(lanes, [address('a', { ...failing, firsts: 0 })])).toEqual({ a: [0, 5] });
    expect(counts(lanes, [address('a', { ...failing, retries: 0 })])).toEqual({ a: [10, 0] });
  });

  it('is tried with one delivery before it is known', () => {
    const lanes = new Lanes<string>(1000);
    const a = address('a', { retries: 0 });
    expect(begin(lanes, [a])).toHaveLength(1);
    expect(counts(lanes, [a])).toEqual({});
    finish(lanes, a, true);
    expect(counts(lanes, [a])).toEqual({ a: [40, 0] });
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
    const failing = { retries: 0, lastOk: false };
    const both = [address('a', failing), address('b', { ...failing, url: 'https://a' })];
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

  it('gets one at once when its owner asks for it, and one alone', () => {
    const lanes = new Lanes<string>(1000);
    const a = address('a', { retries: 0, lastOk: true });
    begin(lanes, [a]);
    for (let i = 0; i < 10; i++) finish(lanes, a, false);
    const asked = address('a', { retries: 0, lastOk: true, askedMs: 1 });
    expect(begin(lanes, [asked], now + 1)).toEqual(['a']);
    finish(lanes, asked, false, now + 2);
    expect(counts(lanes, [asked], now + 3)).toEqual({});
    expect(counts(lanes, [{ ...asked, askedMs: 2 }, asked], now + 4)).toEqual({ a: [1, 0] });
  });
});

describe('many addresses', () => {
  it('take turns, those first whose turn was the longest ago', () => {
    const lanes = new Lanes<string>(3);
    const all = ['a', 'b', 'c', 'd'].map((n) => address(n, { retries: 0, lastOk: true }));
    expect(counts(lanes, all)).toEqual({ d: [1, 0], c: [1, 0], b: [1, 0] });
    expect(Object.keys(counts(lanes, all))[0]).toBe('a');
  });

  it('leave half of all slots to one that answers and room to one that is new, however many fail', () => {
    const lanes = new Lanes<string>(100);
    const dead = Array.from({ length: 1000 }, (_, i) => address(`dead${i}`, { lastOk: false }));
    expect(begin(lanes, dead)).toHaveLength(25);
    expect(begin(lanes, dead)).toHaveLength(0);
    const live = address('live', { firsts: 30, retries: 0, lastOk: true });
    const fresh = address('new', { retries: 0 });
    expect(counts(lanes, [...dead, live, fresh])).toEqual({ live: [30, 0], new: [1, 0] });
    const unknown = Array.from({ length: 1000 }, (_, i) => address(`unknown${i}`));
    expect(begin(lanes, unknown)).toHaveLength(25);
    expect(counts(lanes, [...dead, ...unknown, live])).toEqual({ live: [30, 0] });
  });

  it('are tried in turns of their accounts where nothing is known of them, and of one the newest first', () => {
    const lanes = new Lanes<string>(12);
    const of = (account: string, ...names: string[]) => names.map((n) => address(n, { account, retries: 0 }));
    const [greedy, modest] = [of('greedy', 'g1', 'g2', 'g3', 'g4', 'g5'), of('modest', 'm1')];
    expect(begin(lanes, greedy)).toEqual(['g5', 'g4', 'g3']);
    finish(lanes, greedy[4] as DueAddress, false);
    expect(counts(lanes, [...greedy.slice(0, 2), ...modest])).toEqual({ m1: [1, 0] });
  });

  it('hold no slots while they are silent for more than two seconds, so that others are served', () => {
    const lanes = new Lanes<string>(8);
    const later = (ms: number) => {
      lanes.review(now + ms);
      return now + ms;
    };
    const unknown = Array.from({ length: 1000 }, (_, i) => address(`a${i}`, { account: `of ${i}`, retries: 0 }));
    expect(begin(lanes, unknown)).toHaveLength(2);
    expect(begin(lanes, unknown, later(1_999))).toHaveLength(0);
    expect(begin(lanes, [...unknown, address('new', { retries: 0 })], later(2_000))).toContain('new');
    // In the end four per slot wait like this, and the others remain unaffected.
    for (let i = 2; i < 40; i++) begin(lanes, unknown, later(i * 2_000));
    expect(lanes.inHand).toBe(32);
    expect(lanes.free).toBe(8);
    const live = address('live', { firsts: 8, retries: 0, lastOk: true });
    expect(counts(lanes, [...unknown, live])).toEqual({ live: [8, 0] });
  });

  it('that answered so far and all hang at once give their slots up too, and have them back when they answer', () => {
    const lanes = new Lanes<string>(8);
    const good = Array.from({ length: 8 }, (_, i) => address(`a${i}`, { firsts: 1, retries: 0, lastOk: true }));
    const live = address('live', { firsts: 8, retries: 0, lastOk: true });
    expect(begin(lanes, good)).toHaveLength(8);
    expect(counts(lanes, [live])).toEqual({});
    lanes.review(now + 2_000);
    expect(counts(lanes, [...good, live], now + 2_000)).toEqual({ live: [8, 0] });
    for (const a of good) finish(lanes, a, true, now + 3_000);
    expect([lanes.inHand, lanes.free]).toEqual([0, 8]);
    expect(Object.keys(counts(lanes, good, now + 3_000))).toHaveLength(8);
  });

  it('count one as answering from its first 200 on, and as failing from its third failure in a row', () => {
    const lanes = new Lanes<string>(16);
    const [a, b] = [address('a', { retries: 0, lastOk: true }), address('b', { retries: 0, lastOk: false })] as const;
    expect(begin(lanes, [b])).toHaveLength(4);
    expect(begin(lanes, [a])).toHaveLength(10);
    for (const ok of [false, false, true, false, false]) finish(lanes, a, ok);
    expect(Object.keys(counts(lanes, [a]))).toEqual(['a']);
    finish(lanes, a, false);
    expect(counts(lanes, [a])).toEqual({});
    finish(lanes, a, true);
    expect(Object.keys(counts(lanes, [a]))).toEqual(['a']);
  });

  it('are forgotten an hour after they were last used', () => {
    const lanes = new Lanes<string>(10);
    const a = address('a', { retries: 0 });
    begin(lanes, [a]);
    finish(lanes, a, true);
    expect(counts(lanes, [a])).toEqual({ a: [10, 0] });
    lanes.review(now + 3_600_001);
    expect(counts(lanes, [a], now + 3_600_001)).toEqual({ a: [1, 0] });
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
