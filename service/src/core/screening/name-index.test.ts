// The index of names finds what comparing all would find, and forgets what is taken out.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListEntry } from './entry.ts';
import { NameIndex } from './name-index.ts';
import { scoreOfNames } from './score.ts';
import { wordsOf } from './words.ts';

const plain = (han: string) => han;
const entry = (ref: string, names: string[], over: Partial<ListEntry> = {}): ListEntry => ({
  ...{ ref, kind: 'PERSON', names: names.map((name) => ({ name })), births: [], countries: [], keys: [] },
  programmes: [],
  ...over,
});
const listed = (e: ListEntry, list = 'UN') => ({ list, purpose: 'SANCTIONS' as const, revision: 1, entry: e });
const refs = (index: NameIndex, name: string) => index.search({ name }).map((m) => m.entry.ref);

describe('NameIndex', () => {
  it('finds an entry by any of its names, once, with its best name', () => {
    const index = new NameIndex(plain);
    index.put(listed(entry('1', ['Osama bin Laden', 'Usama bin Ladin'])));
    const [found, ...others] = index.search({ name: 'Usama Ladin' });
    expect(others).toEqual([]);
    expect(found).toMatchObject({ score: 100, name: 'Usama bin Ladin', entry: { ref: '1' } });
  });

  it('replaces and removes entries, and keeps those of other lists', () => {
    const index = new NameIndex(plain);
    index.put(listed(entry('1', ['Viktor Bout'])));
    index.put(listed(entry('1', ['Viktor Bout']), 'EU'));
    index.put(listed(entry('1', ['Someone Else'])));
    expect(index.search({ name: 'Viktor Bout' }).map((m) => m.list)).toEqual(['EU']);
    index.remove('EU', '1');
    expect(refs(index, 'Viktor Bout')).toEqual([]);
    expect(index.names).toBe(1);
  });

  it('takes the threshold of the list before that of its purpose, and what is asked before both', () => {
    const index = new NameIndex(plain);
    index.put(listed(entry('1', ['Vladimir Vladimirovich Putin'])));
    const asked = { name: 'Wladimir Putin' };
    const [match] = index.search({ ...asked, least: 50 });
    const score = match?.score as number;
    index.thresholds.set('UN', score + 1);
    expect(index.search(asked)).toEqual([]);
    index.thresholds.set('UN', score);
    expect(index.search(asked)).toHaveLength(1);
    expect(index.search({ ...asked, least: score + 1 })).toEqual([]);
  });

  it('counts a weak alias only where something else agrees', () => {
    const index = new NameIndex(plain);
    const weak = { names: [{ name: 'Abu Fulan', weak: true as const }], countries: ['IQ'] };
    index.put(listed(entry('1', [], weak)));
    const of = (countries: string[]) => index.search({ name: 'Abu Fulan', countries, least: 50 })[0]?.score;
    expect([of([]), of(['IQ']), of(['NG'])]).toEqual([92, 100, 89]);
  });

  it('finds every entry that comparing with all would find, for typing errors in one word', () => {
    const word = fc.constantFrom(
      ...['vladimir', 'putin', 'hussein', 'saddam', 'maduro', 'nicolas', 'ayman', 'zawahiri', 'kadyrov', 'ramzan'],
    );
    fc.assert(
      fc.property(word, word, fc.nat(20), fc.constantFrom('x', 'q', 'a'), (first, last, at, letter) => {
        fc.pre(first !== last);
        const index = new NameIndex(plain);
        index.put(listed(entry('1', [`${first} ${last}`])));
        const i = at % last.length;
        const typed = `${first} ${last.slice(0, i)}${letter}${last.slice(i + 1)}`;
        const { score } = scoreOfNames(wordsOf(typed, plain), wordsOf(`${first} ${last}`, plain));
        expect(refs(index, typed)).toEqual(score >= 85 ? ['1'] : []);
      }),
      { numRuns: 300 },
    );
  });
});
