// The score of a name against a listed name, and of what else is known, in steps that a person can follow. Scores are
// percents in whole numbers; docs/reference/screening.md says how they are made.
import type { ListEntry } from './entry.ts';
import { atMostAlike, jaroWinkler } from './likeness.ts';
import type { Word } from './words.ts';

/** A word of the one name beside that of the other. */
interface WordPair {
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

interface Likeness {
  readonly by: WordPair['by'];
  readonly like: number;
}
const unlike: Likeness = { by: 'SPELLING', like: 0 };

function pairOf(asked: Word, listed: Word): Likeness {
  if (asked.text === listed.text) return { by: 'SAME', like: 1 };
  const [short, long] = asked.text.length < listed.text.length ? [asked, listed] : [listed, asked];
  if (short.text.length === 1)
    return long.text.startsWith(short.text) ? { by: 'INITIAL', like: byInitial } : { by: 'INITIAL', like: 0 };
  // Numbers are equal or not.
  if (asked.hasDigit || listed.hasDigit) return unlike;
  // A key of few sounds says little: John and Jane.
  const leastBySound = asked.sound === listed.sound ? (asked.sound.length >= 3 ? 0.6 : 0.8) : 1;
  const least = Math.min(asked.text.length, listed.text.length) <= 4 ? 0.92 : leastLikeness;
  if (atMostAlike(asked, listed) < Math.min(least, leastBySound)) return unlike;
  const like = jaroWinkler(asked.text, listed.text);
  if (asked.sound === listed.sound && like >= leastBySound) return { by: 'SOUND', like: Math.max(bySound, like) };
  return { by: 'SPELLING', like: like >= least ? like : 0 };
}

const percent = (share: number): number => Math.round(share * 100);
export const together = (words: readonly Word[]): string => words.map((w) => w.text).join('');
/** A name's words without spaces, from each of its words on. */
export const turnedRound = (words: readonly Word[]): string[] =>
  words.map((_, i) => together([...words.slice(i), ...words.slice(0, i)]));
const lettersIn = (words: readonly Word[]): number => words.reduce((sum, w) => sum + w.text.length, 0);

/** What is left of a name's words. @param used a bit for each word that has a counterpart */
function leftOf(words: readonly Word[], used: number) {
  let weight = 0;
  let says = false;
  for (let i = 0; i < words.length; i++)
    if ((used & (1 << i)) === 0) {
      const of = (words[i] as Word).weight;
      weight += of;
      says ||= of >= 0.5;
    }
  return { weight, says };
}

interface Alike extends Likeness {
  readonly i: number;
  readonly j: number;
}

/** Words that are alike, the most alike first. */
function alikeOf(asked: readonly Word[], listed: readonly Word[]): Alike[] {
  const all: Alike[] = [];
  for (let i = 0; i < asked.length; i++)
    for (let j = 0; j < listed.length; j++) {
      const { by, like } = pairOf(asked[i] as Word, listed[j] as Word);
      if (like > 0) all.push({ i, j, by, like });
    }
  return all.length < 2 ? all : all.sort((a, b) => b.like - a.like || a.i - b.i || a.j - b.j);
}

/**
 * Pairs the words of two names, the most alike first, in any order.
 * @param least the pairs are left out below this score
 */
export function scoreOfNames(asked: readonly Word[], listed: readonly Word[], least = 0): NameScore {
  if (asked.length === 0 || listed.length === 0) return { score: 0, pairs: [] };
  if (asked.length !== listed.length && lettersIn(asked) === lettersIn(listed)) {
    const other = together(listed);
    // Family names stand first or last: Wang Xiao Ming is Xiaoming Wang.
    const one = turnedRound(asked).find((turned) => turned === other);
    if (one !== undefined) return { score: 98, pairs: [{ asked: one, listed: other, by: 'JOINED', score: 98 }] };
  }
  // Names have so few words that one number holds a bit for each.
  let usedAsked = 0;
  let usedListed = 0;
  let alike = 0;
  let paired = 0;
  let bearing = 0;
  const chosen: Alike[] = [];
  for (const pair of alikeOf(asked, listed)) {
    if ((usedAsked & (1 << pair.i)) !== 0 || (usedListed & (1 << pair.j)) !== 0) continue;
    usedAsked |= 1 << pair.i;
    usedListed |= 1 << pair.j;
    const weight = ((asked[pair.i] as Word).weight + (listed[pair.j] as Word).weight) / 2;
    alike += weight * pair.like;
    paired += weight;
    if (pair.by !== 'INITIAL' && weight >= 0.5) bearing += 1;
    chosen.push(pair);
  }
  const [ofAsked, ofListed] = [leftOf(asked, usedAsked), leftOf(listed, usedListed)];
  // Words that many companies share say nothing, unless they are the whole name: Marine Industries Organization.
  const isAll = ofAsked.weight === 0 && ofListed.weight === 0 && chosen.every((pair) => pair.by !== 'INITIAL');
  if (bearing === 0 && !isAll) return { score: 0, pairs: [] };
  // Lists have names of four and five words of which people use two.
  const whole = ofAsked.weight === 0 && bearing >= 2;
  const missing =
    unmatchedAsked * ofAsked.weight + unmatchedListed * (whole ? Math.min(1, ofListed.weight) : ofListed.weight);
  const ofWords = percent(alike / (paired + missing));
  // One word of a longer name is a family name or a first name that many share.
  const alone = bearing === 1 && (ofAsked.says || ofListed.says);
  const score = alone ? Math.min(ofWords, 70) : ofWords;
  const pairs = score < least ? [] : chosen.map((pair) => pairShown(pair, asked, listed));
  return { score, pairs };
}

const pairShown = ({ i, j, by, like }: Alike, asked: readonly Word[], listed: readonly Word[]): WordPair => ({
  ...{ asked: (asked[i] as Word).text, listed: (listed[j] as Word).text, by, score: percent(like) },
});

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
