// Finds the entries of lists whose names match a name, without comparing all: only names that share words which are near
// (`vocabulary.ts`) are compared. Entries are put in, replaced and taken out one at a time.
import { type ListEntry, type ListPurpose, usualThresholds } from './entry.ts';
import {
  type AskedAbout,
  bounded,
  type FieldScore,
  scoreOfNames,
  scoresBeside,
  together,
  turnedRound,
  unmatchedAsked,
  unmatchedListed,
  weakAliasCost,
} from './score.ts';
import type { HanReader } from './script.ts';
import { type ListedWord, Vocabulary } from './vocabulary.ts';
import { WordNumbers } from './word-numbers.ts';
import { readingsOf, type Word } from './words.ts';

export interface ListedIn {
  readonly list: string;
  readonly purpose: ListPurpose;
  readonly revision: number;
  readonly entry: ListEntry;
}

export interface NameMatch extends ListedIn {
  readonly score: number;
  readonly name: string;
  readonly fields: readonly FieldScore[];
}

interface NameRow {
  readonly of: ListedIn;
  readonly name: string;
  /** Its place among the entry's names. */
  readonly at: number;
  readonly weak: boolean;
  readonly words: readonly ListedWord[];
  readonly weight: number;
  readonly initials: boolean;
  readonly group: number;
}

const total = (words: readonly Word[]): number => words.reduce((sum, w) => sum + w.weight, 0);

/** The highest score that two names can have of which so many words are alike, in percent. */
const mostOf = (alike: number, asked: number, listed: number): number =>
  (100 * alike) /
  (alike +
    unmatchedAsked * Math.max(0, asked - alike) +
    unmatchedListed * Math.max(0, asked > alike ? listed - alike : Math.min(1, listed - alike)));

/** What a date of birth and a country add at most. */
const beside = 8;

const isBearing = (word: Word): boolean => word.text.length > 1;

/**
 * Groups of names: those of one word that says something, those with initials, and others by their weight in whole
 * numbers, which says how many words they have to share at least.
 */
const ofOneWord = 0;
const withInitials = 1;
const heaviest = 8;
const groupOfWeight = (weight: number): number => withInitials + 1 + Math.min(heaviest, Math.floor(weight));

function groupOf(words: readonly Word[], weight: number): number {
  if (words.filter(isBearing).length < 2) return ofOneWord;
  return words.every(isBearing) ? groupOfWeight(weight) : withInitials;
}

/** How many words a name of a group shares at least, if it can reach a score; one more than there are if it cannot. */
function neededIn(group: number, weight: number, words: number, least: number): number {
  let needed = 2;
  while (needed <= words && mostOf(needed, weight, group - groupOfWeight(0)) < least) needed++;
  return needed;
}

/** Names of a group by the words asked for, one list for each near word. */
type ByWord = number[][][];

/** @returns by group, without groups that none of the names is in */
function byGroup(near: readonly ListedWord[][]): ByWord[] {
  const found: ByWord[] = [];
  for (let i = 0; i < near.length; i++)
    for (const { groups } of near[i] as ListedWord[])
      for (const { group, places } of groups) ((found[group] ??= near.map(() => []))[i] as number[][]).push(places);
  return found;
}

const namesIn = (lists: readonly number[][]): number => lists.reduce((sum, of) => sum + of.length, 0);

export interface AskedName extends AskedAbout {
  readonly name: string;
  /** Least score in percent, by list; the usual one of the list's purpose otherwise. */
  readonly least?: number | undefined;
}

export class NameIndex {
  readonly #readHan: HanReader;
  #rows: (NameRow | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #vocabulary = new Vocabulary();
  readonly #numbers = new WordNumbers();
  /** Names by their words without spaces. */
  readonly #joined = new Map<string, number[]>();
  readonly #byEntry = new Map<string, number[]>();
  readonly thresholds = new Map<string, number>();
  /** For each name, the number of the last search that found it. */
  #found = new Uint32Array(1024);
  /** Number of the search. */
  #run = 0;

  constructor(readHan: HanReader) {
    this.#readHan = readHan;
  }

  get names(): number {
    return this.#rows.length - this.#free.length;
  }

  /** Puts an entry in, in place of the one with its ref. */
  put(of: ListedIn): void {
    this.remove(of.list, of.entry.ref);
    const places: number[] = [];
    const readings = of.entry.names.flatMap(({ name, weak }, at) =>
      readingsOf(name, this.#readHan).map((words) => ({ name, weak, at, words })),
    );
    for (const { name, weak, at, words } of readings) {
      if (words.length === 0) continue;
      const place = this.#free.pop() ?? this.#rows.length;
      const weight = total(words);
      const group = groupOf(words, weight);
      const listed = this.#vocabulary.put(words, place, group);
      const initials = !words.every(isBearing);
      this.#rows[place] = { of, name, at, weak: weak === true, words: listed, weight, initials, group };
      this.#numbers.set(
        place,
        listed.map((w) => w.number),
      );
      places.push(place);
      const key = together(words);
      const known = this.#joined.get(key);
      if (known) known.push(place);
      else this.#joined.set(key, [place]);
    }
    this.#byEntry.set(`${of.list}|${of.entry.ref}`, places);
  }

  remove(list: string, ref: string): void {
    const id = `${list}|${ref}`;
    for (const place of this.#byEntry.get(id) ?? []) {
      const { words, group } = this.#rows[place] as NameRow;
      this.#vocabulary.remove(words, place, group);
      const left = (this.#joined.get(together(words)) ?? []).filter((other) => other !== place);
      if (left.length > 0) this.#joined.set(together(words), left);
      else this.#joined.delete(together(words));
      this.#rows[place] = undefined;
      this.#free.push(place);
    }
    this.#byEntry.delete(id);
  }

  /** Rows that may match: those of one word by that word, others by two. */
  #candidates(words: readonly Word[], least: number | undefined): number[] {
    if (this.#found.length < this.#rows.length) {
      this.#found = new Uint32Array(this.#rows.length * 2);
      this.#run = 0;
    }
    const search = ++this.#run;
    const found: number[] = [];
    const add = (place: number) => {
      if (this.#found[place] === search) return;
      this.#found[place] = search;
      found.push(place);
    };
    for (const turned of turnedRound(words)) this.#joined.get(turned)?.forEach(add);
    const bearing = words.filter(isBearing);
    const near = bearing.map((w) => this.#vocabulary.near(w));
    const groups = byGroup(near);
    groups[ofOneWord]?.flat(2).forEach(add);
    if (bearing.length === 1) groups.flat(3).forEach(add);
    else this.#sharing(near, groups, words, least, add);
    return found;
  }

  /** Adds names with two words that are like two of the searched ones, except names of so many words that two are no match. */
  #sharing(
    near: readonly ListedWord[][],
    groups: readonly (ByWord | undefined)[],
    words: readonly Word[],
    least: number | undefined,
    add: (place: number) => void,
  ): void {
    const weight = total(words);
    const initials = !words.every(isBearing);
    const leastOfAll = (least ?? this.#leastOfAll()) - beside;
    const numbers = near.map((listed) => listed.map((w) => w.number));
    for (let bit = 0; bit < numbers.length; bit++) this.#numbers.near(numbers[bit] as number[], bit);
    for (let group = withInitials; group < groups.length; group++) {
      const byWord = groups[group];
      if (byWord === undefined) continue;
      const needed = initials || group === withInitials ? 2 : neededIn(group, weight, near.length, leastOfAll);
      if (needed > near.length) continue;
      // What shares so many of the words is among the names of one of the others.
      const scanned = byWord.sort((a, b) => namesIn(a) - namesIn(b)).slice(0, near.length - needed + 1);
      for (const lists of scanned)
        for (const places of lists)
          for (const place of places) {
            const count = this.#numbers.shared(place);
            if (count < 2) continue;
            const row = this.#rows[place] as NameRow;
            if (initials || row.initials || mostOf(count, weight, row.weight) >= this.#least(row.of, least) - beside)
              add(place);
          }
    }
    for (const of of numbers) this.#numbers.forget(of);
  }

  #leastOfAll(): number {
    return Math.min(...this.thresholds.values(), ...Object.values(usualThresholds));
  }

  #least(of: ListedIn, asked: number | undefined): number {
    return asked ?? this.thresholds.get(of.list) ?? usualThresholds[of.purpose];
  }

  /** The entries that match, each once by its best name, the highest score first. */
  search(asked: AskedName, admits: (of: ListedIn) => boolean = () => true): NameMatch[] {
    const best = new Map<string, { readonly at: number; readonly match: NameMatch }>();
    for (const words of readingsOf(asked.name, this.#readHan)) this.#searchWords(words, asked, admits, best);
    return [...best.values()]
      .map(({ match }) => match)
      .sort((a, b) => b.score - a.score || (a.list + a.entry.ref < b.list + b.entry.ref ? -1 : 1));
  }

  #searchWords(
    words: readonly Word[],
    asked: AskedName,
    admits: (of: ListedIn) => boolean,
    best: Map<string, { readonly at: number; readonly match: NameMatch }>,
  ): void {
    for (const place of this.#candidates(words, asked.least)) {
      const { of, name, at, weak, words: listed } = this.#rows[place] as NameRow;
      const least = this.#least(of, asked.least);
      const { score: ofName, pairs } = scoreOfNames(words, listed, least - beside);
      if (ofName < least - beside || !admits(of)) continue;
      const fields = scoresBeside(asked, of.entry);
      const agrees = fields.some((f) => f.score > 0);
      const adjusted = fields.reduce((sum, f) => sum + f.score, ofName - (weak && !agrees ? weakAliasCost : 0));
      const score = bounded(adjusted);
      if (score < least) continue;
      const id = `${of.list}|${of.entry.ref}`;
      const known = best.get(id);
      // Of names that match alike, the one that the publisher has first.
      if (known && (known.match.score > score || (known.match.score === score && known.at < at))) continue;
      const field: FieldScore = { field: 'name', asked: asked.name, listed: name, score: ofName, pairs };
      best.set(id, { at, match: { ...of, score, name, fields: [field, ...fields] } });
    }
  }
}
