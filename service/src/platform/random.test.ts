// Ids created here are UUIDv7 as in RFC 9562, ordered and unique.
import { TypeID } from 'typeid-js';
import { describe, expect, it } from 'vitest';
import { toWire } from '../core/ids.ts';
import { IdMaker, randomSecret } from './random.ts';

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timeOf = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

describe('IdMaker', () => {
  it('makes UUIDv7: 48 bits of milliseconds, version 7, variant 10', () => {
    for (const at of [0, 1, 1_700_000_000_000, Date.parse('2026-11-21T10:00:00Z'), 2 ** 48 - 1]) {
      const id = new IdMaker(() => at).next();
      expect(id).toMatch(form);
      expect(timeOf(id)).toBe(at);
    }
  });

  it('makes ids that typeid-js reads back to the same uuid', () => {
    const ids = new IdMaker(() => 1_795_255_200_000);
    for (let i = 0; i < 100; i++) {
      const id = ids.next();
      expect(TypeID.fromString(toWire('transaction', id)).toUUID()).toBe(id);
    }
  });

  it('makes a hundred thousand ids in one millisecond without a repeat, each later than the one before', () => {
    const ids = new IdMaker(() => 1_795_255_200_000);
    const seen = new Set<string>();
    let before = '';
    for (let i = 0; i < 100_000; i++) {
      const id = ids.next();
      if (!(id > before)) expect(id > before, `${id} after ${before}`).toBe(true);
      before = id;
      seen.add(id);
    }
    expect(seen.size).toBe(100_000);
    expect(before).toMatch(form);
  });

  it('never goes backwards though the clock does, and follows it again once it has caught up', () => {
    let now = 1_795_255_200_000;
    const ids = new IdMaker(() => now);
    const made = [ids.next(), ids.next()];
    now -= 3_600_000;
    for (let i = 0; i < 5_000; i++) made.push(ids.next());
    now += 3_600_000 + 1_000;
    made.push(ids.next());
    expect(made).toEqual([...made].sort());
    expect(new Set(made).size).toBe(made.length);
    expect(timeOf(made.at(-1) as string)).toBe(now);
  });

  it('tells nothing of the random bits of one maker by those of another', () => {
    const clock = () => 1_795_255_200_000;
    const a = new IdMaker(clock);
    const b = new IdMaker(clock);
    const tails = new Set<string>();
    for (let i = 0; i < 1_000; i++) {
      tails.add(a.next().slice(19));
      tails.add(b.next().slice(19));
    }
    expect(tails.size).toBe(2_000);
  });

  it('spreads the random bits evenly', () => {
    const ids = new IdMaker(() => 1_795_255_200_000);
    const ones = new Array<number>(62).fill(0);
    const runs = 20_000;
    for (let i = 0; i < runs; i++) {
      const bits = BigInt(`0x${ids.next().slice(19).replace('-', '')}`);
      for (let b = 0; b < 62; b++) if ((bits >> BigInt(b)) & 1n) ones[b] = (ones[b] as number) + 1;
    }
    // Seven standard deviations: a fair bit fails this once in many trillions of runs.
    const spread = 7 * Math.sqrt(runs / 4);
    for (const n of ones) expect(Math.abs(n - runs / 2)).toBeLessThan(spread);
  });
});

describe('randomSecret', () => {
  it('has the length asked for and never repeats', () => {
    const made = Array.from({ length: 1_000 }, () => randomSecret(32));
    for (const s of made) expect(s).toHaveLength(32);
    expect(new Set(made.map((s) => s.toString('hex'))).size).toBe(1_000);
  });
});
