// Limits how much an account may have waiting in its drop. Usage is read from the disk at every new upload and tracked
// in memory in between, so several processes on one disk may exceed it together by their uploads in progress.
import { DropFault } from './fault.ts';

export interface DropLimits {
  readonly fileBytes: number;
  /** Files waiting, those being written included. */
  readonly files: number;
  /** Bytes waiting. */
  readonly bytes: number;
}

export const dropLimits: DropLimits = { fileBytes: 2 * 2 ** 30, files: 1000, bytes: 20 * 2 ** 30 };

export class Quota {
  readonly #limits: DropLimits;
  #bytes = 0;
  /** Bytes added since the current count started. */
  #grown = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(limits: DropLimits) {
    this.#limits = limits;
  }

  /** Runs one work at a time, so that a count is still true when the work starts. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  /** @param count returns the sizes of the waiting files @throws DropFault if no further file may start */
  async count(count: () => Promise<readonly number[]>): Promise<void> {
    this.#grown = 0;
    const sizes = await count();
    this.#bytes = sizes.reduce((sum, size) => sum + size, this.#grown);
    if (sizes.length >= this.#limits.files)
      throw new DropFault('full', `${this.#limits.files} files are waiting; try again after the next pick-up`);
    if (this.#bytes >= this.#limits.bytes) throw this.#full();
  }

  /** Reserves room for a file that grows from one size to another. @throws DropFault */
  grow(from: number, to: number): void {
    if (to > this.#limits.fileBytes)
      throw new DropFault('full', `a file may have ${this.#limits.fileBytes} bytes; send it in parts`);
    const more = Math.max(0, to - from);
    if (this.#bytes + more > this.#limits.bytes) throw this.#full();
    this.#bytes += more;
    this.#grown += more;
  }

  give(bytes: number): void {
    this.#bytes -= bytes;
    this.#grown -= bytes;
  }

  #full(): DropFault {
    return new DropFault('full', `${this.#limits.bytes} bytes are waiting; try again after the next pick-up`);
  }
}
