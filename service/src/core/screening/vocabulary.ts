// The different words of listed names, each once with the names that it is in, found by the keys of a word: how it sounds,
// its beginning and end. Never says whether two words are alike.
import type { Word } from './words.ts';

/** Names of one group. */
interface NameGroup {
  readonly group: number;
  places: number[];
}

/** A word of listed names. Places are numbers of names. */
export interface ListedWord extends Word {
  /** Names that it is in, by groups that have any. */
  readonly groups: NameGroup[];
  /** The last search that came by it. */
  seen: number;
  readonly number: number;
}

/** Two spellings of one word share at least one of these. */
export function keysOf({ text, sound }: Word): string[] {
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

const without = <T>(list: readonly T[], item: T): T[] => list.filter((other) => other !== item);

export class Vocabulary {
  readonly #byText = new Map<string, ListedWord>();
  readonly #byKey = new Map<string, ListedWord[]>();
  readonly #free: number[] = [];
  #run = 0;

  /** Puts a name's words in. @param group of the name, a small number */
  put(words: readonly Word[], place: number, group: number): ListedWord[] {
    const listed = words.map((w) => this.#byText.get(w.text) ?? this.#make(w));
    for (const { groups } of new Set(listed)) {
      const known = groups.find((g) => g.group === group);
      if (known) known.places.push(place);
      else groups.push({ group, places: [place] });
    }
    return listed;
  }

  remove(words: readonly ListedWord[], place: number, group: number): void {
    for (const word of new Set(words)) {
      const at = word.groups.findIndex((g) => g.group === group);
      const known = word.groups[at];
      if (known === undefined) continue;
      known.places = without(known.places, place);
      if (known.places.length === 0) word.groups.splice(at, 1);
      if (word.groups.length > 0) continue;
      this.#byText.delete(word.text);
      this.#free.push(word.number);
      for (const key of new Set(keysOf(word))) {
        const left = without(this.#byKey.get(key) ?? [], word);
        if (left.length > 0) this.#byKey.set(key, left);
        else this.#byKey.delete(key);
      }
    }
  }

  #make(word: Word): ListedWord {
    const listed: ListedWord = { ...word, number: this.#free.pop() ?? this.#byText.size, groups: [], seen: 0 };
    this.#byText.set(word.text, listed);
    for (const key of new Set(keysOf(word))) {
      const known = this.#byKey.get(key);
      if (known) known.push(listed);
      else this.#byKey.set(key, [listed]);
    }
    return listed;
  }

  /** The listed words that share a key with a word, each once. */
  near(word: Word): ListedWord[] {
    const run = ++this.#run;
    const near: ListedWord[] = [];
    for (const key of keysOf(word)) {
      const known = this.#byKey.get(key);
      if (known === undefined) continue;
      for (const listed of known)
        if (listed.seen !== run) {
          listed.seen = run;
          near.push(listed);
        }
    }
    return near;
  }
}
