// A growing tree as stored: tiles of 32 neighbouring hashes, written once full and never changed, and its right edge,
// where leaves are added. Pure: no I/O here.
import { type Hash, type Node, nodeHash, rootOf, type Sha256 } from './merkle.ts';

/** Levels of the tree in one tile. */
export const tileHeight = 5;
/** Hashes in a tile's lowest level. */
export const tileWidth = 2 ** tileHeight;
const hashBytes = 32;

/** A full tile. Level 0 holds leaf hashes; each level above holds the roots of the tiles below. */
export interface Tile {
  readonly level: number;
  readonly index: number;
  /** 32 hashes of 32 bytes, in order. */
  readonly hashes: Uint8Array;
  /** Root of the complete subtree above the hashes. */
  readonly root: Hash;
}

/** Copies each hash, so that keeping a few does not keep the whole buffer in memory. */
export const hashesIn = (bytes: Uint8Array): Hash[] =>
  Array.from(
    { length: bytes.length / hashBytes },
    (_, i) => new Uint8Array(bytes.subarray(i * hashBytes, (i + 1) * hashBytes)),
  );

export function joined(hashes: readonly Hash[]): Uint8Array {
  const bytes = new Uint8Array(hashes.length * hashBytes);
  for (const [i, h] of hashes.entries()) bytes.set(h, i * hashBytes);
  return bytes;
}

/** Root of a complete subtree from its lowest hashes, whose count is a power of two. */
export function completeRoot(sha256: Sha256, hashes: readonly Hash[]): Hash {
  let level = hashes;
  while (level.length > 1)
    level = Array.from({ length: level.length / 2 }, (_, i) =>
      nodeHash(sha256, level[2 * i] as Hash, level[2 * i + 1] as Hash),
    );
  return level[0] as Hash;
}

/** Number of hashes in a level of tiles, in full tiles and the unfinished one together. */
export const hashesAt = (level: number, size: number): number => Math.floor(size / tileWidth ** level);

/** Where the unfinished tile of a level begins and how many hashes it holds. */
export function unfinished(level: number, size: number): { readonly from: number; readonly count: number } {
  const all = hashesAt(level, size);
  return { from: all - (all % tileWidth), count: all % tileWidth };
}

/** Where the stored form of a tree of this size has a node's hash. */
export type Source =
  | {
      readonly from: 'tile';
      readonly level: number;
      readonly tile: number;
      readonly at: number;
      readonly count: number;
    }
  | { readonly from: 'roots'; readonly level: number; readonly tile: number; readonly count: number }
  | { readonly from: 'tail'; readonly at: number; readonly count: number };

export function sourceOf(node: Node, size: number): Source {
  const level = Math.floor(node.level / tileHeight);
  const count = 2 ** (node.level % tileHeight);
  const first = node.index * count;
  const tile = Math.floor(first / tileWidth);
  const at = first % tileWidth;
  if ((tile + 1) * tileWidth <= hashesAt(level, size)) return { from: 'tile', level, tile, at, count };
  return level === 0 ? { from: 'tail', at, count } : { from: 'roots', level: level - 1, tile: first, count };
}

/** The right edge of a growing tree: the unfinished tile of each level. */
export class Edge {
  readonly #sha256: Sha256;
  readonly #levels: Hash[][];
  #size: number;
  #filled: Tile[] = [];

  /** @param levels hashes of the unfinished tile of each level, lowest first */
  constructor(sha256: Sha256, size = 0, levels: readonly (readonly Hash[])[] = []) {
    for (const [i, l] of levels.entries())
      if (l.length !== unfinished(i, size).count) throw new Error(`level ${i} does not fit a tree of ${size} leaves`);
    this.#sha256 = sha256;
    this.#size = size;
    this.#levels = levels.map((l) => [...l]);
  }

  get size(): number {
    return this.#size;
  }

  /** Number of hashes it holds. */
  get hashes(): number {
    return this.#levels.reduce((sum, l) => sum + l.length, 0);
  }

  /** Hashes of the leaves not in a full tile yet. */
  get tail(): readonly Hash[] {
    return this.#levels[0] ?? [];
  }

  append(leaf: Hash): void {
    this.#size++;
    this.#add(0, leaf);
  }

  /** Returns and clears the tiles filled since the last call. */
  takeFilled(): Tile[] {
    const filled = this.#filled;
    this.#filled = [];
    return filled;
  }

  root(): Hash {
    const complete: Hash[] = [];
    for (const hashes of this.#levels) {
      let end = hashes.length;
      for (let count = 1; count < tileWidth; count *= 2)
        if (end % (2 * count) !== 0) {
          complete.unshift(completeRoot(this.#sha256, hashes.slice(end - count, end)));
          end -= count;
        }
    }
    return rootOf(this.#sha256, complete);
  }

  #add(level: number, hash: Hash): void {
    let hashes = this.#levels[level];
    if (!hashes) this.#levels.push((hashes = []));
    hashes.push(hash);
    if (hashes.length < tileWidth) return;
    const root = completeRoot(this.#sha256, hashes);
    const index = Math.floor((this.#size - 1) / tileWidth ** (level + 1));
    this.#filled.push({ level, index, hashes: joined(hashes), root });
    this.#levels[level] = [];
    this.#add(level + 1, root);
  }
}
