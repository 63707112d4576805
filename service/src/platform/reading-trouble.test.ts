import { describe, expect, it } from 'vitest';
import { Trouble } from './reading-trouble.ts';

/** Reads a journal as a reader does. @returns the entries read, those set aside, and the number of tries */
function readAll(entries: number, limit: number, digests: (seq: number) => boolean) {
  const [read, aside]: [number[], number[]] = [[], []];
  let trouble: Trouble | undefined;
  let tries = 0;
  for (let at = 1; at <= entries; tries++) {
    const count = Math.min(limit, trouble?.width ?? limit, entries - at + 1);
    const tried = Array.from({ length: count }, (_, i) => at + i);
    if (tried.every(digests)) {
      read.push(...tried);
      at += count;
      if (trouble?.read(limit)) trouble = undefined;
      continue;
    }
    trouble ??= new Trouble();
    const next = trouble.failed(count);
    if (next === 'without') {
      aside.push(at++);
      trouble.setAside();
    } else if (next === 'later') {
      if (trouble.failures > 5) break;
      trouble.pause();
    }
  }
  return { read, aside, tries, stands: trouble?.stands ?? false };
}

describe('a journal with entries that cannot be digested', () => {
  it.each([
    ['one of ten thousand', 10_000, (seq: number) => seq !== 7_777],
    ['a thousand, one in ten', 10_000, (seq: number) => seq % 10 !== 0],
    ['a thousand in a row', 3_000, (seq: number) => seq <= 1_000 || seq > 2_000],
  ])('is read but for them: %s', (_, entries, digests) => {
    const all = Array.from({ length: entries }, (_, i) => i + 1);
    const { read, aside, tries, stands } = readAll(entries, 500, digests);
    expect(read).toEqual(all.filter(digests));
    expect(aside).toEqual(all.filter((seq) => !digests(seq)));
    expect(stands).toBe(false);
    // A few tries for each one set aside, in addition to the batches.
    expect(tries).toBeLessThan(40 + entries / 500 + 10 * aside.length);
  });

  it('is read no further where not one of more than a thousand in a row can be read: the reader is at fault', () => {
    const { read, aside, stands } = readAll(5_000, 500, () => false);
    expect([read.length, aside.length, stands]).toEqual([0, 1_000, true]);
  });

  it('has nothing set aside for taking too long before it was tried three times by itself in small pieces, with pauses', () => {
    const t = new Trouble();
    const steps: unknown[] = [];
    for (let entries = 4; ; entries = t.width ?? entries) {
      const next = t.failed(entries, true);
      steps.push([entries, t.small ? 'small' : 'whole', next]);
      if (next === 'without') break;
      if (next === 'later') t.pause();
    }
    expect(steps).toEqual([
      [4, 'whole', 'later'],
      [4, 'whole', 'later'],
      [4, 'whole', 'fewer'],
      [2, 'whole', 'fewer'],
      [1, 'small', 'fewer'],
      [1, 'small', 'later'],
      [1, 'small', 'later'],
      [1, 'small', 'without'],
    ]);
  });

  it('is read in small pieces for a while after an entry that took too long as a whole, then as ever', () => {
    const t = new Trouble();
    while (t.failed(t.width ?? 1, true) !== 'fewer') t.pause();
    let small = 0;
    for (; t.small; small++) expect(t.read(500)).toBe(false);
    expect([small, t.width]).toEqual([100, 2]);
    let well = false;
    for (let i = 0; i < 10 && !well; i++) well = t.read(500);
    expect(well).toBe(true);
  });

  it('has nothing set aside at the first failures, which may pass by themselves', () => {
    const t = new Trouble();
    expect(t.failed(1)).toBe('later');
    t.pause();
    expect([t.failed(1), t.stands, t.waits]).toEqual(['later', true, true]);
    t.pause();
    expect(t.failed(1)).toBe('without');
  });
});
