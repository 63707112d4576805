// Follows the journal for one purpose (a reader has a name and a cursor per PSP) and processes its entries, each once and
// in order: what it writes and the cursor's move are one commit. Any number of processes may follow under the same name.
// A follower reads for several readers and PSPs at once; where that fails, and where a reader is behind the others, it
// reads here, one PSP at a time. An entry that cannot be processed is set aside and tried again later; the others
// continue without it. Knows nothing about what is read.
import type { PspId } from '../core/ids.ts';
import type { Clock } from './clock.ts';
import type { Database, Pool } from './database.ts';
import { tookTooLong, untilNotGivingWay } from './database-away.ts';
import { countSetAside, mayBeOfEntries, SecondTries, setAside } from './entries-set-aside.ts';
import { Follower } from './follower.ts';
import { begin, headsOf, holdCursor, moveCursors } from './journal-cursor.ts';
import { type Journal, type JournalEntry, readJournal, type Stretch } from './journal-entries.ts';
import { errorFields, type Log } from './log.ts';
import { PollLoop } from './poll-loop.ts';
import { entriesBehind } from './readers-behind.ts';
import { Trouble } from './reading-trouble.ts';

export interface JournalReaderOptions {
  readonly name: string;
  readonly pool: Pick<Pool, 'query' | 'transaction'> & Pick<Database, 'distributed'>;
  readonly log: Log;
  /**
   * Writes the effects of one PSP's entries, using only `tx`. Throwing leaves the cursor unchanged. An entry that was
   * set aside is passed alone, after later ones.
   * @param small true if the single entry took too long before: its data must then be read and written a few rows at a
   * time
   * @returns the number of entries read, from the first, if the rest is to be left to the next commit; at least one
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most readers read all they are given and need say nothing
  read?(tx: Database, psp: PspId, entries: readonly JournalEntry[], small: boolean): Promise<number | void>;
  /** Replaces `read` for a reader that writes the effects of several PSPs with the same statements. It reads all. */
  readAll?(tx: Database, journals: readonly Journal[]): Promise<void>;
  /**
   * Replaces `read`: reads stretches of several journals with its own statements, for a reader that processes entries in
   * the database. @returns the number of the last entry read, by PSP
   */
  stretch?(tx: Database, stretches: readonly Stretch[]): Promise<ReadonlyMap<PspId, number>>;
  /** Kinds to pass on; other entries are skipped unread. */
  readonly kinds?: readonly string[];
  /**
   * PSPs in which entries written so far do not matter; they are then skipped unread. Called after the journals' ends
   * were read, so a change of the answer affects only later entries.
   */
  passesOver?(tx: Database, psps: readonly PspId[]): Promise<readonly PspId[]>;
  /** Called after entries of these PSPs were read and committed. */
  readonly advanced?: (psps: readonly PspId[]) => void;
  /** Maximum entries of a PSP per commit. */
  readonly limit?: number;
  /** Minimum milliseconds to its next pass after one that read: what may lag costs little. Equal gaps read together. */
  readonly gapMs?: number;
  /** Polling interval in addition to wake-ups: other processes write too. */
  readonly everyMs?: number;
  /** Ignores wake-ups by commits and only polls. */
  readonly patient?: boolean;
  /** Reads entries of its kinds in commits of its own, which may take long; only others are skipped together. */
  readonly apart?: boolean;
  /** Stops at an entry that it cannot read, for as long as that lasts: for a reader that must not skip anything. */
  readonly leavesOutNothing?: boolean;
  /**
   * Waits until each commit is on disk. Without it a crash of the database may undo the last commits, effects and
   * cursor together, which are then made again: for a reader whose effects are published before a later commit.
   */
  readonly durable?: boolean;
  /** The clock of the entries' ids, so that only partitions of recent months are searched. */
  readonly clock?: Clock;
}

/** What was tried: the cursor's position, the number of entries after it, and the last of them. */
interface Tried {
  from: number;
  entries: number;
  last: number;
}

interface Portion {
  /** Number of entries read, and whether there may be more. */
  readonly read: number;
  readonly more: boolean;
  /** Whether another transaction is reading this PSP's journal, so that nothing was read. */
  readonly busy?: boolean;
}

/** Entries examined per commit if most of them are skipped. */
const widest = 50_000;

export class JournalReader {
  readonly options: JournalReaderOptions;
  readonly limit: number;
  readonly #troubles = new Map<string, Trouble>();
  /** PSPs to be read here, and the one that is being read. */
  readonly #open = new Set<string>();
  #reading: string | undefined;
  readonly #secondTries: SecondTries;
  readonly #loop: PollLoop;
  #follower: Follower | undefined;

  constructor(options: JournalReaderOptions) {
    this.options = options;
    this.limit = options.limit ?? 500;
    this.#loop = new PollLoop({
      pass: () => this.#pass(),
      atNet: () => {
        for (const t of this.#troubles.values()) t.round();
        this.#secondTries.round();
      },
      everyMs: options.everyMs ?? 1000,
    });
    this.#secondTries = new SecondTries({
      pool: options.pool,
      reader: options.name,
      log: options.log,
      read: async (tx, { psp, seq }) => {
        if (options.stretch) await options.stretch(tx, [{ psp, from: seq - 1, to: seq }]);
        else await this.#give(tx, psp, await this.#entries(tx, psp, seq - 1, seq, 1), true);
      },
      stopped: () => this.#loop.stopped,
    });
  }

  /** Called by a follower of several readers; a reader without one has its own. */
  followedBy(follower: Follower): void {
    this.#follower = follower;
  }

  get #own(): Follower {
    return (this.#follower ??= new Follower({ ...this.options, readers: [this] }));
  }

  start(): void {
    this.#own.start();
    this.#loop.start();
  }

  /**
   * Signals that there may be new entries. Calls during a pass cause one more pass after it.
   * @param psps the journals with new entries, if known; otherwise all are looked at
   */
  wake(psps?: ReadonlySet<string>): void {
    this.#own.wake(psps);
  }

  /** Finishes the current transactions and reads no further. */
  async stop(): Promise<void> {
    await Promise.all([this.#own.leave(this), this.#loop.stop()]);
  }

  get name(): string {
    return this.options.name;
  }

  /** Number of PSPs whose entries currently cannot be read. */
  get troubled(): number {
    return [...this.#troubles.values()].filter((t) => t.stands).length;
  }

  /** Number of entries set aside, over all PSPs. */
  setAside(): Promise<number> {
    return countSetAside(this.options.pool, this.name);
  }

  /** Number of entries written but not read yet, over all PSPs. */
  async lag(): Promise<number> {
    return (await entriesBehind(this.options.pool, [this.name])).get(this.name) as number;
  }

  /** Reads a PSP's journal here, to its end: a follower leaves it alone until then. */
  readOn(psp: PspId): void {
    this.#open.add(psp);
    this.#loop.wake();
  }

  /** Whether a PSP's journal is read here. */
  has(psp: PspId): boolean {
    return this.#open.has(psp) || this.#reading === psp || this.#troubles.has(psp);
  }

  /** Reads in turns, a batch of each PSP, so that a long journal does not delay the others. */
  async #pass(): Promise<void> {
    if ((await this.#secondTries.run()) > 0) this.options.advanced?.([]);
    let turn = [...this.#open];
    while (turn.length > 0 && !this.#loop.stopped) {
      const more: string[] = [];
      for (const psp of turn) {
        if (this.#loop.stopped) return;
        this.#open.delete(psp);
        this.#reading = psp;
        if (await this.#portion(psp)) more.push(psp);
        else if (this.#troubles.has(psp)) this.#open.add(psp);
        this.#reading = undefined;
      }
      for (const psp of more) this.#open.add(psp);
      turn = more;
    }
  }

  /** Reads one batch; returns whether there may be more. */
  async #portion(psp: PspId): Promise<boolean> {
    const trouble = this.#troubles.get(psp);
    if (trouble?.waits) return false;
    const tried: Tried = { from: 0, entries: 0, last: 0 };
    try {
      const { read, more, busy } = await untilNotGivingWay(() =>
        this.options.pool.transaction((tx) => this.#read(tx, psp, trouble, tried)),
      );
      // Another process's lock says nothing about the entries: earlier failures still count.
      if (busy) return false;
      if (trouble && (read > 0 || trouble.width === undefined) && trouble.read(this.limit)) this.#troubles.delete(psp);
      if (read > 0) this.options.advanced?.([psp]);
      return more;
    } catch (e) {
      return this.#failed(psp, trouble ?? new Trouble(), tried, e);
    }
  }

  /** Returns whether to continue at once. */
  async #failed(psp: PspId, trouble: Trouble, tried: Tried, error: unknown): Promise<boolean> {
    const { name: reader, log, leavesOutNothing } = this.options;
    this.#troubles.set(psp, trouble);
    let why = error;
    if (tried.entries > 0 && !leavesOutNothing && mayBeOfEntries(error)) {
      const next = trouble.failed(tried.entries, tookTooLong(error));
      if (next === 'fewer') return true;
      if (next === 'without')
        try {
          const key = { psp, reader, seq: tried.last };
          if (await this.options.pool.transaction((tx) => setAside(tx, key, tried.from, error))) {
            trouble.setAside();
            log.error(
              { ...key, ...errorFields(error) },
              'a journal entry could not be read and is set aside; the reader goes on without it and tries it again each hour',
            );
          }
          return true;
        } catch (e) {
          why = e;
        }
    }
    trouble.pause();
    log.error(
      { reader, psp, failures: trouble.failures, ...errorFields(why) },
      'journal entries could not be read on; the reader is stuck in this PSP and tries again',
    );
    return false;
  }

  /** @returns number of entries read */
  async #give(tx: Database, psp: PspId, entries: readonly JournalEntry[], small: boolean): Promise<number> {
    const { read, readAll } = this.options;
    if (!readAll) return (await read?.(tx, psp, entries, small)) ?? entries.length;
    await readAll(tx, [{ psp, entries }]);
    return entries.length;
  }

  #entries(tx: Database, psp: PspId, from: number, to: number, limit: number): Promise<JournalEntry[]> {
    return readJournal(
      tx,
      'WHERE psp_id = $1 AND seq > $2 AND seq <= $3 AND ($5::text[] IS NULL OR kind = ANY ($5)) ORDER BY seq LIMIT $4',
      [psp, from, to, limit, this.options.kinds ?? null],
    );
  }

  async #read(tx: Database, psp: PspId, trouble: Trouble | undefined, tried: Tried): Promise<Portion> {
    const limit = Math.min(this.limit, trouble?.width ?? this.limit);
    const { name: reader, kinds, passesOver, stretch } = this.options;
    const none = { read: 0, more: false };
    await begin(tx, this.options.durable);
    const from = await holdCursor(tx, psp, reader);
    if (from === undefined) return { ...none, busy: true };
    const move = (seq: number) => moveCursors(tx, [{ psp, reader, seq }]);
    const end = (await headsOf(tx, [psp])).get(psp) ?? 0;
    if (end <= from) return none;
    if (passesOver && (await passesOver(tx, [psp])).length > 0) {
      await move(end);
      return none;
    }
    if (stretch) {
      const to = Math.min(end, from + limit);
      Object.assign(tried, { from, entries: to - from, last: to });
      const last = (await stretch(tx, [{ psp, from, to }])).get(psp) ?? from;
      if (last === from) return none;
      await move(last);
      return { read: last - from, more: last < end };
    }
    const to = kinds ? Math.min(end, from + widest) : end;
    const entries = await this.#entries(tx, psp, from, to, limit);
    Object.assign(tried, { from, entries: entries.length, last: entries.at(-1)?.seq ?? from });
    const read = entries.length === 0 ? 0 : await this.#give(tx, psp, entries, trouble?.small ?? false);
    // Entries skipped after the last one read are done too.
    const whole = kinds !== undefined && read === entries.length && entries.length < limit;
    const done = whole ? to : (entries[read - 1]?.seq ?? from);
    if (done === from) return none;
    await move(done);
    return { read, more: done < end };
  }
}
