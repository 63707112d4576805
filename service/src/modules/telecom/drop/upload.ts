// A file being written. It is hidden until it is closed, then moved to its name in one step; an upload that was cut off
// or could not be written completely is never moved there.
import type { FileHandle } from 'node:fs/promises';
import type { Quota } from './quota.ts';

/** The two ways in which an upload ends. */
export interface Ends {
  /** Moves it to its name after its bytes were synced. @throws DropFault if a finished file has that name */
  keep(): Promise<void>;
  /** Removes it, or moves it back to where it can be resumed. */
  leave(): Promise<void>;
}

export class Upload {
  readonly #file: FileHandle;
  readonly #quota: Quota;
  readonly #ends: Ends;
  #size: number;
  #ended = false;
  #fault: unknown;

  constructor(file: FileHandle, size: number, quota: Quota, ends: Ends) {
    this.#file = file;
    this.#size = size;
    this.#quota = quota;
    this.#ends = ends;
  }

  get size(): number {
    return this.#size;
  }

  /** @throws DropFault if the quota is used up, or the error of the disk; the file cannot be finished then */
  async write(offset: number, data: Buffer): Promise<void> {
    try {
      const end = offset + data.length;
      this.#quota.grow(this.#size, end);
      this.#size = Math.max(this.#size, end);
      for (let done = 0; done < data.length; )
        done += (await this.#file.write(data, done, data.length - done, offset + done)).bytesWritten;
    } catch (e) {
      this.#fault ??= e;
      throw e;
    }
  }

  /** @throws DropFault (fault.ts), or the error of an earlier write that the sender may have missed */
  async finish(): Promise<void> {
    if (this.#ended) return;
    if (this.#fault !== undefined) {
      await this.abandon();
      throw this.#fault;
    }
    this.#ended = true;
    try {
      await this.#file.sync();
      await this.#file.close();
      await this.#ends.keep();
    } catch (e) {
      await this.#leave();
      throw e;
    }
  }

  /** Ends it without finishing it. */
  async abandon(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#leave();
  }

  async #leave(): Promise<void> {
    this.#quota.give(this.#size);
    await this.#file.close().catch(() => undefined);
    await this.#ends.leave();
  }
}
