// A growing tree as it is stored: tiles of 32 neighbouring hashes, written once they are full and never changed,
// and its right edge, which the next leaves are added to. Pure; nothing is read or written here.
import { type Hash, type Node, nodeHash, rootOf, type Sha256 } from './merkle.ts';

/** A tile spans this many levels of the tree … */
export const tileHeight = 5;
/** … and holds this many hashes of its lowest one. */
export const tileWidth = 2 ** tileHeight;
const hashBytes = 32;

/** A full tile. Level 0 holds hashes of leaves; each level above holds the roots of the tiles below. */
export interface Tile {
  readonly level: number;
  readonly index: number;
  /** 32 hashes of 32 bytes, in order. */
  readonly hashes: Uint8Array;
  /** Of the complete subtree over them. */
  readonly root: Hash;
}

/** Each in memory of its own: a few are kept for long, and are not to keep all of them. */
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

/** Root of a complete subtree from its lowest hashes, whose number is a power of two. */
export function completeRoot(sha256: Sha256, hashes: readonly Hash[]): Hash {
  let level = hashes;
  while (level.length > 1)
    level = Array.from({ length: level.length / 2 }, (_, i) =>
      nodeHash(sha256, level[2 * i] as Hash, level[2 * i + 1] as Hash),
    );
  return level[0] as Hash;
}

/** How many hashes a level of tiles has, full tiles and unfinished one together. */
export const hashesAt = (level: number, size: number): number => Math.floor(size / tileWidth ** level);

/** Where the unfinished tile of a level begins and how many hashes it has. */
export function unfinished(level: number, size: number): { readonly from: number; readonly count: number } {
  const all = hashesAt(level, size);
  return { from: all - (all % tileWidth), count: all % tileWidth };
}

/** Where a node's hash comes from in the stored form of a tree of this size. */
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

  /** @param levels hashes of the unfinished tile of each level, the lowest first */
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

  /** Hashes of the leaves that no full tile holds. */
  get tail(): readonly Hash[] {
    return this.#levels[0] ?? [];
  }

  append(leaf: Hash): void {
    this.#size++;
    this.#add(0, leaf);
  }

  /** The tiles that were filled since this was last asked. */
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
