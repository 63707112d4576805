// The tree of a PSP's journal as stored in the database: its edge, to append to, and proofs from it.
import {
  consistencyPath,
  equal,
  type Hash,
  inclusionPath,
  type Node,
  nodesOf,
  type Range,
  rootOf,
  verifyInclusion,
} from '../../core/audit/merkle.ts';
import { entryHash, type SealedEntry } from '../../core/audit/receipt.ts';
import {
  completeRoot,
  Edge,
  hashesAt,
  hashesIn,
  sourceOf,
  type Tile,
  tileHeight,
  tileWidth,
  unfinished,
} from '../../core/audit/tiles.ts';
import type { PspId } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';
import { sha256 } from '../../platform/hashing.ts';
import { loadTiles, type WantedTile } from './audit-store.ts';

/** The state of a sealed tree: its size, and the hashes that no full tile has. */
export interface Sealed {
  readonly psp: PspId;
  readonly size: number;
  readonly tail: readonly Hash[];
}

const damaged = (psp: PspId) =>
  new Error(`the stored tree of ${psp} is not the one its checkpoint is of; run assay audit verify`);

/** The right edge of a sealed tree. @throws if the stored hashes do not give the root of the checkpoint */
export async function loadEdge(db: Database, sealed: Sealed, root: Hash): Promise<Edge> {
  const { psp, size } = sealed;
  const wanted: WantedTile[] = [];
  for (let level = 1; hashesAt(level, size) > 0; level++) {
    const { from, count } = unfinished(level, size);
    for (let i = 0; i < count; i++) wanted.push({ level: level - 1, tile: from + i, whole: false });
  }
  const tiles = await loadTiles(db, psp, wanted);
  if (tiles.length !== wanted.length) throw damaged(psp);
  const levels = [[...sealed.tail]];
  for (let level = 1; hashesAt(level, size) > 0; level++)
    levels.push(
      tiles
        .filter((t) => t.level === level - 1)
        .sort((a, b) => a.index - b.index)
        .map((t) => t.root),
    );
  const edge = new Edge(sha256, size, levels);
  if (!equal(edge.root(), root)) throw damaged(psp);
  return edge;
}

/** Hashes of complete subtrees by node, loaded with one query. */
async function loadNodes(db: Database, sealed: Sealed, nodes: readonly Node[]): Promise<(n: Node) => Hash> {
  const sources = nodes.map((n) => sourceOf(n, sealed.size));
  const wanted = new Map<string, WantedTile>();
  for (const s of sources) {
    if (s.from === 'tile') wanted.set(`${s.level}/${s.tile}`, { level: s.level, tile: s.tile, whole: true });
    if (s.from === 'roots')
      for (let i = 0; i < s.count; i++) {
        const key = `${s.level}/${s.tile + i}`;
        if (!wanted.has(key)) wanted.set(key, { level: s.level, tile: s.tile + i, whole: false });
      }
  }
  const loaded = await loadTiles(db, sealed.psp, [...wanted.values()]);
  const tiles = new Map(loaded.map((t) => [`${t.level}/${t.index}`, t] as const));
  const tile = (level: number, index: number): Tile => {
    const found = tiles.get(`${level}/${index}`);
    if (!found) throw damaged(sealed.psp);
    return found;
  };
  return (n) => {
    const s = sourceOf(n, sealed.size);
    const hashes =
      s.from === 'tail'
        ? sealed.tail.slice(s.at, s.at + s.count)
        : s.from === 'tile'
          ? hashesIn(tile(s.level, s.tile).hashes).slice(s.at, s.at + s.count)
          : Array.from({ length: s.count }, (_, i) => tile(s.level, s.tile + i).root);
    return completeRoot(sha256, hashes);
  };
}

/** The right edge of the sealed tree when it had `size` leaves. */
export async function edgeAt(db: Database, sealed: Sealed, size: number): Promise<Edge> {
  const { psp } = sealed;
  const { from, count } = unfinished(0, size);
  const [tile] = await loadTiles(db, psp, [{ level: 0, tile: from / tileWidth, whole: true }]);
  const tail = (tile ? hashesIn(tile.hashes) : sealed.tail).slice(0, count);
  const { first } = await proveConsistency(db, sealed, size, size);
  return loadEdge(db, { psp, size, tail }, first);
}

/** Roots of the sealed tree when it had these sizes. */
export const rootsAt = async (db: Database, sealed: Sealed, sizes: readonly number[]): Promise<Hash[]> =>
  (
    await hashesOf(
      db,
      sealed,
      sizes.map((to) => [{ from: 0, to }]),
    )
  ).map(([root]) => root as Hash);

async function hashesOf(db: Database, sealed: Sealed, paths: readonly (readonly Range[])[]): Promise<Hash[][]> {
  const hash = await loadNodes(db, sealed, paths.flat().flatMap(nodesOf));
  return paths.map((path) => path.map((range) => rootOf(sha256, nodesOf(range).map(hash))));
}

/** Proofs that the entries with these numbers are in the sealed tree. */
export const proveInclusion = (db: Database, sealed: Sealed, seqs: readonly number[]): Promise<Hash[][]> =>
  hashesOf(
    db,
    sealed,
    seqs.map((seq) => inclusionPath(seq - 1, sealed.size)),
  );

/**
 * Entries that are not in the sealed tree as they stand here. 32 neighbours that fill a tile are proved together, and
 * one by one if that fails.
 * @param entries of one PSP, in order, none after the sealed ones
 * @param root of the checkpoint over the tree
 */
export async function unproven(
  db: Database,
  sealed: Sealed,
  root: Hash,
  entries: readonly SealedEntry[],
  together = true,
): Promise<SealedEntry[]> {
  const isFull = (of: readonly SealedEntry[]) =>
    together && of.length === tileWidth && of.every((e, i) => (e.seq - 1) % tileWidth === i);
  const claims = [...Map.groupBy(entries, (e) => Math.floor((e.seq - 1) / tileWidth))].flatMap(([index, of]) => {
    const leaves = of.map((e) => entryHash(sha256, e));
    const size = Math.ceil(sealed.size / tileWidth);
    return isFull(of)
      ? [{ of, hash: completeRoot(sha256, leaves), index, size, skip: tileHeight }]
      : of.map((e, i) => ({ of: [e], hash: leaves[i] as Hash, index: e.seq - 1, size: sealed.size, skip: 0 }));
  });
  const proofs = await proveInclusion(
    db,
    sealed,
    claims.map((c) => (c.of[0] as SealedEntry).seq),
  );
  const bad = claims.flatMap(({ of, hash, index, size, skip }, i) =>
    verifyInclusion(sha256, hash, index, size, (proofs[i] as Hash[]).slice(skip), root) ? [] : of,
  );
  return together && bad.length > 1 ? unproven(db, sealed, root, bad, false) : bad;
}

/**
 * Roots at two sizes, and the proof that the second tree continues the first. @param sealed a tree of at least `to`
 * entries
 */
export async function proveConsistency(
  db: Database,
  sealed: Sealed,
  from: number,
  to: number,
): Promise<{ readonly proof: readonly Hash[]; readonly first: Hash; readonly second: Hash }> {
  const whole = (size: number): Range => ({ from: 0, to: size });
  const [proof, [first], [second]] = (await hashesOf(db, sealed, [
    consistencyPath(from, to),
    [whole(from)],
    [whole(to)],
  ])) as [Hash[], [Hash], [Hash]];
  return { proof, first, second };
}
