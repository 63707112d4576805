// The score of a name against a listed name, and of what else is known, in steps that a person can follow. Scores are
// percents in whole numbers; docs/reference/screening.md says how they are made.
import type { ListEntry } from './entry.ts';
import { jaroWinkler } from './likeness.ts';
import type { Word } from './words.ts';

/** A word of the one name beside that of the other. */
export interface WordPair {
  readonly asked: string;
  readonly listed: string;
  /** SAME, SOUND: spelt differently, sounds alike. SPELLING: a typing error. INITIAL: one is the first letter. */
  readonly by: 'SAME' | 'SOUND' | 'SPELLING' | 'INITIAL' | 'JOINED';
  readonly score: number;
}

export interface NameScore {
  readonly score: number;
  readonly pairs: readonly WordPair[];
}

/** Least likeness of two words that count as one. */
const leastLikeness = 0.86;
/** Share of its weight that a word without a counterpart costs. The list's cost less: people leave out middle names. */
export const unmatchedAsked = 0.35;
export const unmatchedListed = 0.25;

const bySound = 0.96;
const byInitial = 0.85;

function pairOf(asked: Word, listed: Word): Pick<WordPair, 'by'> & { readonly like: number } {
  if (asked.text === listed.text) return { by: 'SAME', like: 1 };
  const [short, long] = asked.text.length < listed.text.length ? [asked, listed] : [listed, asked];
  if (short.text.length === 1)
    return long.text.startsWith(short.text) ? { by: 'INITIAL', like: byInitial } : { by: 'INITIAL', like: 0 };
  // Numbers are equal or not.
  if (/\d/.test(asked.text) || /\d/.test(listed.text)) return { by: 'SPELLING', like: 0 };
  const like = jaroWinkler(asked.text, listed.text);
  // A key of few sounds says little: John and Jane.
  if (asked.sound === listed.sound && like >= (asked.sound.length >= 3 ? 0.6 : 0.8))
    return { by: 'SOUND', like: Math.max(bySound, like) };
  const least = Math.min(asked.text.length, listed.text.length) <= 4 ? 0.92 : leastLikeness;
  return { by: 'SPELLING', like: like >= least ? like : 0 };
}

const percent = (share: number): number => Math.round(share * 100);
const total = (words: readonly Word[]): number => words.reduce((sum, w) => sum + w.weight, 0);
const together = (words: readonly Word[]): string => words.map((w) => w.text).join('');

/** Pairs the words of two names, the most alike first, in any order. */
export function scoreOfNames(asked: readonly Word[], listed: readonly Word[]): NameScore {
  if (asked.length === 0 || listed.length === 0) return { score: 0, pairs: [] };
  const [one, other] = [together(asked), together(listed)];
  if (one === other && asked.length !== listed.length)
    return { score: 98, pairs: [{ asked: one, listed: other, by: 'JOINED', score: 98 }] };
  const all: { i: number; j: number; by: WordPair['by']; like: number }[] = [];
  asked.forEach((a, i) => {
    listed.forEach((l, j) => {
      const pair = pairOf(a, l);
      if (pair.like > 0) all.push({ i, j, ...pair });
    });
  });
  all.sort((a, b) => b.like - a.like || a.i - b.i || a.j - b.j);
  const [usedAsked, usedListed] = [new Set<number>(), new Set<number>()];
  const pairs: WordPair[] = [];
  let alike = 0;
  let paired = 0;
  let bearing = 0;
  for (const { i, j, by, like } of all) {
    if (usedAsked.has(i) || usedListed.has(j)) continue;
    usedAsked.add(i);
    usedListed.add(j);
    const [a, l] = [asked[i] as Word, listed[j] as Word];
    const weight = (a.weight + l.weight) / 2;
    alike += weight * like;
    paired += weight;
    if (by !== 'INITIAL' && weight >= 0.5) bearing += 1;
    pairs.push({ asked: a.text, listed: l.text, by, score: percent(like) });
  }
  if (pairs.length === 0 || bearing === 0) return { score: 0, pairs: [] };
  const ofAsked = total(asked.filter((_, i) => !usedAsked.has(i)));
  const ofListed = total(listed.filter((_, j) => !usedListed.has(j)));
  // Lists have names of four and five words of which people use two.
  const whole = ofAsked === 0 && bearing >= 2;
  const missing = unmatchedAsked * ofAsked + unmatchedListed * (whole ? Math.min(1, ofListed) : ofListed);
  const score = percent(alike / (paired + missing));
  // One word of a longer name is a family name or a first name that many share.
  const left = [...asked.filter((_, i) => !usedAsked.has(i)), ...listed.filter((_, j) => !usedListed.has(j))];
  const alone = bearing === 1 && left.some((w) => w.weight >= 0.5);
  return { score: alone ? Math.min(score, 70) : score, pairs };
}

/** What is asked, besides the name. */
export interface AskedAbout {
  readonly born?: string | undefined;
  readonly countries?: readonly string[] | undefined;
}

export interface FieldScore {
  readonly field: 'name' | 'born' | 'country';
  readonly asked: string;
  readonly listed: string;
  /** Of the name its score; of the others what they add or take away. */
  readonly score: number;
  readonly pairs?: readonly WordPair[];
}

const firstOf = (date: string): string => (date.split('/')[0] as string).padEnd(10, '-01');
const lastOf = (date: string): string => {
  const end = date.split('/').at(-1) as string;
  return end.length === 4 ? `${end}-12-31` : end.length === 7 ? `${end}-31` : end;
};

/** SAME if the dates may be of one day, NEAR within a year of each other, OTHER if not. */
function birthsCompared(asked: string, listed: string): 'SAME' | 'NEAR' | 'OTHER' {
  if (firstOf(asked) <= lastOf(listed) && firstOf(listed) <= lastOf(asked)) return 'SAME';
  const years = Math.min(
    Math.abs(Number(firstOf(asked).slice(0, 4)) - Number(lastOf(listed).slice(0, 4))),
    Math.abs(Number(firstOf(listed).slice(0, 4)) - Number(lastOf(asked).slice(0, 4))),
  );
  return years <= 1 ? 'NEAR' : 'OTHER';
}

const bornScores = { SAME: 5, NEAR: 0, OTHER: -15 } as const;
const sameCountry = 2;
const otherCountry = -3;

/** What a date of birth and countries add to a name's score, where both sides have them. */
export function scoresBeside(about: AskedAbout, entry: ListEntry): FieldScore[] {
  const fields: FieldScore[] = [];
  if (about.born !== undefined && entry.births.length > 0) {
    const compared = entry.births.map((b) => birthsCompared(about.born as string, b));
    const best = compared.includes('SAME') ? 'SAME' : compared.includes('NEAR') ? 'NEAR' : 'OTHER';
    fields.push({ field: 'born', asked: about.born, listed: entry.births.join(', '), score: bornScores[best] });
  }
  if (about.countries !== undefined && about.countries.length > 0 && entry.countries.length > 0) {
    const same = about.countries.some((c) => entry.countries.includes(c));
    fields.push({
      field: 'country',
      asked: about.countries.join(', '),
      listed: entry.countries.join(', '),
      score: same ? sameCountry : otherCountry,
    });
  }
  return fields;
}

/** A weak alias counts only where something else agrees as well. */
export const weakAliasCost = 8;

export const bounded = (score: number): number => Math.max(0, Math.min(100, score));
