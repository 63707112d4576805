// The journal reader that seals: about every second, new entries become leaves of their PSP's tree, and a checkpoint
// over all of them is signed, stored and written outside the database. It only appends, and never signs a past that
// differs from what was sealed.
import { scheduler } from 'node:timers/promises';
import { Flaw } from '../../core/audit/flaw.ts';
import { equal } from '../../core/audit/merkle.ts';
import { type Checkpoint, checkpointText, openCheckpoint, parseCheckpoint, parseNote } from '../../core/audit/note.ts';
import { Edge, joined, tileWidth } from '../../core/audit/tiles.ts';
import type { PspId } from '../../core/ids.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Pool } from '../../platform/database.ts';
import { primitives, sha256 } from '../../platform/hashing.ts';
import { pspsWithJournal } from '../../platform/journal-cursor.ts';
import { idsSince, type Stretch } from '../../platform/journal-entries.ts';
import { JournalReader } from '../../platform/journal-reader.ts';
import { Kept } from '../../platform/kept.ts';
import { errorFields, type Log } from '../../platform/log.ts';
import { PollLoop } from '../../platform/poll-loop.ts';
import { type AuditKey, logKey, signedFor } from './audit-key.ts';
import {
  findAuditKeys,
  findCheckpoint,
  findLastCheckpoint,
  findLastCheckpoints,
  insertResigned,
  insertSealed,
  leafHashes,
  type NewCheckpoint,
  type StoredAuditKey,
  type StoredCheckpoint,
  withResigned,
} from './audit-store.ts';
import type { CheckpointFolder } from './checkpoint-folder.ts';
import { loadEdge } from './stored-tree.ts';

/** The reader's name, under which its cursors are stored. */
export const sealerName = 'seal';

export interface SealerOptions {
  readonly pool: Pick<Pool, 'query' | 'transaction'>;
  readonly log: Log;
  readonly clock: Clock;
  /** The keys that sign now, the newest first: staff may replace the key at any time. */
  keys(db: Database): Promise<readonly AuditKey[]>;
  readonly outside: CheckpointFolder;
  readonly everyMs?: number;
  /** How often it is looked whether the key was replaced. */
  readonly keyEveryMs?: number;
  /** Maximum entries per commit. */
  readonly limit?: number;
}

/** For the edges of the PSPs sealed last: one of average size has 13 kilobytes. */
const mostBytes = 32 * 2 ** 20;
const bytesOf = (edge: Edge) => 500 + 100 * edge.hashes;
/** Checkpoints of different PSPs written outside the database at the same time: each waits for the disk. */
const writtenAtOnce = 8;
/** PSPs whose last checkpoints are read at once when the key was replaced. */
const lookedAtOnce = 500;

/** @throws if a stored note is invalid; only the service writes them */
export function checkpointIn(c: Pick<StoredCheckpoint, 'note' | 'size'>): Checkpoint {
  const parsed = parseNote(c.note);
  const checkpoint = parsed instanceof Flaw ? parsed : parseCheckpoint(parsed.text);
  if (checkpoint instanceof Flaw || checkpoint.size !== c.size)
    throw new Error(`the stored checkpoint of size ${c.size} is damaged; run assay audit verify`);
  return checkpoint;
}

export class Sealer extends JournalReader {
  readonly #o: SealerOptions;
  readonly #edges = new Kept<Edge>(mostBytes, bytesOf);
  /** Size of the last published checkpoint, by PSP; the database must never have less. */
  readonly #published = new Map<string, number>();
  /** What was made in transactions that are not committed yet, or failed. */
  readonly #made = new Map<string, Made>();
  #writing: Promise<void> = Promise.resolve();
  #looking: Promise<void> | undefined;
  #ended = false;
  /** Looks for a new key, with which journals that have no new entries are signed as well. */
  readonly #resigning: PollLoop;
  /** The newest key that all journals are signed with. */
  #resignedWith = '';

  constructor(o: SealerOptions) {
    super({
      name: sealerName,
      pool: o.pool,
      log: o.log,
      leavesOutNothing: true,
      // One checkpoint of a PSP a second, however many commits there are.
      patient: true,
      // A checkpoint leaves the database: it must never be one that the database then does not have.
      durable: true,
      limit: o.limit ?? 4096,
      ...(o.everyMs === undefined ? {} : { everyMs: o.everyMs }),
      stretch: (tx, stretches) => this.#seal(tx, stretches),
      advanced: (psps) => this.#publish(psps),
    });
    this.#o = o;
    this.#resigning = new PollLoop({
      pass: () => this.#resign(),
      atNet: () => undefined,
      everyMs: o.keyEveryMs ?? 5_000,
    });
  }

  override start(): void {
    super.start();
    this.#looking ??= this.#look();
    this.#resigning.start();
  }

  override async stop(): Promise<void> {
    this.#ended = true;
    await super.stop();
    await this.#resigning.stop();
    await this.#looking;
    await this.#writing;
  }

  /** Reports at the start, without waiting for an entry, that a database was set back; nothing is sealed there. */
  async #look(): Promise<void> {
    const { outside, pool, log } = this.#o;
    const psps = await outside.psps().catch((): string[] => []);
    for (const psp of psps)
      try {
        if (this.#ended) return;
        // In this order, so that what another process seals meanwhile does not look like a set-back.
        const published = await outside.last(psp);
        if (published) await this.#hold(pool, psp, published, await findLastCheckpoint(pool, psp));
      } catch (e) {
        log.error({ psp, ...errorFields(e) }, 'what was published of this PSP could not be found again');
      }
  }

  /** The tree determines how far it is sealed, not the cursor. */
  async #seal(tx: Database, stretches: readonly Stretch[]): Promise<Map<PspId, number>> {
    const { clock } = this.#o;
    const psps = stretches.map((s) => s.psp);
    for (const psp of psps) this.#made.delete(psp);
    const last = await findLastCheckpoints(tx, psps);
    for (const psp of psps) await this.#agree(tx, psp, last.get(psp));
    const sizes = new Map(psps.map((psp) => [psp, last.get(psp)?.size ?? 0]));
    const due = stretches
      .map(({ psp, to }) => ({ psp, from: sizes.get(psp) as number, to }))
      .filter((s) => s.to > s.from);
    if (due.length === 0) return sizes;
    const keys = await this.#o.keys(tx);
    const leaves = await leafHashes(tx, due, idsSince(clock()));
    const checkpoints: NewCheckpoint[] = [];
    for (const { psp, to: size } of due) {
      const edge = await this.#edge(tx, psp, last.get(psp));
      // The database has what is added here only after the commit; until then the edge is removed from the cache.
      this.#edges.delete(psp);
      for (const leaf of leaves.get(psp) ?? []) {
        edge.append(leaf);
        // A tile is completed: a millisecond of hashing, after which decisions have their turn.
        if (edge.size % tileWidth === 0) await scheduler.yield();
      }
      const root = edge.root();
      const note = signedFor(keys, psp, (origin) => checkpointText({ origin, size, root }));
      const made = { psp, size, note, sealedAt: new Date(clock()).toISOString() };
      checkpoints.push({ ...made, tail: joined(edge.tail), tiles: edge.takeFilled() });
      this.#made.set(psp, { ...made, edge });
      sizes.set(psp, size);
    }
    await insertSealed(tx, checkpoints);
    return sizes;
  }

  async #edge(tx: Database, psp: PspId, last: StoredCheckpoint | undefined): Promise<Edge> {
    if (!last) return new Edge(sha256);
    const kept = this.#edges.get(psp);
    const { root } = checkpointIn(last);
    // Another process may have sealed since.
    return kept?.size === last.size && equal(kept.root(), root) ? kept : loadEdge(tx, last, root);
  }

  /**
   * Checks that the database has what was published of a journal; the checkpoint files are read once per process.
   * @throws if it was set back to an earlier state, or has another history
   */
  async #agree(tx: Database, psp: PspId, last: StoredCheckpoint | undefined): Promise<void> {
    const { outside, clock } = this.#o;
    const sealed = last?.size ?? 0;
    const known = this.#published.get(psp);
    if (known !== undefined) {
      if (known > sealed) throw this.#behind(psp, sealed, known);
      return;
    }
    const published = await outside.last(psp);
    if (published) await this.#hold(tx, psp, published, last);
    // A process that ended between commit and file write did not write the last one.
    if (last && last.size > (published?.size ?? 0))
      await outside.append(psp, last.note, new Date(clock()).toISOString());
    this.#published.set(psp, sealed);
  }

  /** @throws if the database does not have what was published */
  async #hold(db: Database, psp: PspId, published: Checkpoint, last: StoredCheckpoint | undefined): Promise<void> {
    const sealed = last?.size ?? 0;
    if (published.size > sealed) throw this.#behind(psp, sealed, published.size);
    const same = await findCheckpoint(db, psp, published.size);
    if (!same || !equal(checkpointIn(same).root, published.root))
      throw new Error(
        `this database holds another history than the last checkpoint in ${this.#o.outside.folderOf(psp)} was made of; nothing is sealed`,
      );
  }

  /**
   * Signs the last checkpoint of every journal with the keys of today, if the newest of them did not sign it. Another
   * process that sealed with the keys of before does the same, so that none is left over.
   */
  async #resign(): Promise<void> {
    const { pool, log } = this.#o;
    try {
      const keys = await this.#o.keys(pool);
      const newest = Buffer.from((keys[0] as AuditKey).publicKey).toString('hex');
      if (newest === this.#resignedWith) return;
      const known = await findAuditKeys(pool);
      const psps = known.length > 1 ? await pspsWithJournal(pool) : [];
      let left = 0;
      for (let i = 0; i < psps.length; i += lookedAtOnce) {
        const found = await findLastCheckpoints(pool, psps.slice(i, i + lookedAtOnce));
        for (const last of await withResigned(pool, [...found.values()])) {
          if (this.#ended) return;
          if (!(await this.#signedWith(keys, known, last))) left++;
        }
      }
      if (left === 0) this.#resignedWith = newest;
    } catch (e) {
      log.error(errorFields(e), 'it could not be looked whether the key of the seal was replaced');
    }
  }

  /** Signs a checkpoint that the newest key has not signed. @returns whether it has signed it now */
  async #signedWith(
    keys: readonly AuditKey[],
    known: readonly StoredAuditKey[],
    last: StoredCheckpoint,
  ): Promise<boolean> {
    const { pool, log, outside } = this.#o;
    const { psp, size } = last;
    const opened = known.map((k) => openCheckpoint(last.note, logKey(k, psp), primitives));
    if (!(opened[0] instanceof Flaw)) return true;
    try {
      const checkpoint = opened.find((c) => !(c instanceof Flaw)) as Checkpoint | undefined;
      if (!checkpoint) throw new Error('its last checkpoint is signed by no key of this service');
      const published = await outside.last(psp);
      // Sealed further since it was read: the next look is at the later one.
      const later = published && published.size > size ? await findLastCheckpoint(pool, psp) : undefined;
      if (later && later.size > size) return false;
      if (published) await this.#hold(pool, psp, published, last);
      await loadEdge(pool, last, checkpoint.root);
      const note = signedFor(keys, psp, (origin) => checkpointText({ ...checkpoint, origin }));
      await insertResigned(pool, { psp, size, note }, known[0]?.version as number);
      return true;
    } catch (e) {
      log.error({ psp, ...errorFields(e) }, 'the last checkpoint could not be signed with the new key');
      return false;
    }
  }

  #behind(psp: PspId, sealed: number, published: number): Error {
    return new Error(
      `only ${sealed} entries are sealed here, fewer than the checkpoint over ${published} entries in ${this.#o.outside.folderOf(psp)} covers; nothing is sealed`,
    );
  }

  /** After the commit: caches the edges for the next batch, and publishes the checkpoints outside the database. */
  #publish(psps: readonly PspId[]): void {
    const made = psps.flatMap((psp) => this.#made.get(psp) ?? []);
    for (const m of made) {
      this.#made.delete(m.psp);
      this.#edges.set(m.psp, m.edge);
      this.#published.set(m.psp, m.size);
    }
    this.#writing = this.#writing.then(async () => {
      for (let i = 0; i < made.length; i += writtenAtOnce)
        await Promise.all(made.slice(i, i + writtenAtOnce).map((m) => this.#write(m)));
    });
  }

  async #write({ psp, size, note, sealedAt }: Made): Promise<void> {
    try {
      await this.#o.outside.append(psp, note, sealedAt);
    } catch (e) {
      const fields = { psp, size, ...errorFields(e) };
      this.#o.log.error(fields, 'a checkpoint could not be written outside the database');
    }
  }
}

interface Made extends Omit<StoredCheckpoint, 'tail'> {
  readonly edge: Edge;
}
