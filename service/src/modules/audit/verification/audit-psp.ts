// Recomputes the tree of one PSP's journal from its entries and compares it with everything that was sealed: stored
// tiles and checkpoints, and checkpoints outside the database. Reads in batches, up to the entry that was the last one when it
// began; stops at the first bad entry.
import { Flaw } from '../../../core/audit/flaw.ts';
import { equal, type Hash } from '../../../core/audit/merkle.ts';
import { type Checkpoint, openCheckpoint, type VerifierKey } from '../../../core/audit/note.ts';
import { entryHash, type SealedEntry } from '../../../core/audit/receipt.ts';
import { Edge, type Tile, tileWidth } from '../../../core/audit/tiles.ts';
import { type PspId, toWire } from '../../../core/ids.ts';
import type { Database } from '../../../platform/database.ts';
import { primitives, sha256 } from '../../../platform/hashing.ts';
import {
  entriesAfter,
  findLastCheckpoint,
  journalEnd,
  listCheckpoints,
  loadTiles,
  type StoredCheckpoint,
} from '../audit-store.ts';
import { checkpointIn } from '../sealer.ts';
import { archivedPart, firstChanged } from './archived-part.ts';
import type { Finding, FindingCode, PspAudit } from './finding.ts';
import type { NotesAhead, ReadCheckpoint } from './notes-ahead.ts';

export interface PspAuditOptions {
  readonly db: Database;
  readonly psp: PspId;
  /** Keys that may have signed, the database's own first. */
  readonly keys: readonly VerifierKey[];
  readonly outside: NotesAhead;
  /** An additional check of the entries while they are loaded. */
  also?(entries: readonly SealedEntry[]): Promise<Finding[]>;
  progress?(entries: number, of: number): void;
  readonly portion?: number;
}

/** Maximum findings outside the journal that are reported one by one. */
const mostOthers = 20;

const nil = '00000000-0000-0000-0000-000000000000';

const told = (e: SealedEntry) => `entry ${e.seq} (${toWire('event', e.id)}, ${e.kind})`;
const stretch = (from: number, to: number) => (from === to ? `entry ${from}` : `entries ${from} to ${to}`);

const textOf = (note: string) => note.slice(0, note.lastIndexOf('\n\n'));

/** Thrown to end the walk: entries after the first bad one reveal nothing new. */
class Stop extends Error {}

export async function auditPsp(o: PspAuditOptions): Promise<PspAudit> {
  const walk = new Walk(o);
  try {
    await walk.run();
  } catch (e) {
    if (!(e instanceof Stop)) throw e;
  }
  return walk.result();
}

class Walk {
  readonly #o: PspAuditOptions;
  #edge = new Edge(sha256);
  readonly #findings: Finding[] = [];
  readonly #counted = { inside: 0, outside: 0 };
  #stored = 0;
  /** Sizes up to which checkpoints (stored and outside, separately) agreed with the journal. */
  #agreed = 0;
  #agreedOutside = 0;
  /** The number up to which the entries of records are in the archive. */
  #archived = 0;
  /** The last number of the journal when the walk began: what is recorded meanwhile would keep it from its end. */
  #through = 0;
  /** The last number when it had ended. */
  #reached = 0;
  /** Findings outside the journal. */
  #others = 0;
  /** A stored tile that differs from the recomputed one, until a checkpoint shows which of the two was changed. */
  #doubtful: Tile | undefined;

  constructor(o: PspAuditOptions) {
    this.#o = o;
  }

  result(): PspAudit {
    return {
      psp: this.#o.psp,
      entries: this.#edge.size,
      sealed: this.#stored,
      ...this.#counted,
      findings: this.#findings,
      remarks: [
        ...(this.#archived > 0
          ? [`entries 1 to ${this.#archived}: those of records are in the archive; assay archive verify proves them`]
          : []),
        ...(this.#reached > this.#through
          ? [
              `${stretch(this.#through + 1, this.#reached)}: recorded during this verification, and left to the next one`,
            ]
          : []),
        ...this.#o.outside.unreadable.map((at) => `${at}: not a whole checkpoint; left out`),
        ...(this.#others > mostOthers
          ? [`${this.#others - mostOthers} further findings on records are not listed`]
          : []),
      ],
    };
  }

  async run(): Promise<void> {
    const { db, psp } = this.#o;
    this.#stored = (await findLastCheckpoint(db, psp))?.size ?? 0;
    const { head, last: highest } = await journalEnd(db, psp);
    this.#through = Math.max(head, highest);
    await this.#passArchived();
    let last: SealedEntry | undefined;
    for (;;) {
      const start = { seq: this.#archived + 1, id: nil };
      const entries = await entriesAfter(db, psp, last ?? start, this.#through, this.#o.portion ?? 2000);
      if (entries.length === 0) break;
      await this.#portion(entries, last);
      last = entries.at(-1);
      this.#o.progress?.(this.#edge.size, this.#through);
    }
    await this.#end();
  }

  /** The walk continues from the tree over the archive, with which entries still in the journal, and checkpoints, are compared. */
  async #passArchived(): Promise<void> {
    const part = await archivedPart(this.#o);
    if (!part) return;
    const { edge, through, sealed } = part;
    if (!edge) this.#stop('SET_BACK', sealed + 1, `${stretch(sealed + 1, through)}: in the archive, and not sealed`);
    this.#edge = edge;
    this.#archived = this.#agreed = through;
    for await (const { entries, bad } of part.remaining()) {
      if (bad) this.#stop('ENTRY_CHANGED', bad.seq, `${told(bad)} is not the one that was sealed`);
      await this.#checkAlso(entries);
    }
    for await (const { checkpoint, root } of part.checkpoints()) await this.#holdOutside(checkpoint, root);
  }

  async #portion(entries: readonly SealedEntry[], before: SealedEntry | undefined): Promise<void> {
    const { db, psp, outside } = this.#o;
    const to = entries.at(-1)?.seq as number;
    const inside = new Map((await listCheckpoints(db, psp, this.#edge.size, to)).map((c) => [c.size, c] as const));
    const around = Map.groupBy(await outside.upTo(to), (c) => c.checkpoint.size);
    for (const late of [...around.keys()].filter((size) => size <= this.#edge.size))
      for (const c of around.get(late) ?? [])
        this.#find(
          'CHECKPOINT_INVALID',
          `${c.at}: a checkpoint over ${late} entries follows one over ${this.#edge.size}`,
        );
    let previous = before;
    for (const e of entries) {
      this.#number(e, previous);
      previous = e;
      this.#edge.append(entryHash(sha256, e));
      const stored = inside.get(e.seq);
      if (stored) await this.#holdStored(stored);
      for (const c of around.get(e.seq) ?? []) await this.#holdOutside(c);
    }
    await this.#holdTiles(this.#edge.takeFilled());
    await this.#checkAlso(entries);
  }

  async #checkAlso(entries: readonly SealedEntry[]): Promise<void> {
    for (const f of (await this.#o.also?.(entries)) ?? []) if (this.#others++ < mostOthers) this.#findings.push(f);
  }

  #number(e: SealedEntry, previous: SealedEntry | undefined): void {
    const expected = this.#edge.size + 1;
    if (e.seq === expected) return;
    if (previous && e.seq === previous.seq)
      this.#stop(
        'ENTRY_INSERTED',
        e.seq,
        `${told(previous)} and ${told(e)} have the same number: one of them was put in`,
      );
    if (e.seq < expected) this.#stop('ENTRY_INSERTED', e.seq, `${told(e)} has a number no journal gives`);
    this.#stop('ENTRY_MISSING', expected, `${stretch(expected, e.seq - 1)} of the journal: missing, before ${told(e)}`);
  }

  async #holdStored(c: StoredCheckpoint): Promise<void> {
    this.#counted.inside++;
    for (const note of [c.firstNote ?? c.note, ...(c.firstNote === undefined ? [] : [c.note])]) {
      const opened = this.#opened(note);
      if (opened && !(opened instanceof Flaw) && opened.size === c.size) continue;
      const why = opened instanceof Flaw ? opened.message : 'it is of another size';
      this.#find('CHECKPOINT_INVALID', `the stored checkpoint over ${c.size} entries: ${why}`);
    }
    // Both are over the same text where both keys signed it.
    if (c.firstNote !== undefined && textOf(c.firstNote) !== textOf(c.note))
      this.#find('CHECKPOINT_INVALID', `the stored checkpoint over ${c.size} entries: later keys signed another text`);
    let root: Uint8Array | undefined;
    try {
      root = checkpointIn(c).root;
    } catch {
      return;
    }
    if (equal(root, this.#edge.root())) return this.#agree(c.size);
    const changed = await firstChanged(this.#o, this.#agreed, c);
    if (changed) this.#stop('ENTRY_CHANGED', changed.seq, `${told(changed)} is not the one that was sealed`);
    const where = stretch(this.#agreed + 1, c.size);
    this.#stop(
      'HISTORY_REWRITTEN',
      this.#agreed + 1,
      `${where}: journal and stored tree agree, but the checkpoint stored over ${c.size} entries was signed over others`,
    );
  }

  /** As one of the keys signed it; else why the first of those that it names did not. */
  #opened(note: string): Checkpoint | Flaw | undefined {
    const opened = this.#o.keys.map((k) => openCheckpoint(note, k, primitives));
    return opened.find((x) => !(x instanceof Flaw)) ?? opened.find((x) => (x as Flaw).code !== 'KEY') ?? opened[0];
  }

  async #holdOutside(c: ReadCheckpoint, is: Hash = this.#edge.root()): Promise<void> {
    this.#counted.outside++;
    const opened = this.#opened(c.note);
    if (!opened || opened instanceof Flaw) {
      const unknown = opened === undefined || opened.code === 'KEY';
      this.#find(
        unknown ? 'KEY_UNKNOWN' : 'CHECKPOINT_INVALID',
        `${c.at}: ${opened?.message ?? 'the database has no key for it'}${unknown ? '. The key was replaced, or the file is of another service' : ''}`,
      );
    }
    const { size, root } = c.checkpoint;
    if (equal(root, is)) {
      this.#agreedOutside = size;
      return;
    }
    const { db, psp } = this.#o;
    const [stored] = await listCheckpoints(db, psp, size - 1, Number.MAX_SAFE_INTEGER, 1);
    const changed = stored && (await firstChanged(this.#o, this.#agreed, stored));
    if (changed) this.#stop('ENTRY_CHANGED', changed.seq, `${told(changed)} is not the one that was sealed`);
    const from = this.#agreedOutside + 1;
    this.#stop(
      'HISTORY_REWRITTEN',
      from,
      `${stretch(from, size)} of the journal: not those that the checkpoint at ${c.at} was signed over, though nothing in the database says so`,
    );
  }

  #agree(size: number): void {
    this.#agreed = size;
    const doubtful = this.#doubtful;
    this.#doubtful = undefined;
    if (!doubtful) return;
    const width = tileWidth ** (doubtful.level + 1);
    this.#find(
      'TREE_CHANGED',
      `the stored hashes of ${stretch(doubtful.index * width + 1, (doubtful.index + 1) * width)} (level ${doubtful.level}, tile ${doubtful.index}) are not those of the journal, with which the next checkpoint agrees`,
    );
  }

  /** Checks the tiles that the stored tree must have by now. */
  async #holdTiles(filled: readonly Tile[]): Promise<void> {
    const due = filled.filter((t) => (t.index + 1) * tileWidth ** (t.level + 1) <= this.#stored);
    const stored = await loadTiles(
      this.#o.db,
      this.#o.psp,
      due.map((t) => ({ level: t.level, tile: t.index, whole: true })),
    );
    const found = new Map(stored.map((t) => [`${t.level}/${t.index}`, t] as const));
    for (const t of due) {
      const s = found.get(`${t.level}/${t.index}`);
      if (!s || !equal(s.hashes, t.hashes) || !equal(s.root, t.root)) this.#doubtful ??= t;
    }
  }

  /** After the last entry: nothing may be sealed beyond it, and no entry may exist beyond the journal's count. */
  async #end(): Promise<void> {
    const { db, psp, outside } = this.#o;
    const size = this.#edge.size;
    // Read first: a checkpoint that is sealed after the count was read covers more than it.
    const later = await outside.upTo(Number.MAX_SAFE_INTEGER);
    const now = await journalEnd(db, psp);
    this.#reached = now.last;
    if (now.last > now.head)
      this.#stop(
        'ENTRY_INSERTED',
        now.head + 1,
        `${stretch(now.head + 1, now.last)}: beyond the count of the journal, ${now.head}`,
      );
    // What is recorded meanwhile has numbers beyond the gap.
    if (size < this.#through)
      this.#stop('ENTRY_MISSING', size + 1, `${stretch(size + 1, this.#through)} of the journal: missing at its end`);
    if (this.#stored > size)
      this.#stop('SET_BACK', size + 1, `${stretch(size + 1, this.#stored)}: sealed, and no longer in the journal`);
    const furthest = later.findLast((c) => c.checkpoint.size > Math.max(now.last, this.#archived));
    if (furthest)
      this.#stop(
        'SET_BACK',
        now.last + 1,
        `${stretch(now.last + 1, furthest.checkpoint.size)}: covered by the checkpoint at ${furthest.at}, and not in the journal: the database was set back`,
      );
    if (this.#doubtful) this.#agree(size);
  }

  #find(code: FindingCode, message: string): void {
    // One finding per code: consequences of the same cause would hide the others.
    if (!this.#findings.some((f) => f.code === code)) this.#findings.push({ code, psp: this.#o.psp, message });
  }

  #stop(code: FindingCode, seq: number, message: string): never {
    this.#findings.push({ code, psp: this.#o.psp, seq, message });
    throw new Stop(message);
  }
}
