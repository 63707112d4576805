// Finds the entries of lists whose names may match a name, without comparing all: by how its words sound, and by their
// beginnings and ends. Entries are put in, replaced and taken out one at a time.
import { type ListEntry, type ListPurpose, usualThresholds } from './entry.ts';
import {
  type AskedAbout,
  bounded,
  type FieldScore,
  scoreOfNames,
  scoresBeside,
  unmatchedAsked,
  unmatchedListed,
  weakAliasCost,
} from './score.ts';
import type { HanReader } from './script.ts';
import { type Word, wordsOf } from './words.ts';

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
  readonly weak: boolean;
  readonly words: readonly Word[];
  readonly weight: number;
  readonly initials: boolean;
}

/** Keys of a word. Two spellings of one word share at least one. */
function keysOf({ text, sound }: Word): string[] {
  if (text.length === 1) return [];
  // Few sounds are shared by thousands; such words are short, and found by their letters.
  const keys = sound.length >= 3 ? [`s${sound}`] : [];
  // A typing error in a long word leaves one of its ends; of a short one, the word without a letter.
  if (text.length >= 8) keys.push(`b${text.slice(0, 4)}`, `e${text.slice(-4)}`);
  else {
    keys.push(`w${text}`);
    if (text.length >= 4) for (let i = 0; i < text.length; i++) keys.push(`w${text.slice(0, i)}${text.slice(i + 1)}`);
  }
  return keys;
}

const total = (words: readonly Word[]): number => words.reduce((sum, w) => sum + w.weight, 0);

/** The highest score that two names can have of which so many words are alike, in percent. */
const most = (alike: number, asked: number, listed: number): number =>
  (100 * alike) /
  (alike +
    unmatchedAsked * Math.max(0, asked - alike) +
    unmatchedListed * Math.max(0, asked > alike ? listed - alike : Math.min(1, listed - alike)));

/** What a date of birth and a country add at most. */
const beside = 8;

/** Places of names by the keys of their words. */
type Keys = Map<string, number[]>;

/** Words that need a counterpart before two names are compared. */
const wanted = (words: readonly Word[]): number => words.filter((w) => w.text.length > 1).length;

const joinedKey = (words: readonly Word[]): string => `j${words.map((w) => w.text).join('')}`;

export interface AskedName extends AskedAbout {
  readonly name: string;
  /** Least score in percent, by list; the usual one of the list's purpose otherwise. */
  readonly least?: number | undefined;
}

export class NameIndex {
  readonly #readHan: HanReader;
  #rows: (NameRow | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #byKey: Keys = new Map();
  /** Names of one word. */
  readonly #single: Keys = new Map();
  readonly #byEntry = new Map<string, number[]>();
  readonly thresholds = new Map<string, number>();
  /** The last run in which a name was seen. */
  #seen = new Uint32Array(1024);
  #run = 0;
  /** Words of the name under way that a name shares; 0 between searches. */
  #hits = new Uint8Array(1024);

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
    for (const { name, weak } of of.entry.names) {
      const words = wordsOf(name, this.#readHan);
      if (words.length === 0) continue;
      const place = this.#free.pop() ?? this.#rows.length;
      this.#rows[place] = {
        of,
        name,
        weak: weak === true,
        words,
        weight: total(words),
        initials: words.some((w) => w.text.length === 1),
      };
      places.push(place);
      const by = this.#mapOf(words);
      for (const key of this.#keys(words)) {
        const known = by.get(key);
        if (known) known.push(place);
        else by.set(key, [place]);
      }
    }
    this.#byEntry.set(`${of.list}|${of.entry.ref}`, places);
  }

  remove(list: string, ref: string): void {
    const id = `${list}|${ref}`;
    for (const place of this.#byEntry.get(id) ?? []) {
      const row = this.#rows[place] as NameRow;
      const by = this.#mapOf(row.words);
      for (const key of this.#keys(row.words)) {
        const left = (by.get(key) ?? []).filter((other) => other !== place);
        if (left.length > 0) by.set(key, left);
        else by.delete(key);
      }
      this.#rows[place] = undefined;
      this.#free.push(place);
    }
    this.#byEntry.delete(id);
  }

  #mapOf(words: readonly Word[]): Keys {
    return wanted(words) < 2 ? this.#single : this.#byKey;
  }

  #keys(words: readonly Word[]): Set<string> {
    return new Set([...words.flatMap(keysOf), joinedKey(words)]);
  }

  #widen(): void {
    if (this.#seen.length >= this.#rows.length) return;
    this.#seen = new Uint32Array(this.#rows.length * 2);
    this.#hits = new Uint8Array(this.#rows.length * 2);
    this.#run = 0;
  }

  /** Names under the keys of a word, each once. */
  #under(by: Keys, word: Word): number[] {
    const run = ++this.#run;
    const places: number[] = [];
    for (const key of keysOf(word))
      for (const place of by.get(key) ?? [])
        if (this.#seen[place] !== run) {
          this.#seen[place] = run;
          places.push(place);
        }
    return places;
  }

  /** Rows that may match: those of one word by that word, others by two. */
  #candidates(words: readonly Word[], least: number | undefined): number[] {
    this.#widen();
    const bearing = words.filter((w) => w.text.length > 1);
    const found = new Set([
      ...(this.#byKey.get(joinedKey(words)) ?? []),
      ...(this.#single.get(joinedKey(words)) ?? []),
    ]);
    for (const word of bearing) for (const place of this.#under(this.#single, word)) found.add(place);
    if (bearing.length === 1) for (const place of this.#under(this.#byKey, bearing[0] as Word)) found.add(place);
    if (bearing.length < 2) return [...found];
    const weight = total(words);
    const initials = words.length > bearing.length;
    const shared: number[] = [];
    const hits = this.#hits;
    for (const word of bearing)
      for (const place of this.#under(this.#byKey, word)) {
        if (hits[place] === 0) shared.push(place);
        hits[place] = (hits[place] as number) + 1;
      }
    for (const place of shared) {
      const row = this.#rows[place] as NameRow;
      const count = hits[place] as number;
      if (
        count > 1 &&
        (initials || row.initials || most(count, weight, row.weight) >= this.#least(row.of, least) - beside)
      )
        found.add(place);
      hits[place] = 0;
    }
    return [...found];
  }

  #least(of: ListedIn, asked: number | undefined): number {
    return asked ?? this.thresholds.get(of.list) ?? usualThresholds[of.purpose];
  }

  /** The entries that match, each once by its best name, the highest score first. */
  search(asked: AskedName, admits: (of: ListedIn) => boolean = () => true): NameMatch[] {
    const words = wordsOf(asked.name, this.#readHan);
    const best = new Map<string, NameMatch>();
    for (const place of this.#candidates(words, asked.least)) {
      const { of, name, weak, words: listed } = this.#rows[place] as NameRow;
      if (!admits(of)) continue;
      const { score: ofName, pairs } = scoreOfNames(words, listed);
      const beside = scoresBeside(asked, of.entry);
      const agrees = beside.some((f) => f.score > 0);
      const adjusted = beside.reduce((sum, f) => sum + f.score, ofName - (weak && !agrees ? weakAliasCost : 0));
      const score = bounded(adjusted);
      if (score < this.#least(of, asked.least)) continue;
      const id = `${of.list}|${of.entry.ref}`;
      if ((best.get(id)?.score ?? -1) >= score) continue;
      const field: FieldScore = { field: 'name', asked: asked.name, listed: name, score: ofName, pairs };
      best.set(id, { ...of, score, name, fields: [field, ...beside] });
    }
    return [...best.values()].sort(
      (a, b) => b.score - a.score || (a.list + a.entry.ref < b.list + b.entry.ref ? -1 : 1),
    );
  }
}
