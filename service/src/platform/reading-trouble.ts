// Handles failures of reading a PSP's journal: waits longer each time and, if the entries may be the cause, tries fewer
// and fewer until only the one that fails is left. Knows nothing about what is read.

/** Longest pause after a failure, in polling rounds. */
const longestPause = 60;
/** Failures of a batch before fewer entries are tried: temporary causes have passed by then. */
const failuresBorne = 3;
/** Tries of an entry that takes too long, alone and in small steps, before it is first skipped. */
const tookTooLongBorne = 3;
/** Entries read in small steps after one that could only be read that way: similar ones come together. */
const smallInARow = 100;
/** Maximum consecutive entries set aside: if even more fail, the reader is at fault. */
const mostInARow = 1000;

export class Trouble {
  /** Consecutive failures, each followed by a pause. */
  failures = 0;
  /** Number of entries in the next try; undefined for the usual number. */
  width: number | undefined;
  /** Whether the next entry's data has to be read and written a few rows at a time, because it took too long as a whole. */
  small = false;
  #roundsLeft = 0;
  /** Tries in small steps that took too long. */
  #tookTooLong = 0;
  /** Consecutive entries read in small steps. */
  #smallRead = 0;
  /** Entries set aside since the last one was read. */
  #aside = 0;

  get waits(): boolean {
    return this.#roundsLeft > 0;
  }

  /** Whether the reader is stuck, rather than progressing in small steps. */
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
   * Reports that a try of so many entries failed, possibly because of them.
   * @param tookTooLong whether the database cancelled a statement, which a busy hour may also cause
   * @returns whether to try again later, to try fewer or smaller at once, or to skip the one that was tried
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

  /** @returns whether all is normal again: the usual number of entries is tried at once */
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
