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

  /** Places that others have taken. */
  taken(key: string, refused: boolean, places: number): void {
    const kind = refused ? 'refused' : 'answered';
    const byKey = this.#byKey[kind];
    byKey.set(key, (byKey.get(key) ?? 0) + places);
    this.#taken[kind] += places;
  }

  /** Has no more places for a key than another budget of the same minute has. */
  asFullAs(other: MinuteBudget, key: string, refused: boolean): void {
    const kind = refused ? 'refused' : 'answered';
    const most = (of: MinuteBudget) => of.#byKey[kind].get(key) ?? 0;
    this.#byKey[kind].set(key, Math.max(most(this), most(other)));
    this.#taken[kind] = Math.max(this.#taken[kind], other.#taken[kind]);
  }

  /** Takes a place; false if the request can only be counted. */
  take(key: string, refused: boolean): boolean {
    const kind = refused ? 'refused' : 'answered';
    if (this.#taken[kind] >= this.#half) return false;
    if ((this.#byKey[kind].get(key) ?? 0) >= this.#share) return false;
    this.taken(key, refused, 1);
    return true;
  }
}
