// A cache in two generations: what is used stays, what is not goes, and there is never a moment without any.
import { describe, expect, it } from 'vitest';
import { Kept } from './kept.ts';

const filled = (count: number, most: number) => {
  const kept = new Kept<number>(most, () => 10);
  for (let i = 0; i < count; i++) kept.set(`k${i}`, i);
  return kept;
};

describe('what is kept', () => {
  it('never passes its bytes, and is at least nearly half of them once it was full', () => {
    const kept = new Kept<number>(1000, () => 10);
    const sizes = Array.from({ length: 1000 }, (_, i) => {
      kept.set(`k${i}`, i);
      return kept.size * 10;
    });
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1010);
    expect(Math.min(...sizes.slice(100))).toBeGreaterThanOrEqual(500);
  });

  it('stays while it is used, however much comes by', () => {
    const kept = filled(1, 1000);
    for (let i = 1; i < 10_000; i++) {
      kept.set(`k${i}`, i);
      if (i % 40 === 0) expect(kept.get('k0')).toBe(0);
    }
    expect(kept.get('k1')).toBeUndefined();
  });

  it('goes if nobody uses it; a look does not count as a use', () => {
    const kept = filled(1, 1000);
    for (let i = 1; i < 200; i++) {
      kept.set(`k${i}`, i);
      kept.peek('k0');
    }
    expect(kept.peek('k0')).toBeUndefined();
  });

  it('is gone after it was deleted, in whichever generation it was, and counts once however often it is set', () => {
    const kept = filled(70, 1000);
    for (const key of ['k0', 'k69']) {
      expect(kept.peek(key)).toBeDefined();
      kept.delete(key);
      expect(kept.get(key)).toBeUndefined();
    }
    kept.deleteWhere((v) => v % 2 === 1);
    expect([kept.get('k1'), kept.get('k67'), kept.get('k2'), kept.get('k66')]).toEqual([undefined, undefined, 2, 66]);
    for (let i = 0; i < 1000; i++) kept.set('k2', i);
    expect([kept.get('k2'), kept.get('k66')]).toEqual([999, 66]);
    kept.clear();
    expect([kept.size, kept.get('k2')]).toEqual([0, undefined]);
  });
});
