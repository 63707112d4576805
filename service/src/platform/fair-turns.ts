// Work that waits, by name: names take turns, so that a rush under one does not keep out the others.

export class FairTurns {
  /** A name that had its turn goes to the end. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #size = 0;

  /** Number waiting, under all names. */
  get size(): number {
    return this.#size;
  }

  under(name: string): number {
    return this.#waiting.get(name)?.length ?? 0;
  }

  /** Resolves when it is its turn. */
  wait(name: string): Promise<void> {
    this.#size++;
    return new Promise((go) => {
      const own = this.#waiting.get(name);
      if (own) own.push(go);
      else this.#waiting.set(name, [go]);
    });
  }

  /** Gives the next one its turn. @returns false if nobody waits */
  next(): boolean {
    const first = this.#waiting.entries().next().value;
    if (!first) return false;
    const [name, own] = first;
    this.#waiting.delete(name);
    this.#size--;
    own.shift()?.();
    if (own.length > 0) this.#waiting.set(name, own);
    return true;
  }
}
