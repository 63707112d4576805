// Finds the entries of lists whose names may match a name, without comparing all: by how its words sound, and by their
// beginnings and ends. Entries are put in, replaced and taken out one at a time.
import { type ListEntry, type ListPurpose, usualThresholds } from './entry.ts';
import { type AskedAbout, bounded, type FieldScore, scoreOfNames, scoresBeside, weakAliasCost } from './score.ts';
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
  readonly bearing: number;
}

/** Keys of a word. Two spellings of one word share at least one. */
function keysOf({ text, sound }: Word): string[] {
  if (text.length === 1) return [];
  const keys = [`s${sound}`];
  if (text.length >= 4) keys.push(`b${text.slice(0, 4)}`, `e${text.slice(-4)}`);
  else keys.push(`b${text}`);
  return keys;
}

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
  readonly #byKey = new Map<string, Set<number>>();
  readonly #byEntry = new Map<string, number[]>();
  readonly thresholds = new Map<string, number>();
  /** Counts of the search under way, by row: hits, and the last word that hit. */
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
      this.#rows[place] = { of, name, weak: weak === true, words, bearing: wanted(words) };
      places.push(place);
      for (const key of this.#keys(words)) {
        const known = this.#byKey.get(key);
        if (known) known.add(place);
        else this.#byKey.set(key, new Set([place]));
      }
    }
    this.#byEntry.set(`${of.list}|${of.entry.ref}`, places);
  }

  remove(list: string, ref: string): void {
    const id = `${list}|${ref}`;
    for (const place of this.#byEntry.get(id) ?? []) {
      const row = this.#rows[place] as NameRow;
      for (const key of this.#keys(row.words)) {
        const known = this.#byKey.get(key);
        known?.delete(place);
        if (known?.size === 0) this.#byKey.delete(key);
      }
      this.#rows[place] = undefined;
      this.#free.push(place);
    }
    this.#byEntry.delete(id);
  }

  #keys(words: readonly Word[]): Set<string> {
    return new Set([...words.flatMap(keysOf), joinedKey(words)]);
  }

  /** Rows that share a key with enough words of the name. */
  #candidates(words: readonly Word[]): number[] {
    if (this.#hits.length < this.#rows.length) this.#hits = new Uint8Array(this.#rows.length * 2);
    const hits = this.#hits;
    const touched: number[] = [];
    for (const word of words) {
      const ofWord = new Set<number>();
      for (const key of keysOf(word)) for (const place of this.#byKey.get(key) ?? []) ofWord.add(place);
      for (const place of ofWord) {
        if (hits[place] === 0) touched.push(place);
        (hits[place] as number)++;
      }
    }
    const asked = wanted(words);
    const found = touched.filter((place) => {
      const enough = Math.min(2, asked, (this.#rows[place] as NameRow).bearing);
      return (hits[place] as number) >= enough;
    });
    for (const place of touched) hits[place] = 0;
    for (const place of this.#byKey.get(joinedKey(words)) ?? []) if (!found.includes(place)) found.push(place);
    return found;
  }

  #least(of: ListedIn, asked: number | undefined): number {
    return asked ?? this.thresholds.get(of.list) ?? usualThresholds[of.purpose];
  }

  /** The entries that match, each once by its best name, the highest score first. */
  search(asked: AskedName, admits: (of: ListedIn) => boolean = () => true): NameMatch[] {
    const words = wordsOf(asked.name, this.#readHan);
    const best = new Map<string, NameMatch>();
    for (const place of this.#candidates(words)) {
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
