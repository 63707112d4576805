// Recovers abandoned deliveries: leased to a process that ended or stopped reporting, leased to this one without its
// knowledge (the claim's answer was lost), or postponed by a clock that has been set back since.
import type { Database } from '../../platform/database.ts';
import type { Needs } from '../kernel/needs.ts';
import { leaseMs } from './attempt-store.ts';
import { absentWorkers, giveBackAllBut, recallPutOff, takeOver, takeOverFrom } from './reclaim-store.ts';

/** A claim whose answer was lost may still commit this long after it was sent. */
const suspectMs = leaseMs;
/** A worker that lost its connection reconnects within this time, and counts as alive again. */
const absentMs = 5_000;
/** Interval of the search for deliveries postponed by a wrong clock. */
const lookEveryMs = 60_000;

export interface ReclaimOptions {
  readonly services: Needs<'clock' | 'monotonic' | 'log'>;
  readonly db: Database;
  readonly worker: string;
  /** The deliveries this process knows it has claimed. */
  readonly inHand: () => readonly { readonly id: string }[];
}

export class Reclaim {
  readonly #o: ReclaimOptions;
  #suspectUntil = Number.NEGATIVE_INFINITY;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** Workers without their lock at the last check, and since when. */
  #absent: ReadonlyMap<string, number> = new Map();

  constructor(options: ReclaimOptions) {
    this.#o = options;
  }

  /** A claiming or releasing statement failed: its effect is unknown. */
  lost(): void {
    this.#suspectUntil = this.#o.services.monotonic() + suspectMs;
  }

  /** Must not run during a claim. */
  async run(): Promise<void> {
    const { db } = this.#o;
    const { clock, monotonic, log } = this.#o.services;
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
    const { db } = this.#o;
    const { log } = this.#o.services;
    const absent = await absentWorkers(db, this.#o.worker);
    this.#absent = new Map(absent.map((w) => [w, this.#absent.get(w) ?? passed]));
    const ended = absent.filter((w) => passed - (this.#absent.get(w) ?? passed) >= absentMs);
    if (ended.length === 0) return;
    const taken = await takeOverFrom(db, ended);
    log.warn({ deliveries: taken, workers: ended }, 'took over webhook deliveries of a process that ended');
  }
}
