// Stores results of attempts, many per statement: results arriving during one are collected for the next. Keeps results
// the database rejects for the moment; they occupy their slots meanwhile.
import { setTimeout as pause } from 'node:timers/promises';
import { errorFields, type Log } from '../../platform/log.ts';
import { type AddressHealth, type Recording, type Result, record } from './attempt-store.ts';

const mostAtOnce = 500;
/** Nobody waits for a result to be stored, and a commit of many costs as much as one of few. */
const gatherMs = 5;
const pauseAfterFailureMs = 500;

export interface Written {
  readonly result: Result;
  /** Called once the result is stored, or never can be. */
  done(): void;
}

export class Results {
  readonly #db: Recording;
  readonly #worker: string;
  readonly #log: Log;
  readonly #written: (healths: readonly AddressHealth[]) => void;
  #waiting: Written[] = [];
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(db: Recording, worker: string, log: Log, written: (healths: readonly AddressHealth[]) => void) {
    this.#db = db;
    this.#worker = worker;
    this.#log = log;
    this.#written = written;
  }

  add(w: Written): void {
    if (this.#closed) return;
    this.#waiting.push(w);
    this.#running ??= Promise.resolve().then(() => this.#run());
  }

  /** Stores what is left; for the rest the lease expires. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        if (!this.#closed) await pause(gatherMs);
        const batch = this.#waiting.splice(0, mostAtOnce);
        try {
          await this.#write(batch);
        } catch (e) {
          this.#log.warn(errorFields(e), 'results of webhook attempts could not be written; they are kept');
          if (this.#closed) return;
          this.#waiting.unshift(...batch);
          await pause(pauseAfterFailureMs);
        }
      }
    } finally {
      this.#running = undefined;
    }
  }

  async #write(batch: readonly Written[]): Promise<void> {
    let healths: AddressHealth[];
    try {
      healths = await record(
        this.#db,
        this.#worker,
        batch.map((w) => w.result),
      );
    } catch (e) {
      if (!/^2[23]/.test((e as { code?: string }).code ?? '')) throw e;
      await this.#writeAlone(batch, e);
      return;
    }
    this.#written(healths);
    for (const w of batch) w.done();
  }

  /** A result the database rejects must not affect the others. */
  async #writeAlone(batch: readonly Written[], cause: unknown): Promise<void> {
    if (batch.length > 1) {
      for (const w of batch) await this.#write([w]);
      return;
    }
    this.#log.error(errorFields(cause), 'the result of a webhook attempt was refused by the database');
    batch[0]?.done();
  }
}
