// What an audit of a PSP's journal does about the part in the archive, whose own verification proves the archived
// entries; and where stored hashes differ from entries.
import type { Hash } from '../../../core/audit/merkle.ts';
import { equal } from '../../../core/audit/merkle.ts';
import { entryHash, type SealedEntry } from '../../../core/audit/receipt.ts';
import { type Edge, hashesIn, tileWidth } from '../../../core/audit/tiles.ts';
import { sha256 } from '../../../platform/hashing.ts';
import { archivedThrough } from '../../kernel/archived.ts';
import { entriesAfter, entriesUpTo, findLastCheckpoint, loadTiles, type StoredCheckpoint } from '../audit-store.ts';
import { edgeAt, rootsAt, unproven } from '../stored-tree.ts';
import type { PspAuditOptions } from './audit-psp.ts';
import type { ReadCheckpoint } from './notes-ahead.ts';

const nil = '00000000-0000-0000-0000-000000000000';

/** Outside checkpoints whose roots are read together. */
const together = 500;

export interface ArchivedPart {
  /** The number up to which entries of records are in the archive, and up to which all are sealed. */
  readonly through: number;
  readonly sealed: number;
  /** The tree over them; later checkpoints prove it. Undefined if less is sealed. */
  readonly edge: Edge | undefined;
  /** Entries among them that are still in the journal, with the first that is not in the tree. */
  remaining(): AsyncGenerator<{ readonly entries: readonly SealedEntry[]; readonly bad: SealedEntry | undefined }>;
  /** Checkpoints outside, with the roots that the tree had at their sizes. */
  checkpoints(): AsyncGenerator<{ readonly checkpoint: ReadCheckpoint; readonly root: Hash }>;
}

/** Undefined if nothing of the journal is in the archive. */
export async function archivedPart(o: PspAuditOptions): Promise<ArchivedPart | undefined> {
  const { db, psp, outside, portion = 2000 } = o;
  const through = await archivedThrough(db, psp);
  const last = through === 0 ? undefined : await findLastCheckpoint(db, psp);
  if (through === 0) return undefined;
  const sealed = last ?? { psp, size: 0, tail: [] };
  return {
    through,
    sealed: sealed.size,
    edge: sealed.size < through ? undefined : await edgeAt(db, sealed, through),
    async *remaining() {
      const [root] = (await rootsAt(db, sealed, [sealed.size])) as [Hash];
      for (let after = 0; ; ) {
        const entries = await entriesUpTo(db, psp, after, through, portion);
        const [bad] = await unproven(db, sealed, root, entries);
        yield { entries, bad };
        if (entries.length < portion) return;
        after = (entries.at(-1) as SealedEntry).seq;
      }
    },
    async *checkpoints() {
      const all = await outside.upTo(through);
      for (let i = 0; i < all.length; i += together) {
        const some = all.slice(i, i + together);
        const sizes = some.map((c) => c.checkpoint.size);
        const roots = await rootsAt(db, sealed, sizes);
        for (const [n, checkpoint] of some.entries()) yield { checkpoint, root: roots[n] as Hash };
      }
    },
  };
}

/** The first entry after `from` whose stored hash differs. */
export async function firstChanged(
  { db, psp }: Pick<PspAuditOptions, 'db' | 'psp'>,
  from: number,
  c: StoredCheckpoint,
): Promise<SealedEntry | undefined> {
  const start = from - (from % tileWidth);
  for (let first = start; first < c.size; first += tileWidth) {
    const inTail = first + tileWidth > c.size;
    const [tile] = inTail ? [] : await loadTiles(db, psp, [{ level: 0, tile: first / tileWidth, whole: true }]);
    const sealed = inTail ? c.tail : hashesIn(tile?.hashes ?? new Uint8Array());
    const width = Math.min(tileWidth, c.size - first);
    const entries = await entriesAfter(db, psp, { seq: first + 1, id: nil }, Number.MAX_SAFE_INTEGER, width);
    // Entries that are in the archive are missing here.
    const changed = entries.find((e) => {
      const s = sealed[e.seq - first - 1];
      return s !== undefined && !equal(s, entryHash(sha256, e));
    });
    if (changed) return changed;
  }
  return undefined;
}
