// What a reader does about a PSP's journal that it cannot read on: waits longer each time, and where the entries are at
// fault, tries fewer and fewer until the one that cannot be digested is left. Knows nothing of what is read.

/** Longest pause after a failure, in rounds of the net. */
const longestPause = 60;
/** So often a portion fails before fewer entries are tried: what passes by itself has passed by then. */
const failuresBorne = 3;
/** So often an entry that takes too long is tried by itself in small pieces, before the first one is gone on without. */
const tookTooLongBorne = 3;
/** So many entries in a row are read in small pieces after one that could be read in no other way: alike ones come together. */
const smallInARow = 100;
/** So many entries in a row are set aside at most: where not one of more can be read, the reader is at fault. */
const mostInARow = 1000;

export class Trouble {
  /** In a row, each followed by a pause. */
  failures = 0;
  /** Entries of the next try; undefined for as many as ever. */
  width: number | undefined;
  /** Whether what the next entry is about is to be read and written by few rows at a time: it took too long as a whole. */
  small = false;
  #roundsLeft = 0;
  /** Tries in small pieces that took too long. */
  #tookTooLong = 0;
  /** Entries read in small pieces, in a row. */
  #smallRead = 0;
  /** Set aside since an entry was read. */
  #aside = 0;

  get waits(): boolean {
    return this.#roundsLeft > 0;
  }

  /** Whether the reader stands still, and is not only going on in small steps. */
  get stands(): boolean {
    return this.failures > 0;
  }

  round(): void {
    this.#roundsLeft--;
  }

  pause(): void {
    this.failures++;
    this.#roundsLeft = Math.min(2 ** this.failures, longestPause);
  }

  /**
   * That many entries were tried, and the fault may be theirs.
   * @param tookTooLong whether the database broke a statement off, which may be a busy hour's fault as well
   * @returns whether to try again later, to try fewer or less at once, or to go on without the one that was tried
   */
  failed(entries: number, tookTooLong = false): 'later' | 'fewer' | 'without' {
    if (this.width === undefined && this.failures + 1 < failuresBorne) return 'later';
    if (entries > 1) {
      this.width = Math.floor(entries / 2);
      return 'fewer';
    }
    if (tookTooLong && !this.small) {
      this.small = true;
      this.#smallRead = 0;
      this.width = 1;
      return 'fewer';
    }
    if (tookTooLong && ++this.#tookTooLong < tookTooLongBorne) return 'later';
    return this.#aside < mostInARow ? 'without' : 'later';
  }

  setAside(): void {
    this.#aside++;
    this.failures = 0;
    this.width = 1;
  }

  /** @returns whether all is well again: so many entries are tried at once as ever */
  read(limit: number): boolean {
    this.failures = 0;
    this.#aside = 0;
    if (this.small && ++this.#smallRead < smallInARow) return false;
    this.small = false;
    if (this.width === undefined) return true;
    this.width *= 2;
    return this.width >= limit;
  }
}
