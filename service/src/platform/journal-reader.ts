// Follows the journal for one purpose (a reader has a name and a cursor per PSP) and passes its entries on, each once
// and in order: what `read` writes and the cursor's move are one commit. Any number of processes may follow under the
// same name. An entry that cannot be processed is set aside and tried again later; the others continue without it.
// Knows nothing about what is read.
import type { PspId } from '../core/ids.ts';
import type { RowOf } from '../records/define.ts';
import { journal } from '../records/journal.ts';
import { type RecordOf, tableOf } from '../records/table.ts';
import { type Database, only, type Pool } from './database.ts';
import { tookTooLong } from './database-away.ts';
import { countSetAside, mayBeOfEntries, SecondTries, setAside } from './entries-set-aside.ts';
import { every, type Repeating } from './every.ts';
import { holdCursor } from './journal-cursor.ts';
import { errorFields, type Log } from './log.ts';
import { Trouble } from './reading-trouble.ts';
import { Rounds } from './rounds.ts';

const table = tableOf(journal);
/** `seq` is its number in the PSP's journal: 1, 2, 3 … in commit order. */
export type JournalEntry = RecordOf<typeof journal>;
export type JournalRow = RowOf<typeof journal>;
/** @param alias alias of the journal in a SELECT */
export const journalColumns = table.columns;
export const journalEntry = table.fromRow;
export const readJournal = table.read;

export interface JournalReaderOptions {
  readonly name: string;
  readonly pool: Pick<Pool, 'query' | 'transaction'>;
  readonly log: Log;
  /**
   * Writes the entries' effects, using only `tx`. Throwing leaves the cursor unchanged. An entry that was set aside is
   * passed alone, after later ones.
   * @param small true if the single entry took too long before: its data must then be read and written a few rows at a
   * time
   * @returns the number of entries read, from the first, if the rest is to be left to the next commit; at least one
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most readers read all they are given and need say nothing
  read?(tx: Database, psp: PspId, entries: readonly JournalEntry[], small: boolean): Promise<number | void>;
  /**
   * Replaces `read`: reads the entries after number `from` up to `to` with its own statements, for a reader that
   * processes them in the database. @returns the number of the last entry read, `from` for none
   */
  stretch?(tx: Database, psp: PspId, from: number, to: number): Promise<number>;
  /** Kinds to pass on; other entries are skipped unread. */
  readonly kinds?: readonly string[];
  /**
   * Whether entries written so far do not matter in this PSP; they are then skipped unread. Called after the journal's
   * end was read, so a change of the answer affects only later entries.
   */
  passesOver?(tx: Database, psp: PspId): Promise<boolean>;
  /** Called after entries were read and committed. */
  readonly advanced?: () => void;
  /** Maximum entries per commit. */
  readonly limit?: number;
  /** Minimum milliseconds between passes, whatever wakes the reader: a reader that may lag costs little under load. */
  readonly gapMs?: number;
  /** Polling interval in addition to wake-ups: other processes write too. */
  readonly everyMs?: number;
  /** Ignores wake-ups by commits and only polls: for a reader that needs few of the entries. */
  readonly patient?: boolean;
  /** Stops at an entry that it cannot read, for as long as that lasts: for a reader that must not skip anything. */
  readonly leavesOutNothing?: boolean;
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
  /** Whether another process is reading this PSP's journal, so that nothing was read. */
  readonly busy?: boolean;
}

/** Entries examined per commit if most of them are skipped. */
const widest = 50_000;
/** For this long after a PSP was skipped, its commits are ignored: under load it is checked a few times a second. */
const quietMs = 200;
/** Minimum milliseconds between the passes of one run: under load one pass then reads what many commits wrote. */
const shortestGapMs = 5;

export class JournalReader {
  readonly #o: JournalReaderOptions;
  readonly #limit: number;
  readonly #troubles = new Map<string, Trouble>();
  /** PSPs that were just skipped: their commits do not wake the reader until it checks them again. */
  readonly #quiet = new Set<string>();
  /** Whether such a commit happened. */
  #hushed = false;
  #listening: Repeating | undefined;
  readonly #secondTries: SecondTries;
  readonly #rounds: Rounds;

  constructor(options: JournalReaderOptions) {
    this.#o = options;
    this.#limit = options.limit ?? 500;
    this.#rounds = new Rounds({
      pass: () => this.#pass(),
      atNet: () => {
        for (const t of this.#troubles.values()) t.round();
        this.#quiet.clear();
        this.#secondTries.round();
      },
      everyMs: options.everyMs ?? 1000,
      gapMs: (again) => options.gapMs ?? (again ? shortestGapMs : 0),
    });
    this.#secondTries = new SecondTries({
      pool: options.pool,
      reader: options.name,
      log: options.log,
      read: async (tx, { psp, seq }) => {
        if (options.stretch) await options.stretch(tx, psp, seq - 1, seq);
        else await options.read?.(tx, psp, await this.#entries(tx, psp, seq - 1, seq, 1), true);
      },
      stopped: () => this.#rounds.stopped,
    });
  }

  start(): void {
    this.#listening ??= every(quietMs, () => this.#listen());
    this.#rounds.start();
  }

  /**
   * Signals that there may be new entries. Calls during a pass cause one more pass after it.
   * @param psps the journals with new entries, if known: skipped ones wake nobody
   */
  wake(psps?: ReadonlySet<string>): void {
    if (psps && this.#o.patient) return;
    if (psps?.isSubsetOf(this.#quiet)) {
      this.#hushed = true;
      return;
    }
    this.#rounds.wake();
  }

  /** Finishes the current transaction and reads no further. */
  async stop(): Promise<void> {
    void this.#listening?.stop();
    await this.#rounds.stop();
  }

  #listen(): void {
    if (!this.#hushed) return;
    this.#hushed = false;
    this.#quiet.clear();
    this.wake();
  }

  get name(): string {
    return this.#o.name;
  }

  /** Number of PSPs whose entries currently cannot be read. */
  get troubled(): number {
    return [...this.#troubles.values()].filter((t) => t.stands).length;
  }

  /** Number of entries set aside, over all PSPs. */
  setAside(): Promise<number> {
    return countSetAside(this.#o.pool, this.#o.name);
  }

  /** Number of entries written but not read yet, over all PSPs. */
  async lag(): Promise<number> {
    const lags = await this.#o.pool.query<{ lag: number }>(
      `SELECT coalesce(sum(h.seq - coalesce(c.seq, 0)), 0)::bigint AS lag
       FROM journal_heads h LEFT JOIN journal_cursors c ON c.psp_id = h.psp_id AND c.reader = $1`,
      [this.#o.name],
    );
    return only(lags).lag;
  }

  /** Reads every PSP with new entries in turns, a batch each, so that a long journal does not delay the others. */
  async #pass(): Promise<void> {
    try {
      if ((await this.#secondTries.run()) > 0) this.#o.advanced?.();
      const rows = await this.#o.pool.query<{ psp_id: string }>(
        `SELECT h.psp_id FROM journal_heads h LEFT JOIN journal_cursors c ON c.psp_id = h.psp_id AND c.reader = $1
         WHERE h.seq > coalesce(c.seq, 0) ORDER BY h.psp_id`,
        [this.#o.name],
      );
      let open = rows.map((r) => r.psp_id).filter((psp) => !this.#quiet.has(psp));
      while (open.length > 0 && !this.#rounds.stopped) {
        const more: string[] = [];
        for (const psp of open) if (!this.#rounds.stopped && (await this.#portion(psp))) more.push(psp);
        open = more;
      }
    } catch (e) {
      this.#o.log.warn({ reader: this.#o.name, ...errorFields(e) }, 'the journal could not be looked at');
    }
  }

  /** Reads one batch; returns whether there may be more. */
  async #portion(psp: PspId): Promise<boolean> {
    const trouble = this.#troubles.get(psp);
    if (trouble?.waits) return false;
    const tried: Tried = { from: 0, entries: 0, last: 0 };
    try {
      const { read, more, busy } = await this.#o.pool.transaction((tx) => this.#read(tx, psp, trouble, tried));
      // Another process's lock says nothing about the entries: earlier failures still count.
      if (busy) return false;
      if (trouble && (read > 0 || trouble.width === undefined) && trouble.read(this.#limit)) this.#troubles.delete(psp);
      if (read > 0) this.#o.advanced?.();
      return more;
    } catch (e) {
      return this.#failed(psp, trouble ?? new Trouble(), tried, e);
    }
  }

  /** Returns whether to continue at once. */
  async #failed(psp: PspId, trouble: Trouble, tried: Tried, error: unknown): Promise<boolean> {
    const { name: reader, log, leavesOutNothing } = this.#o;
    this.#troubles.set(psp, trouble);
    let why = error;
    if (tried.entries > 0 && !leavesOutNothing && mayBeOfEntries(error)) {
      const next = trouble.failed(tried.entries, tookTooLong(error));
      if (next === 'fewer') return true;
      if (next === 'without')
        try {
          const key = { psp, reader, seq: tried.last };
          if (await this.#o.pool.transaction((tx) => setAside(tx, key, tried.from, error))) {
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

  #entries(tx: Database, psp: PspId, from: number, to: number, limit: number): Promise<JournalEntry[]> {
    return readJournal(
      tx,
      'WHERE psp_id = $1 AND seq > $2 AND seq <= $3 AND ($5::text[] IS NULL OR kind = ANY ($5)) ORDER BY seq LIMIT $4',
      [psp, from, to, limit, this.#o.kinds ?? null],
    );
  }

  async #read(tx: Database, psp: PspId, trouble: Trouble | undefined, tried: Tried): Promise<Portion> {
    const limit = Math.min(this.#limit, trouble?.width ?? this.#limit);
    const { name, kinds } = this.#o;
    const none = { read: 0, more: false };
    const from = await holdCursor(tx, psp, name);
    if (from === undefined) return { ...none, busy: true };
    const move = (seq: number) =>
      tx.query('UPDATE journal_cursors SET seq = $3 WHERE psp_id = $1 AND reader = $2', [psp, name, seq]);
    const [head] = await tx.query<{ seq: number }>('SELECT seq FROM journal_heads WHERE psp_id = $1', [psp]);
    const end = head?.seq ?? 0;
    if (this.#o.passesOver && (await this.#o.passesOver(tx, psp))) {
      await move(end);
      this.#quiet.add(psp);
      return none;
    }
    if (this.#o.stretch) {
      const upTo = Math.min(end, from + limit);
      Object.assign(tried, { from, entries: upTo - from, last: upTo });
      const last = end > from ? await this.#o.stretch(tx, psp, from, upTo) : from;
      if (last === from) return none;
      await move(last);
      return { read: last - from, more: last < end };
    }
    const to = kinds ? Math.min(end, from + widest) : end;
    const entries = await this.#entries(tx, psp, from, to, limit);
    Object.assign(tried, { from, entries: entries.length, last: entries.at(-1)?.seq ?? from });
    const read =
      entries.length === 0 ? 0 : ((await this.#o.read?.(tx, psp, entries, trouble?.small ?? false)) ?? entries.length);
    // Entries skipped after the last one read are done too.
    const whole = kinds !== undefined && read === entries.length && entries.length < limit;
    const done = whole ? to : (entries[read - 1]?.seq ?? from);
    if (done === from) return none;
    await move(done);
    return { read, more: done < end };
  }
}
