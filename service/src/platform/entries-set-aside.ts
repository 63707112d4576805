// Journal entries that a reader failed to process and skipped: which ones, and when they may be tried again. An entry
// leaves this list only in the commit that reads it, or when everything that was read is made again.
import type { PspId } from '../core/ids.ts';
import type { Database, Pool } from './database.ts';
import { causesOf, isAway, tookTooLong } from './database-away.ts';
import { errorFields, type Log } from './log.ts';

/** SQLSTATE classes about a statement's values, and errors raised by our own functions. */
const ofValues = /^(21|22|23|54|P0)/;

/**
 * Whether an error may be caused by the entries read: not one of an unavailable or full database, a missing privilege
 * or table, or the machine. Those pass, and no entry may be skipped because of them. A statement that took too long may
 * have either cause.
 */
export function mayBeOfEntries(error: unknown): boolean {
  if (tookTooLong(error)) return true;
  if (isAway(error)) return false;
  for (const { code, syscall } of causesOf(error)) {
    if (syscall !== undefined) return false;
    if (code !== undefined && /^[0-9A-Z]{5}$/.test(code)) return ofValues.test(code);
  }
  return true;
}

/** Rounds after which all are tried again: what took too long in a busy hour succeeds in another. */
const allAgain = 3600;
/** Rounds after one that took too long again, so that many of them do not delay new entries. */
const afterTooLong = 60;

const text = (e: unknown): string => (e instanceof Error ? `${e.name}: ${e.message}` : String(e)).slice(0, 1000);

/** Number of an entry, and the reader that has to read it. */
export interface EntryKey {
  readonly psp: PspId;
  readonly reader: string;
  readonly seq: number;
}

/**
 * Moves a reader's cursor past an entry and records it, in one transaction.
 * @param from position of the cursor when the entry was tried
 * @returns false if another process has moved it meanwhile: nothing is done then
 */
export async function setAside(tx: Database, k: EntryKey, from: number, error: unknown): Promise<boolean> {
  let moved = await tx.query(
    'UPDATE journal_cursors SET seq = $3 WHERE psp_id = $1 AND reader = $2 AND seq = $4 RETURNING 1',
    [k.psp, k.reader, k.seq, from],
  );
  // There is no cursor before the first entry was read: its row was rolled back with the failure.
  if (moved.length === 0 && from === 0)
    moved = await tx.query(
      'INSERT INTO journal_cursors (psp_id, reader, seq) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1',
      [k.psp, k.reader, k.seq],
    );
  if (moved.length === 0) return false;
  await tx.query(
    `INSERT INTO journal_set_aside (psp_id, reader, seq, error) VALUES ($1, $2, $3, $4)
     ON CONFLICT (psp_id, reader, seq) DO UPDATE SET error = excluded.error, tries = journal_set_aside.tries + 1`,
    [k.psp, k.reader, k.seq, text(error)],
  );
  return true;
}

/** Number of entries a reader has set aside: in all journals, or in those of some PSPs. */
export async function countSetAside(db: Database, reader: string, psps?: readonly PspId[]): Promise<number> {
  const [r] = await db.query<{ n: number }>(
    'SELECT count(*) AS n FROM journal_set_aside WHERE reader = $1 AND ($2::uuid[] IS NULL OR psp_id = ANY ($2))',
    [reader, psps],
  );
  return r?.n ?? 0;
}

async function entriesSetAside(db: Database, reader: string): Promise<EntryKey[]> {
  const rows = await db.query<{ psp_id: string; seq: number }>(
    'SELECT psp_id, seq FROM journal_set_aside WHERE reader = $1 ORDER BY psp_id, seq',
    [reader],
  );
  return rows.map((r) => ({ psp: r.psp_id, reader, seq: r.seq }));
}

/**
 * Removes an entry from the list so that it can be read in the same transaction, while no other process reads.
 * @returns false if another process was faster
 */
async function takeFromAside(tx: Database, k: EntryKey): Promise<boolean> {
  await tx.query('SELECT 1 FROM journal_cursors WHERE psp_id = $1 AND reader = $2 FOR UPDATE', [k.psp, k.reader]);
  const taken = await tx.query(
    'DELETE FROM journal_set_aside WHERE psp_id = $1 AND reader = $2 AND seq = $3 RETURNING 1',
    [k.psp, k.reader, k.seq],
  );
  return taken.length > 0;
}

async function noteFailedTry(db: Database, k: EntryKey, error: unknown): Promise<void> {
  await db.query(
    'UPDATE journal_set_aside SET error = $4, tries = tries + 1 WHERE psp_id = $1 AND reader = $2 AND seq = $3',
    [k.psp, k.reader, k.seq, text(error)],
  );
}

export interface SecondTriesOptions {
  readonly pool: Pick<Pool, 'query' | 'transaction'>;
  readonly reader: string;
  readonly log: Log;
  read(tx: Database, k: EntryKey): Promise<void>;
  readonly stopped: () => boolean;
}

/** Tries every entry that a reader set aside again, at its start and every hour, each in a transaction of its own. */
export class SecondTries {
  readonly #o: SecondTriesOptions;
  /** Entries still to be tried in this round. */
  #left: EntryKey[] | undefined;
  #roundsLeft = 0;

  constructor(options: SecondTriesOptions) {
    this.#o = options;
  }

  round(): void {
    this.#roundsLeft--;
  }

  /** Does not throw: later entries must not wait for these. @returns number of entries read */
  async run(): Promise<number> {
    if (this.#roundsLeft > 0) return 0;
    const { pool, reader, log, stopped } = this.#o;
    const done = { read: 0, left: 0 };
    try {
      this.#left ??= await entriesSetAside(pool, reader);
      this.#roundsLeft = allAgain;
      for (let k = this.#left[0]; k && !stopped(); k = this.#left[0]) {
        const outcome = await this.#again(k);
        this.#left.shift();
        if (outcome) done[outcome === 'read' ? 'read' : 'left']++;
        if (outcome !== 'tookTooLong' || this.#left.length === 0) continue;
        this.#roundsLeft = afterTooLong;
        break;
      }
      if (this.#left.length === 0) this.#left = undefined;
    } catch (e) {
      // The cause is not an entry: the next round tries again.
      this.#roundsLeft = 1;
      log.warn({ reader, ...errorFields(e) }, 'journal entries that were set aside could not be tried again yet');
    }
    if (done.read + done.left > 0)
      log.warn({ reader, ...done }, 'journal entries that were set aside were tried again');
    return done.read;
  }

  /** @throws errors not caused by the entry */
  async #again(k: EntryKey): Promise<'read' | 'left' | 'tookTooLong' | undefined> {
    const { pool, read } = this.#o;
    try {
      return await pool.transaction(async (tx) => {
        if (!(await takeFromAside(tx, k))) return undefined;
        await read(tx, k);
        return 'read' as const;
      });
    } catch (e) {
      if (!mayBeOfEntries(e)) throw e;
      await noteFailedTry(pool, k, e);
      return tookTooLong(e) ? 'tookTooLong' : 'left';
    }
  }
}

/**
 * For code that recreates everything from the journal, holding the cursor's lock: clears the list of entries to try
 * again.
 */
export async function forgetSetAside(tx: Database, psp: PspId, reader: string): Promise<void> {
  await tx.query('DELETE FROM journal_set_aside WHERE psp_id = $1 AND reader = $2', [psp, reader]);
}
