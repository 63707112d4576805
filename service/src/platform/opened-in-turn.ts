// Connections of a pool are opened one after another. Opening one takes PostgreSQL as long as dozens of statements, and
// meanwhile those that are open answer most of what waits: of a rush each would have opened one of its own.

export class OpenedInTurn {
  #open = 0;
  /** Uses that have a connection, or wait for the one that is being opened. */
  #begun = 0;
  readonly #waiting: PromiseWithResolvers<void>[] = [];

  /** Each call has its `end`. @returns nothing if a connection may be asked for now; otherwise when it may */
  begin(): Promise<void> | undefined {
    if (this.#begun > this.#open) {
      const turn = Promise.withResolvers<void>();
      this.#waiting.push(turn);
      return turn.promise;
    }
    this.#begun++;
    return undefined;
  }

  end(): void {
    this.#begun--;
    this.#next();
  }

  opened(): void {
    this.#open++;
    this.#next();
  }

  closed(): void {
    this.#open--;
  }

  /** None could be opened. What waits fails too if none is open, and continues without its turn otherwise; both have their `end`. */
  failed(why: unknown): void {
    for (const turn of this.#waiting.splice(0)) {
      this.#begun++;
      if (this.#open === 0) turn.reject(why);
      else turn.resolve();
    }
  }

  #next(): void {
    while (this.#begun <= this.#open && this.#waiting.length > 0) {
      this.#begun++;
      this.#waiting.shift()?.resolve();
    }
  }
}
