// Recent activity: what windows hold, compared with a plain recount, and that it stays small.
import { describe, expect, it } from 'vitest';
import { decimal } from '../money.ts';
import { plainOf } from '../sums.ts';
import { type Activity, activityText, count, mostMembers, newActivity, readActivity, recount } from './activity.ts';
import { type CountedKind, type CounterDefinition, counterValue, keptValue, windows } from './counters.ts';

const start = Date.parse('2026-11-21T10:00:00Z');
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

interface Seen {
  readonly at: number;
  readonly kind: CountedKind;
  readonly amount: string;
  readonly currency: string;
  readonly customer: string;
}

/** Always the same numbers, so that a failure can be repeated. */
function* numbers(seed: number): Generator<number> {
  for (let x = seed; ; ) {
    x = (x * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield x;
  }
}

const activityOf = (all: readonly Seen[]): Activity => {
  const a = newActivity((all[0] as Seen).at);
  for (const s of all) count(a, { ...s, amount: decimal(s.amount) }, [['customer', s.customer]]);
  return a;
};
const value = (a: Activity, d: Omit<CounterDefinition, 'of'>, at: number, currency = 'NGN') =>
  keptValue(counterValue({ of: 'client', ...d }, { at, currency, keys: { client: 'c' } }, () => a));

const one = (at: number, over: Partial<Seen> = {}): Seen => ({
  at,
  kind: 'deposit',
  amount: '10.01',
  currency: 'NGN',
  customer: 'ada',
  ...over,
});

describe('activity', () => {
  it.each([
    ['1h', 5 * minute],
    ['24h', hour],
    ['7d', day],
    ['30d', day],
  ] as const)('counts in a window of %s what a recount finds, to the width of a bucket', (window, width) => {
    const random = numbers(7);
    const draw = (below: number) => (random.next().value as number) % below;
    const all: Seen[] = [];
    for (let at = start, i = 0; i < 3000; i++, at += draw(2 * (windows[window] / 200)))
      all.push(
        one(at, {
          kind: (['deposit', 'withdrawal'] as const)[draw(2)] as CountedKind,
          amount: `${draw(1000)}.${draw(100)}`,
          customer: `p${draw(20)}`,
        }),
      );
    const a = activityOf(all);
    const at = (all.at(-1) as Seen).at;
    const from = Math.floor((at - windows[window]) / width) * width;
    const within = all.filter((s) => s.at >= from && s.kind === 'deposit');
    expect(within.length).toBeGreaterThan(50);
    const kinds: CountedKind[] = ['deposit'];
    expect(value(a, { measure: 'count', window, kinds }, at)).toBe(within.length);
    const units = within.reduce((n, s) => n + BigInt(Math.round(Number(s.amount) * 100)), 0n);
    expect(value(a, { measure: 'sum', window, kinds }, at)).toBe(plainOf({ units, scale: 2 }));
    const persons = new Set(all.filter((s) => s.at > at - windows[window]).map((s) => s.customer));
    expect(value(a, { measure: 'distinct', window, distinct: 'customer' }, at)).toBe(persons.size);
  });

  it.each([
    ['1h', 5 * minute],
    ['24h', hour],
    ['7d', day],
    ['30d', day],
  ] as const)('leaves nothing within a window of %s out, and counts nothing a step before it', (window, step) => {
    const random = numbers(13);
    // What is counted is kept in steps beginning anywhere in one, and looked at from anywhere in another.
    for (let i = 0; i < 1000; i++) {
      const at = start + ((random.next().value as number) % (2 * day));
      const ago = (random.next().value as number) % (windows[window] + 1);
      const counted = (before: number) =>
        value(activityOf([one(at - before), one(at)]), { measure: 'count', window }, at);
      expect([at, ago, counted(ago), counted(windows[window])]).toEqual([at, ago, 2, 2]);
      expect([at, counted(windows[window] + step)]).toEqual([at, 1]);
    }
  });

  it('adds exactly, and only what is of the same currency', () => {
    const a = activityOf([
      one(start, { amount: '0.1' }),
      one(start + 1, { amount: '0.2' }),
      one(start + 2, { currency: 'KES', amount: '5' }),
    ]);
    expect(value(a, { measure: 'sum', window: '1h' }, start + 2)).toBe('0.3');
    expect(value(a, { measure: 'sum', window: '1h' }, start + 2, 'KES')).toBe('5');
    expect(value(a, { measure: 'count', window: '1h' }, start + 2)).toBe(3);
  });

  it('has the last amount of records that are revised, in the bucket of their time, and none twice', () => {
    const random = numbers(11);
    const draw = (below: number) => (random.next().value as number) % below;
    const all = Array.from({ length: 1000 }, (_, i) =>
      one(start + i * 20 * minute, { amount: `${draw(1000)}.${draw(100)}` }),
    );
    const a = activityOf(all);
    const last = all.map((s) => {
      let is = s;
      for (let times = draw(3); times > 0; times--) {
        const next = { ...is, amount: `${draw(1000)}.${draw(100)}`, currency: draw(4) === 0 ? 'KES' : is.currency };
        recount(a, { ...is, amount: decimal(is.amount) }, { amount: decimal(next.amount), currency: next.currency });
        is = next;
      }
      return is;
    });
    // The same as if each had been recorded once, as it is at the end.
    const b = activityOf(last);
    const at = (all.at(-1) as Seen).at;
    for (const window of ['1h', '24h', '7d', '30d'] as const) {
      expect(value(a, { measure: 'count', window }, at)).toBe(value(b, { measure: 'count', window }, at));
      for (const currency of ['NGN', 'KES'])
        expect(value(a, { measure: 'sum', window }, at, currency)).toBe(
          value(b, { measure: 'sum', window }, at, currency),
        );
    }
    expect(value(a, { measure: 'count', window: '7d' }, at)).toBeGreaterThan(400);
  });

  it('knows when a key was seen first, and before', () => {
    const a = activityOf([one(start)]);
    expect(value(a, { measure: 'sinceFirst' }, start)).toBe(0);
    expect(value(a, { measure: 'sinceLast' }, start)).toBe(0);
    const b = activityOf([one(start), one(start + hour), one(start + 3 * hour)]);
    expect(value(b, { measure: 'sinceFirst' }, start + 3 * hour)).toBe(3 * 3600);
    expect(value(b, { measure: 'sinceLast' }, start + 3 * hour)).toBe(2 * 3600);
  });

  it('counts what comes late where it belongs', () => {
    const late = start - 6 * minute;
    const a = activityOf([one(start + hour), one(late), one(start + hour)]);
    expect(value(a, { measure: 'count', window: '24h' }, start + hour)).toBe(3);
    expect(value(a, { measure: 'count', window: '1h' }, start + hour)).toBe(2);
    expect(a.first).toBe(late);
  });

  it('counts the same whether or not it is written and read between two records', () => {
    const random = numbers(5);
    const draw = (below: number) => (random.next().value as number) % below;
    const kept = newActivity(start);
    let stored = activityText(kept);
    const both = (change: (a: Activity) => void) => {
      const read = readActivity(stored);
      change(kept);
      change(read);
      stored = activityText(read);
    };
    const past: Seen[] = [];
    for (let i = 0, at = start; i < 2000; i++, at += draw(2 * hour)) {
      // Some come late, by up to two days, and some are revised.
      const s = one(at - (draw(10) === 0 ? draw(2 * day) : 0), {
        kind: draw(4) === 0 ? 'chargeback' : 'deposit',
        amount: `${draw(1000)}.${draw(100)}`,
        currency: draw(5) === 0 ? 'USDT' : 'NGN',
        customer: `p${draw(30)}`,
      });
      both((a) => count(a, { ...s, amount: decimal(s.amount) }, [['customer', s.customer]]));
      const was = past.at(-draw(20));
      if (was && draw(5) === 0)
        both((a) => recount(a, { ...was, amount: decimal(was.amount) }, { amount: decimal('7.5'), currency: 'NGN' }));
      else past.push(s);
      expect(stored).toBe(activityText(kept));
      const read = readActivity(stored);
      for (const window of ['1h', '24h', '7d', '30d'] as const)
        for (const measure of ['count', 'sum', 'sinceFirst', 'sinceLast', 'distinct'] as const) {
          const d = { measure, window, ...(measure === 'distinct' ? { distinct: 'customer' as const } : {}) };
          expect(value(read, d, at)).toBe(value(kept, d, at));
        }
    }
    expect(value(kept, { measure: 'count', window: '30d' }, (past.at(-1) as Seen).at)).toBeGreaterThan(500);
  });

  it('reads what was stored until November 2026', () => {
    const text =
      '[1763719200000,1763805600000,1763719200000,[[[1763805600000,[["deposit NGN",1,"5"]]]],[[1763719200000,[["deposit NGN",2,"20.02"],["+deposit ",3,"0"]]],[1763805600000,[["deposit NGN",1,"5"]]]],[[1763683200000,[["deposit NGN",2,"20.02"],["chargeback KES",1,"-7.5"]]],[1763769600000,[["deposit NGN",1,"5"]]]]],[["customer",[["ada",1763719200000],["kip",1763805600000]]]]]';
    const at = 1_763_805_600_000;
    const a = readActivity(text);
    for (const read of [a, readActivity(activityText(a))]) {
      expect(value(read, { measure: 'sum', window: '30d' }, at)).toBe('25.02');
      expect(value(read, { measure: 'sum', window: '30d' }, at, 'KES')).toBe('-7.5');
      expect(value(read, { measure: 'count', window: '24h', kinds: ['deposit'] }, at)).toBe(6);
      expect(value(read, { measure: 'count', window: '1h' }, at)).toBe(1);
      expect(value(read, { measure: 'distinct', window: '30d', distinct: 'customer' }, at)).toBe(2);
      expect(value(read, { measure: 'sinceFirst' }, at)).toBe(86_400);
    }
  });

  it('of who sells every hour of a month has room in a page, most of it as it was before the last sale', () => {
    const a = newActivity(start);
    for (let at = start; at < start + 30 * day; at += hour) count(a, { ...one(at), amount: decimal('107.50') }, []);
    const before = activityText(a);
    count(a, { ...one(start + 30 * day - hour + 1), amount: decimal('107.50') }, []);
    const after = activityText(a);
    expect(after.length).toBeLessThan(1300);
    let same = 0;
    while (before.at(-1 - same) === after.at(-1 - same)) same++;
    expect(after.length - same).toBeLessThan(150);
  });

  it('stays small however much happens, and says at least what it knows', () => {
    const all: Seen[] = [];
    for (let i = 0; i < 20_000; i++)
      all.push(one(start + i * 3 * minute, { currency: `C${i % 500}`, customer: `person-number-${i}` }));
    const a = activityOf(all);
    expect(activityText(a).length).toBeLessThan(150_000);
    const last = (all.at(-1) as Seen).at;
    expect(value(a, { measure: 'distinct', window: '30d', distinct: 'customer' }, last)).toBe(mostMembers);
    // Further currencies are not summed, and counted all the same.
    expect(value(a, { measure: 'count', window: '24h', kinds: ['deposit'] }, last)).toBeGreaterThan(455);
  });
});
