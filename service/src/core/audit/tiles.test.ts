// The stored form of a growing tree must give the same hashes as the whole list of leaves.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Hash, leafHash, type Node, nodeHash, nodesOf, rootOf } from './merkle.ts';
import { completeRoot, Edge, hashesAt, hashesIn, joined, sourceOf, type Tile, unfinished } from './tiles.ts';

const sha256 = (bytes: Uint8Array): Hash => new Uint8Array(createHash('sha256').update(bytes).digest());
const leaves = Array.from({ length: 2200 }, (_, i) => leafHash(sha256, Buffer.from(`leaf ${i}`)));

/** Hash of a complete subtree, computed from the leaves. */
function subtree({ level, index }: Node): Hash {
  return level === 0
    ? (leaves[index] as Hash)
    : nodeHash(
        sha256,
        subtree({ level: level - 1, index: 2 * index }),
        subtree({ level: level - 1, index: 2 * index + 1 }),
      );
}
const rootAt = (size: number) => rootOf(sha256, nodesOf({ from: 0, to: size }).map(subtree));

function grown(size: number) {
  const edge = new Edge(sha256);
  for (const l of leaves.slice(0, size)) edge.append(l);
  const stored = new Map(edge.takeFilled().map((t: Tile) => [`${t.level}/${t.index}`, t] as const));
  const tile = (level: number, index: number) => stored.get(`${level}/${index}`) as Tile;
  return { edge, stored, tile };
}

describe('the edge of a growing tree', () => {
  it('has the root of all its leaves at every size', () => {
    const edge = new Edge(sha256);
    for (const [i, l] of leaves.entries()) {
      edge.append(l);
      if (i < 1100 || i % 97 === 0) expect(edge.root()).toEqual(rootAt(i + 1));
    }
    expect(edge.size).toBe(leaves.length);
    expect(new Edge(sha256).root()).toEqual(sha256(new Uint8Array()));
  });

  it('fills each tile once, with its own hashes and root', () => {
    const { stored } = grown(2200);
    expect([...stored.keys()].filter((k) => k.startsWith('0/'))).toHaveLength(68);
    expect([...stored.keys()].filter((k) => !k.startsWith('0/'))).toEqual(['1/0', '1/1']);
    for (const t of stored.values()) {
      expect(t.root).toEqual(subtree({ level: 5 * (t.level + 1), index: t.index }));
      expect(hashesIn(t.hashes)[7]).toEqual(subtree({ level: 5 * t.level, index: 32 * t.index + 7 }));
    }
  });

  it('hands a filled tile over once', () => {
    const edge = new Edge(sha256);
    for (const l of leaves.slice(0, 70)) edge.append(l);
    expect(edge.takeFilled().map((t) => [t.level, t.index])).toEqual([
      [0, 0],
      [0, 1],
    ]);
    expect(edge.takeFilled()).toEqual([]);
  });

  it('goes on from what is stored as if it had never stopped', () => {
    fc.assert(
      fc.property(fc.nat(1500), fc.integer({ min: 1, max: 600 }), (size, more) => {
        const { edge, tile } = grown(size);
        const levels = [[...edge.tail]];
        for (let level = 1; hashesAt(level, size) > 0; level++) {
          const { from, count } = unfinished(level, size);
          levels.push(Array.from({ length: count }, (_, i) => tile(level - 1, from + i).root));
        }
        const again = new Edge(sha256, size, levels);
        expect(again.root()).toEqual(edge.root());
        for (const l of leaves.slice(size, size + more)) again.append(l);
        expect(again.root()).toEqual(rootAt(size + more));
      }),
      { numRuns: 40 },
    );
  });

  it('refuses levels that cannot be those of its size', () => {
    expect(() => new Edge(sha256, 33, [[leaves[0] as Hash], []])).toThrow('level 1 does not fit');
  });
});

describe('the source of a node', () => {
  it('leads to its hash, whether its tile is full or not', () => {
    for (const size of [1, 31, 32, 33, 63, 1024, 1025, 2200]) {
      const { edge, tile } = grown(size);
      for (let level = 0; 2 ** level <= size; level++)
        for (let index = 0; (index + 1) * 2 ** level <= size; index++) {
          const s = sourceOf({ level, index }, size);
          const found =
            s.from === 'tile'
              ? hashesIn(tile(s.level, s.tile).hashes).slice(s.at, s.at + s.count)
              : s.from === 'tail'
                ? edge.tail.slice(s.at, s.at + s.count)
                : Array.from({ length: s.count }, (_, i) => tile(s.level, s.tile + i).root);
          expect(completeRoot(sha256, found)).toEqual(subtree({ level, index }));
        }
    }
  });

  it('keeps bytes and hashes as they are', () => {
    expect(hashesIn(joined(leaves.slice(0, 9)))).toEqual(leaves.slice(0, 9));
    // Keeping one hash does not keep the others in memory.
    expect(hashesIn(joined(leaves.slice(0, 9)))[4]?.buffer.byteLength).toBe(32);
  });
});
