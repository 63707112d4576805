// Brings back deliveries that nobody works on: leased to a process that ended or fell silent, to this one although it does not
// know of it (the claim's answer was lost), or put off by a clock that has been set back since.
import type { Needs } from '../kernel/needs.ts';
import { leaseMs } from './attempt-store.ts';
import { absentWorkers, giveBackAllBut, recallPutOff, takeOver, takeOverFrom } from './reclaim-store.ts';

/** A claim whose answer was lost may be committed as late as this after it was sent. */
const suspectMs = leaseMs;
/** A worker that lost its connection has it back within this time, and is seen again. */
const absentMs = 5_000;
/** What a wrong clock put off is looked for so often. */
const lookEveryMs = 60_000;

export interface ReclaimOptions {
  readonly services: Needs<'clock' | 'monotonic' | 'log' | 'db'>;
  readonly worker: string;
  /** What this process knows that it has in hand. */
  readonly inHand: () => readonly { readonly id: string }[];
}

export class Reclaim {
  readonly #o: ReclaimOptions;
  #suspectUntil = Number.NEGATIVE_INFINITY;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** Workers that did not show that they live at the last look, and since when. */
  #absent: ReadonlyMap<string, number> = new Map();

  constructor(options: ReclaimOptions) {
    this.#o = options;
  }

  /** A statement that leases or gives back failed: what the database made of it is unknown. */
  lost(): void {
    this.#suspectUntil = this.#o.services.monotonic() + suspectMs;
  }

  /** Must not run while a claim is under way. */
  async run(): Promise<void> {
    const { db, clock, monotonic, log } = this.#o.services;
    const [now, passed] = [clock(), monotonic()];
    const taken = await takeOver(db, this.#o.worker, now);
    if (taken > 0) log.warn({ deliveries: taken }, 'took over webhook deliveries of a process that fell silent');
    await this.#takeOverFromEnded(passed);
    if (passed < this.#suspectUntil) {
      const ids = this.#o.inHand().map((d) => d.id);
      const back = await giveBackAllBut(db, this.#o.worker, ids);
      if (back > 0) log.info({ deliveries: back }, 'gave back webhook deliveries whose claim was cut off');
    }
    if (passed - this.#lookedAt < lookEveryMs) return;
    const recalled = await recallPutOff(db, now);
    if (recalled > 0)
      log.warn({ deliveries: recalled }, 'webhook deliveries that a wrong clock put off are due at once');
    this.#lookedAt = passed;
  }

  async #takeOverFromEnded(passed: number): Promise<void> {
    const { db, log } = this.#o.services;
    const absent = await absentWorkers(db, this.#o.worker);
    this.#absent = new Map(absent.map((w) => [w, this.#absent.get(w) ?? passed]));
    const ended = absent.filter((w) => passed - (this.#absent.get(w) ?? passed) >= absentMs);
    if (ended.length === 0) return;
    const taken = await takeOverFrom(db, ended);
    log.warn({ deliveries: taken, workers: ended }, 'took over webhook deliveries of a process that ended');
  }
}
