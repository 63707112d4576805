// The index of names finds what comparing all would find, and forgets what is taken out.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListEntry } from './entry.ts';
import { atMostAlike, jaroWinkler, lettersOf } from './likeness.ts';
import { NameIndex } from './name-index.ts';
import { scoreOfNames, scoresBeside, weakAliasCost } from './score.ts';
import { keysOf } from './vocabulary.ts';
import { type Word, wordsOf } from './words.ts';

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

  it('finds a name of words that many companies share, in any order, where it is the whole name', () => {
    const index = new NameIndex(plain);
    const names = ['MARINE INDUSTRIES ORGANIZATION', 'Oil Industries Engineering and Construction', 'Bank', 'A B C'];
    for (const [i, name] of names.entries()) index.put(listed(entry(String(i), [name])));
    expect(names.map((name) => refs(index, name))).toEqual([['0'], ['1'], ['2'], ['3']]);
    expect(refs(index, 'Organization of Marine Industries Ltd')).toEqual(['0']);
    expect(refs(index, 'Marine Construction Bank')).toEqual([]);
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

  it('finds what the rule finds without an index, whatever was put in and taken out before', () => {
    // Names of one to five words that are often near each other, with initials, spellings and words of companies.
    const word = fc.constantFrom(
      ...'mohammed mohamed ali hassan hussein khalid ivan ivanov ivanova petrov v k trading bank kim jong zawahiri'.split(
        ' ',
      ),
    );
    const name = fc.array(word, { minLength: 1, maxLength: 5 }).map((of) => of.join(' '));
    const one = fc.record({
      ref: fc.nat(30).map(String),
      names: fc.array(fc.record({ name, weak: fc.constantFrom(true, false) }), { minLength: 1, maxLength: 3 }),
      births: fc.constantFrom([], ['1960-01-01']),
      countries: fc.constantFrom([], ['RU'], ['NG']),
    });
    const question = fc.record({
      name,
      born: fc.constantFrom(undefined, '1960', '1980'),
      countries: fc.constantFrom([], ['RU']),
      least: fc.constantFrom(undefined, 0, 60, 95),
    });
    fc.assert(
      fc.property(
        fc.array(one, { maxLength: 60 }),
        fc.array(fc.nat(30).map(String), { maxLength: 10 }),
        fc.array(question, { minLength: 1, maxLength: 10 }),
        (puts, removed, questions) => {
          const index = new NameIndex(plain);
          const kept = new Map<string, ListEntry>();
          for (const { ref, names, ...of } of puts) {
            const weak = names.map(({ name, weak }) => (weak ? { name, weak: true as const } : { name }));
            kept.set(ref, entry(ref, [], { ...of, names: weak }));
            index.put(listed(kept.get(ref) as ListEntry));
          }
          for (const ref of removed) {
            kept.delete(ref);
            index.remove('UN', ref);
          }
          for (const asked of questions)
            expect(index.search(asked).map((m) => [m.entry.ref, m.score, m.name])).toEqual(
              foundByRule(asked, [...kept.values()]),
            );
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('the bound of likeness', () => {
  it('is never below the likeness', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcdexyzößж9'), minLength: 1, maxLength: 50 });
    const of = (text: string) => ({ text, letters: lettersOf(text) });
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(atMostAlike(of(a), of(b))).toBeGreaterThanOrEqual(jaroWinkler(a, b));
      }),
      { numRuns: 2000 },
    );
  });
});

type Asked = Parameters<NameIndex['search']>[0];

/** The rule as it is said, over all names: which are compared, and from which score each entry matches, by its best name. */
function foundByRule(asked: Asked, entries: readonly ListEntry[]): [ref: string, score: number, name: string][] {
  const words = wordsOf(asked.name, plain);
  const least = asked.least ?? 85;
  return entries
    .flatMap((e): [string, number, string][] => {
      const scores = e.names.flatMap(({ name, weak }): { score: number; name: string }[] => {
        const of = wordsOf(name, plain);
        if (!isCompared(words, of, least)) return [];
        const fields = scoresBeside(asked, e);
        const cost = weak && !fields.some((f) => f.score > 0) ? weakAliasCost : 0;
        const score = fields.reduce((sum, f) => sum + f.score, scoreOfNames(words, of).score - cost);
        return [{ score: Math.max(0, Math.min(100, score)), name }];
      });
      const [best] = scores.sort((a, b) => b.score - a.score);
      return best !== undefined && best.score >= least ? [[e.ref, best.score, best.name]] : [];
    })
    .sort((a, b) => b[1] - a[1] || (`UN${a[0]}` < `UN${b[0]}` ? -1 : 1));
}

function isCompared(asked: readonly Word[], of: readonly Word[], least: number): boolean {
  const bearing = (words: readonly Word[]) => words.filter((w) => w.text.length > 1);
  const text = (words: readonly Word[]) => words.map((w) => w.text).join('');
  const weight = (words: readonly Word[]) => words.reduce((sum, w) => sum + w.weight, 0);
  if (text(asked) === text(of)) return true;
  const keys = new Set(of.flatMap(keysOf));
  const near = bearing(asked).filter((w) => keysOf(w).some((key) => keys.has(key))).length;
  if (bearing(of).length < 2 || bearing(asked).length === 1) return near > 0;
  if (near < 2) return false;
  if (asked.length > bearing(asked).length || of.length > bearing(of).length) return true;
  // Even if all near words were equal, those that are left would cost so much.
  const [a, l] = [weight(asked) - near, weight(of) - near];
  const missing = 0.35 * Math.max(0, a) + 0.25 * Math.max(0, a > 0 ? l : Math.min(1, l));
  return (100 * near) / (near + missing) >= least - 8;
}
