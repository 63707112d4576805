// A cache bounded by an estimate of its bytes, in two generations: what is used moves to the younger one, and when that
// is full, the older one is dropped. So the values used last stay, and there is never a moment without any.

export class Kept<V> {
  readonly #half: number;
  readonly #bytesOf: (value: V) => number;
  #young = new Map<string, V>();
  #old = new Map<string, V>();
  #bytes = 0;

  /** @param bytesOf estimate of a value with its key and its place in the map */
  constructor(mostBytes: number, bytesOf: (value: V) => number) {
    this.#half = mostBytes / 2;
    this.#bytesOf = bytesOf;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** The value, without counting as a use. */
  peek(key: string): V | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  get(key: string): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, value: V): void {
    this.delete(key);
    this.#young.set(key, value);
    this.#bytes += this.#bytesOf(value);
    if (this.#bytes <= this.#half) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#bytes = 0;
  }

  delete(key: string): void {
    const young = this.#young.get(key);
    if (young !== undefined) {
      this.#young.delete(key);
      this.#bytes -= this.#bytesOf(young);
    } else this.#old.delete(key);
  }

  deleteWhere(matches: (value: V) => boolean): void {
    for (const kept of [this.#young, this.#old]) for (const [key, value] of kept) if (matches(value)) this.delete(key);
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
    this.#bytes = 0;
  }
}
