// Follows the journals of all PSPs for several readers at once: one transaction holds the cursors of many PSPs, reads
// their new entries once, has each reader write their effects, and moves the cursors. What fails is split until the PSP
// is found, and left to its readers, each in transactions of its own; so is a PSP in which a reader is far behind.
// Knows nothing about what is read.
import type { PspId } from '../core/ids.ts';
import { type Clock, monotonicClock } from './clock.ts';
import type { Database, Pool } from './database.ts';
import { begin, pspsBehind } from './journal-cursor.ts';
import type { JournalReader } from './journal-reader.ts';
import { type Done, readTogether } from './journals-together.ts';
import { errorFields, type Log } from './log.ts';
import { PollLoop } from './poll-loop.ts';

export interface FollowerOptions {
  /** They agree on `durable` and `patient`. */
  readonly readers: readonly JournalReader[];
  /** Of a distributed database each commit is for one PSP. */
  readonly pool: Pick<Pool, 'query' | 'transaction'> & Pick<Database, 'distributed'>;
  readonly log: Log;
  /** Maximum entries per commit, over all PSPs. */
  readonly most?: number;
  /** Polling interval in addition to wake-ups. */
  readonly everyMs?: number;
  readonly clock?: Clock;
  readonly monotonic?: Clock;
}

/** PSPs per commit. */
const mostPsps = 200;
const mostEntries = 2000;
/** The same where the database processes them and sends none. */
const mostUnsent = 16_000;
/** Minimum milliseconds between the passes of one run. */
const shortestGapMs = 5;
/** Looking at all journals takes this share of the time, however many there are; at least one look in this time. */
const shareOfLooks = 0.005;
const rarestLookMs = 5000;

export class Follower {
  readonly #o: FollowerOptions;
  #readers: readonly JournalReader[];
  /** PSPs that may have new entries. */
  readonly #news = new Set<string>();
  /** Whether all journals are to be looked at, and from when on that may be. */
  #look = true;
  #lookFrom = 0;
  /** Readers that took part in a pass a moment ago, with the PSPs that have had news since. */
  readonly #resting = new Map<JournalReader, Set<string>>();
  /** What readers that have rested are to read. */
  readonly #rested = new Set<string>();
  #passing: Promise<void> = Promise.resolve();
  readonly #monotonic: Clock;
  readonly #patient: boolean;
  readonly #durable: boolean;
  readonly #most: number;
  readonly #loop: PollLoop;

  constructor(options: FollowerOptions) {
    this.#o = options;
    this.#readers = options.readers;
    this.#monotonic = options.monotonic ?? monotonicClock;
    this.#patient = options.readers.some((r) => r.options.patient);
    this.#durable = options.readers.some((r) => r.options.durable);
    this.#most = options.most ?? (options.readers.every((r) => r.options.stretch) ? mostUnsent : mostEntries);
    for (const r of options.readers) r.followedBy(this);
    this.#loop = new PollLoop({
      pass: () => (this.#passing = this.#pass()),
      atNet: () => {
        this.#look ||= this.#monotonic() >= this.#lookFrom;
      },
      everyMs: options.everyMs ?? 1000,
      gapMs: (again) => (again ? shortestGapMs : 0),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Signals that these journals have new entries; without them all are looked at. */
  wake(psps?: ReadonlySet<string>): void {
    if (psps) for (const psp of psps) this.#news.add(psp);
    else this.#look = true;
    if (!psps || !this.#patient) this.#loop.wake();
  }

  /** Follows for this reader no longer; finishes the current transaction. */
  async leave(reader: JournalReader): Promise<void> {
    this.#readers = this.#readers.filter((r) => r !== reader);
    await (this.#readers.length === 0 ? this.#loop.stop() : this.#passing);
  }

  async #pass(): Promise<void> {
    const { log } = this.#o;
    const read = new Set<JournalReader>();
    let readers: readonly JournalReader[] = [];
    try {
      if (this.#look) await this.#findNews();
      // What is written meanwhile is left to the next pass.
      let turn = [...this.#news.union(this.#rested)];
      for (const waits of this.#resting.values()) for (const psp of this.#news) waits.add(psp);
      this.#news.clear();
      this.#rested.clear();
      if (turn.length === 0) return;
      readers = this.#readers.filter((r) => !this.#resting.has(r));
      while (turn.length > 0) {
        const more: string[] = [];
        const most = this.#o.pool.distributed ? 1 : mostPsps;
        for (let i = 0; i < turn.length; i += most) {
          const psps = turn.slice(i, i + most);
          readers = readers.filter((r) => this.#readers.includes(r));
          if (readers.length === 0) return;
          const done = await this.#read(readers, psps);
          for (const r of done.advanced.keys()) read.add(r);
          more.push(...done.more);
        }
        turn = more;
      }
    } catch (e) {
      // Nothing is lost: the next look finds the readers that are behind.
      this.#look = true;
      log.warn({ readers: this.#readers.map((r) => r.name), ...errorFields(e) }, 'the journals could not be read');
    }
    this.#rest(readers, read);
  }

  /**
   * Under load the next pass of a reader then reads what many commits wrote, while readers with a shorter gap go on. One that
   * found nothing rests as long as any.
   */
  #rest(readers: readonly JournalReader[], read: ReadonlySet<JournalReader>): void {
    const longest = Math.max(0, ...this.#readers.map((r) => r.options.gapMs ?? 0));
    for (const [ms, these] of Map.groupBy(readers, (r) => (read.has(r) ? (r.options.gapMs ?? 0) : longest))) {
      if (ms === 0) continue;
      for (const r of these) this.#resting.set(r, new Set());
      setTimeout(() => this.#wakeRested(these), ms).unref();
    }
  }

  /** At once, so that they read together. */
  #wakeRested(readers: readonly JournalReader[]): void {
    for (const r of readers) {
      for (const psp of this.#resting.get(r) ?? []) this.#rested.add(psp);
      this.#resting.delete(r);
    }
    if (this.#rested.size > 0 && !this.#patient) this.#loop.wake();
  }

  async #findNews(): Promise<void> {
    this.#look = false;
    const begun = this.#monotonic();
    const names = this.#readers.map((r) => r.name);
    for (const psp of await pspsBehind(this.#o.pool, names)) this.#news.add(psp);
    const now = this.#monotonic();
    this.#lookFrom = now + Math.min((now - begun) / shareOfLooks, rarestLookMs);
  }

  /** Reads of these PSPs what one commit can take. @throws if the database cannot be reached */
  async #read(readers: readonly JournalReader[], psps: readonly PspId[]): Promise<Pick<Done, 'advanced' | 'more'>> {
    const { pool, log, clock } = this.#o;
    try {
      const done = await pool.transaction(async (tx) => {
        await begin(tx, this.#durable);
        return readTogether(tx, readers, psps, this.#most, clock);
      });
      for (const [reader, advanced] of done.advanced) reader.options.advanced?.(advanced);
      for (const { reader, psp } of done.leftTo) reader.readOn(psp);
      return done;
    } catch (e) {
      await pool.query('SELECT 1');
      const [only] = psps;
      if (psps.length === 1 && only !== undefined) {
        for (const r of readers) r.readOn(only);
        return { advanced: new Map(), more: [] };
      }
      log.warn(
        { psps: psps.length, ...errorFields(e) },
        'journals could not be read together; they are read in halves',
      );
      const half = Math.ceil(psps.length / 2);
      const [a, b] = [await this.#read(readers, psps.slice(0, half)), await this.#read(readers, psps.slice(half))];
      return { advanced: new Map([...a.advanced, ...b.advanced]), more: [...a.more, ...b.more] };
    }
  }
}

/** The followers of these readers: one for all whose commits need not be on disk at once, and one for each other. */
export function followersOf(readers: readonly JournalReader[], common: Omit<FollowerOptions, 'readers'>): Follower[] {
  const groups = [
    readers.filter((r) => !r.options.durable),
    ...readers.filter((r) => r.options.durable).map((r) => [r]),
  ];
  return groups.map((of) => new Follower({ ...common, readers: of }));
}
