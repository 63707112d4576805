// How many requests of one PSP and minute are kept one by one. Answered and refused ones have half of the places each, and
// one key at most half of those: a flood by one key leaves room for the others, and what is refused is found beside it.

export class MinuteBudget {
  readonly minute: number;
  readonly #half: number;
  readonly #share: number;
  readonly #taken = { answered: 0, refused: 0 };
  readonly #byKey = { answered: new Map<string, number>(), refused: new Map<string, number>() };

  /** @param most requests of one minute @param minute since the epoch */
  constructor(most: number, minute: number) {
    this.minute = minute;
    this.#half = Math.max(1, Math.floor(most / 2));
    this.#share = Math.max(1, Math.floor(this.#half / 2));
  }

  /** Takes a place; false if the request can only be counted. */
  take(key: string, refused: boolean): boolean {
    const kind = refused ? 'refused' : 'answered';
    if (this.#taken[kind] >= this.#half) return false;
    const byKey = this.#byKey[kind];
    const own = byKey.get(key) ?? 0;
    if (own >= this.#share) return false;
    byKey.set(key, own + 1);
    this.#taken[kind]++;
    return true;
  }
}
