// Follows the journal for one purpose (a reader has a name and a cursor per PSP) and hands its entries on, each
// once and in order: what `read` writes and the cursor's move are one commit. Any number of processes may follow
// with the same name. Knows nothing of what is read.
import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Pool, Row } from './database.ts';
import { errorFields, type Log } from './log.ts';

export interface JournalEntry {
  readonly psp: string;
  /** Place in the PSP's journal: 1, 2, 3 … in the order of commits. */
  readonly seq: number;
  readonly id: string;
  readonly kind: string;
  readonly account: string;
  readonly resource: string;
  readonly body: string;
}

/** A row of the journal, read. */
export const journalEntry = (r: Row): JournalEntry => ({
  psp: r.psp_id as string,
  seq: r.seq as number,
  id: r.id as string,
  kind: r.kind as string,
  account: r.account_id as string,
  resource: r.resource_id as string,
  body: r.body as string,
});

export interface JournalReaderOptions {
  readonly name: string;
  readonly pool: Pick<Pool, 'query' | 'transaction'>;
  readonly log: Log;
  /** Writes what follows from the entries, by `tx` alone. Throwing leaves the cursor where it was. */
  read(tx: Database, psp: string, entries: readonly JournalEntry[]): Promise<void>;
  /**
   * Whether entries written so far cannot matter in this PSP; they are then passed over unread. It is asked after
   * the journal's end was read, so what becomes of matter later concerns later entries only.
   */
  passesOver?(tx: Database, psp: string): Promise<boolean>;
  /** After entries were read and committed. */
  readonly advanced?: () => void;
  /** Most entries of one commit. */
  readonly limit?: number;
  /** The net under the wake-ups: other processes write too. */
  readonly everyMs?: number;
}

/** Where the reading of one PSP fails, and when it is tried again, in rounds of the net. */
interface Trouble {
  failures: number;
  roundsLeft: number;
}

/** Longest pause after a failure, in rounds of the net. */
const longestPause = 60;
/** Passes are this far apart at least: under load one pass then reads what many commits wrote. */
const gapMs = 5;

export class JournalReader {
  readonly #o: JournalReaderOptions;
  readonly #limit: number;
  readonly #troubles = new Map<string, Trouble>();
  /** PSPs passed over since the last round of the net; commits there wake nobody until the next. */
  readonly #quiet = new Set<string>();
  #net: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #closed = false;

  constructor(options: JournalReaderOptions) {
    this.#o = options;
    this.#limit = options.limit ?? 500;
  }

  start(): void {
    this.#net ??= setInterval(() => {
      for (const t of this.#troubles.values()) t.roundsLeft--;
      this.#quiet.clear();
      this.wake();
    }, this.#o.everyMs ?? 1000);
    this.#net.unref();
    this.wake();
  }

  /**
   * There may be news. Calls while a pass runs make one more pass after it.
   * @param psps where, if that is known: journals that are passed over anyhow wake nobody
   */
  wake(psps?: ReadonlySet<string>): void {
    if (this.#closed || !this.#net || psps?.isSubsetOf(this.#quiet)) return;
    this.#again = true;
    this.#running ??= this.#run();
  }

  /** Finishes the transaction in hand and reads no further. */
  async stop(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#net);
    await this.#running;
  }

  get name(): string {
    return this.#o.name;
  }

  /** PSPs whose entries cannot be read at present. */
  get troubled(): number {
    return this.#troubles.size;
  }

  /** Entries written and not read yet, of all PSPs. */
  async lag(): Promise<number> {
    const [r] = await this.#o.pool.query(
      `SELECT coalesce(sum(h.seq - coalesce(c.seq, 0)), 0)::bigint AS lag
       FROM journal_heads h LEFT JOIN journal_cursors c ON c.psp_id = h.psp_id AND c.reader = $1`,
      [this.#o.name],
    );
    return r?.lag as number;
  }

  async #run(): Promise<void> {
    try {
      while (this.#again && !this.#closed) {
        this.#again = false;
        await this.#pass();
        if (this.#again) await pause(gapMs);
      }
    } finally {
      this.#running = undefined;
    }
  }

  /** Every PSP with news by turns, a portion each, so that a long journal does not keep the others waiting. */
  async #pass(): Promise<void> {
    try {
      const rows = await this.#o.pool.query(
        `SELECT h.psp_id FROM journal_heads h LEFT JOIN journal_cursors c ON c.psp_id = h.psp_id AND c.reader = $1
         WHERE h.seq > coalesce(c.seq, 0) ORDER BY h.psp_id`,
        [this.#o.name],
      );
      let open = rows.map((r) => r.psp_id as string).filter((psp) => !this.#quiet.has(psp));
      while (open.length > 0 && !this.#closed) {
        const more: string[] = [];
        for (const psp of open) if (!this.#closed && (await this.#portion(psp))) more.push(psp);
        open = more;
      }
    } catch (e) {
      this.#o.log.warn({ reader: this.#o.name, ...errorFields(e) }, 'the journal could not be looked at');
    }
  }

  /** Whether there may be more. */
  async #portion(psp: string): Promise<boolean> {
    const trouble = this.#troubles.get(psp);
    if (trouble && trouble.roundsLeft > 0) return false;
    try {
      const read = await this.#o.pool.transaction((tx) => this.#read(tx, psp));
      this.#troubles.delete(psp);
      if (read > 0) this.#o.advanced?.();
      return read === this.#limit;
    } catch (e) {
      const failures = (trouble?.failures ?? 0) + 1;
      this.#troubles.set(psp, { failures, roundsLeft: Math.min(2 ** failures, longestPause) });
      this.#o.log.error(
        { reader: this.#o.name, psp, failures, ...errorFields(e) },
        'journal entries could not be read on; the reader stands still in this PSP and tries again',
      );
      return false;
    }
  }

  /** Number of entries read. */
  async #read(tx: Database, psp: string): Promise<number> {
    const { name } = this.#o;
    const held = async () =>
      (
        await tx.query('SELECT seq FROM journal_cursors WHERE psp_id = $1 AND reader = $2 FOR UPDATE SKIP LOCKED', [
          psp,
          name,
        ])
      )[0];
    let cursor = await held();
    if (!cursor) {
      // Missing, or in another process's hands.
      await tx.query(
        `INSERT INTO journal_cursors (psp_id, reader, seq)
         SELECT $1, $2, 0 WHERE NOT EXISTS (SELECT 1 FROM journal_cursors WHERE psp_id = $1 AND reader = $2)
         ON CONFLICT DO NOTHING`,
        [psp, name],
      );
      cursor = await held();
      if (!cursor) return 0;
    }
    const move = (seq: number) =>
      tx.query('UPDATE journal_cursors SET seq = $3 WHERE psp_id = $1 AND reader = $2', [psp, name, seq]);
    if (this.#o.passesOver) {
      const [head] = await tx.query('SELECT seq FROM journal_heads WHERE psp_id = $1', [psp]);
      if (await this.#o.passesOver(tx, psp)) {
        await move(head?.seq as number);
        this.#quiet.add(psp);
        return 0;
      }
    }
    const rows = await tx.query(
      `SELECT psp_id, seq, id, kind, account_id, resource_id, body FROM journal
       WHERE psp_id = $1 AND seq > $2 ORDER BY seq LIMIT $3`,
      [psp, cursor.seq, this.#limit],
    );
    if (rows.length === 0) return 0;
    const entries = rows.map(journalEntry);
    await this.#o.read(tx, psp, entries);
    await move((entries.at(-1) as JournalEntry).seq);
    return entries.length;
  }
}
