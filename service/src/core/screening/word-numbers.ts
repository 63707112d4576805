// The numbers of the words of each name, side by side in memory: to look through thousands of names by way of their objects
// would wait for memory each time.
import { bitsOf } from './bits.ts';

/** Words of a name that are kept side by side; further ones are few, and kept by themselves. */
const beside = 4;

export class WordNumbers {
  #numbers = new Int32Array(1024 * beside).fill(-1);
  readonly #further = new Map<number, readonly number[]>();
  /** By number of a word: a bit for each word of the name under way that it is near; 0 between searches. */
  #near = new Uint16Array(1024);

  set(place: number, numbers: readonly number[]): void {
    if (this.#numbers.length < (place + 1) * beside) {
      const wider = new Int32Array((place + 1) * beside * 2).fill(-1);
      wider.set(this.#numbers);
      this.#numbers = wider;
    }
    for (let i = 0; i < beside; i++) this.#numbers[place * beside + i] = numbers[i] ?? -1;
    if (numbers.length > beside) this.#further.set(place, numbers.slice(beside));
    else this.#further.delete(place);
    const highest = Math.max(...numbers);
    if (highest < this.#near.length) return;
    const wider = new Uint16Array((highest + 1) * 2);
    wider.set(this.#near);
    this.#near = wider;
  }

  /** @param bit of the word of the name under way */
  near(numbers: readonly number[], bit: number): void {
    for (const number of numbers) this.#near[number] = (this.#near[number] as number) | (1 << bit);
  }

  forget(numbers: readonly number[]): void {
    for (const number of numbers) this.#near[number] = 0;
  }

  /** How many words of the name under way a listed name has a near one of. */
  shared(place: number): number {
    const [numbers, near] = [this.#numbers, this.#near];
    let shared = 0;
    const from = place * beside;
    for (let i = from; i < from + beside; i++) {
      const number = numbers[i] as number;
      if (number < 0) break;
      shared |= near[number] as number;
    }
    if (numbers[from + beside - 1] !== -1)
      for (const number of this.#further.get(place) ?? []) shared |= near[number] as number;
    return bitsOf(shared);
  }
}
