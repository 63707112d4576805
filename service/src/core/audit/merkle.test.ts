// The tree against RFC 9162: published vectors, the standard's own recursive definitions, and an independent library.
import { createHash } from 'node:crypto';
import { LogCheckpoint } from '@sigstore/verify/dist/tlog/checkpoint.js';
import { verifyMerkleInclusion } from '@sigstore/verify/dist/tlog/merkle.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifyConsistency } from '../../../test/support/consistency.ts';
import {
  consistencyPath,
  equal,
  type Hash,
  inclusionPath,
  leafHash,
  nodeHash,
  nodesOf,
  type Range,
  rootOf,
  verifyInclusion,
} from './merkle.ts';

const sha256 = (bytes: Uint8Array): Hash => new Uint8Array(createHash('sha256').update(bytes).digest());
const hex = (h: Uint8Array) => Buffer.from(h).toString('hex');
const bytes = (text: string) => Buffer.from(text, 'hex');

/** MTH(D[from:to]) as section 2.1.1 defines it. */
function mth(leaves: readonly Hash[], from = 0, to = leaves.length): Hash {
  const n = to - from;
  if (n === 0) return sha256(new Uint8Array());
  if (n === 1) return leaves[from] as Hash;
  const k = 2 ** Math.ceil(Math.log2(n) - 1);
  return nodeHash(sha256, mth(leaves, from, from + k), mth(leaves, from + k, to));
}

/** SUBPROOF(m, D[from:to], b) as section 2.1.4.1 defines it. */
function subproof(leaves: readonly Hash[], m: number, from: number, to: number, whole: boolean): Hash[] {
  const n = to - from;
  if (m === n) return whole ? [] : [mth(leaves, from, to)];
  const k = 2 ** Math.ceil(Math.log2(n) - 1);
  return m <= k
    ? [...subproof(leaves, m, from, from + k, whole), mth(leaves, from + k, to)]
    : [...subproof(leaves, m - k, from + k, to, false), mth(leaves, from, from + k)];
}

const hashes = (leaves: readonly Hash[], path: readonly Range[]) => path.map((r) => mth(leaves, r.from, r.to));
const leavesOf = (n: number) => Array.from({ length: n }, (_, i) => leafHash(sha256, Buffer.from(`leaf ${i}`)));
const many = leavesOf(130);

// Leaves and results shared by implementations of certificate transparency.
const published = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const publishedRoots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const publishedLeaves = published.map((l) => leafHash(sha256, bytes(l)));
const n96 = '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7';
const n5f = '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e';
const n6b = '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4';
const nbc = 'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b';
const nca = 'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0';
const nd3 = 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7';
const n0e = '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a';

describe('the published vectors', () => {
  it.each(publishedRoots.map((root, size) => [size, root] as const))('give the root of %i leaves', (size, root) => {
    const nodes = nodesOf({ from: 0, to: size });
    const complete = nodes.map((n) => mth(publishedLeaves, n.index * 2 ** n.level, (n.index + 1) * 2 ** n.level));
    expect(hex(rootOf(sha256, complete))).toBe(root);
  });

  it.each([
    [0, 8, [n96, n5f, n6b]],
    [5, 8, [nbc, nca, nd3]],
    [2, 3, [publishedRoots[2] as string]],
    [1, 5, [hex(publishedLeaves[0] as Hash), n5f, nbc]],
  ])('prove that leaf %i is in the tree of %i', (index, size, proof) => {
    expect(hashes(publishedLeaves, inclusionPath(index, size)).map(hex)).toEqual(proof);
    const root = bytes(publishedRoots[size] as string);
    expect(verifyInclusion(sha256, publishedLeaves[index] as Hash, index, size, proof.map(bytes), root)).toBe(true);
  });

  it.each([
    [1, 1, []],
    [1, 8, [n96, n5f, n6b]],
    [6, 8, [n0e, nca, nd3]],
    [2, 5, [n5f, nbc]],
  ])('prove that the tree of %i is how that of %i began', (first, second, proof) => {
    expect(hashes(publishedLeaves, consistencyPath(first, second)).map(hex)).toEqual(proof);
    const [a, b] = [bytes(publishedRoots[first] as string), bytes(publishedRoots[second] as string)];
    expect(verifyConsistency(sha256, first, second, proof.map(bytes), a, b)).toBe(true);
  });
});

describe('an inclusion proof', () => {
  it('holds for every leaf of every tree, here and for the independent library', () => {
    for (let size = 1; size <= 40; size++) {
      const tree = many.slice(0, size);
      const root = mth(tree);
      const checkpoint = new LogCheckpoint('log', BigInt(size), Buffer.from(root), []);
      for (let i = 0; i < size; i++) {
        const proof = hashes(tree, inclusionPath(i, size));
        expect(verifyInclusion(sha256, tree[i] as Hash, i, size, proof, root)).toBe(true);
        const entry = {
          canonicalizedBody: Buffer.from(`leaf ${i}`),
          inclusionProof: { logIndex: String(i), hashes: proof },
        };
        expect(() => verifyMerkleInclusion(entry as never, checkpoint)).not.toThrow();
      }
    }
  });

  it('fails with any other leaf, place, size, root, or with a proof that was changed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 130 }), fc.nat(), fc.nat(), (size, a, b) => {
        const tree = many.slice(0, size);
        const [i, other] = [a % size, (a + 1 + (b % (size - 1))) % size];
        const [leaf, wrong, root] = [tree[i] as Hash, tree[other] as Hash, mth(tree)];
        const proof = hashes(tree, inclusionPath(i, size));
        const check = (l: Hash, at: number, n: number, p: readonly Hash[], r: Hash) =>
          verifyInclusion(sha256, l, at, n, p, r);
        expect(check(wrong, i, size, proof, root)).toBe(false);
        expect(check(leaf, other, size, proof, root)).toBe(false);
        expect(check(leaf, i, size, proof, wrong)).toBe(false);
        expect(check(leaf, i, size, proof.slice(1), root)).toBe(false);
        expect(check(leaf, i, size, [...proof, wrong], root)).toBe(false);
        expect(
          check(leaf, i, size, proof.with(b % proof.length, wrong === proof[b % proof.length] ? root : wrong), root),
        ).toBe(false);
        expect([-1, size, 0.5, Number.NaN].map((at) => check(leaf, at, size, proof, root))).not.toContain(true);
      }),
    );
  });

  it('of another length leads nowhere, not even to the root that comes of it', () => {
    const x = many[50] as Hash;
    for (let size = 2; size <= 40; size++) {
      const tree = many.slice(0, size);
      const half = 2 ** Math.ceil(Math.log2(size) - 1);
      for (let i = 0; i < half; i++) {
        const proof = hashes(tree, inclusionPath(i, size));
        const leads = (p: readonly Hash[], to: Hash) => verifyInclusion(sha256, tree[i] as Hash, i, size, p, to);
        expect(leads(proof.slice(0, -1), mth(tree, 0, half))).toBe(false);
        expect(leads([...proof, x], nodeHash(sha256, x, mth(tree)))).toBe(false);
        expect(leads([...proof, x], nodeHash(sha256, mth(tree), x))).toBe(false);
      }
    }
  });

  it('of a tree beyond 32 bits has one hash per level', () => {
    const size = 2 ** 33 + 5;
    expect(inclusionPath(7, size)).toHaveLength(34);
    expect(inclusionPath(2 ** 33 + 4, size)).toEqual([
      { from: 2 ** 33, to: 2 ** 33 + 4 },
      { from: 0, to: 2 ** 33 },
    ]);
    expect(nodesOf({ from: 0, to: 8 })).toEqual([{ level: 3, index: 0 }]);
    expect(nodesOf({ from: 0, to: size })).toEqual([
      { level: 33, index: 0 },
      { level: 2, index: 2 ** 31 },
      { level: 0, index: 2 ** 33 + 4 },
    ]);
  });
});

describe('a consistency proof', () => {
  it('is the one of the standard and holds for every pair of sizes', () => {
    for (let second = 1; second <= 40; second++)
      for (let first = 1; first <= second; first++) {
        const proof = hashes(many, consistencyPath(first, second));
        expect(proof).toEqual(subproof(many, first, 0, second, true));
        const [a, b] = [mth(many, 0, first), mth(many, 0, second)];
        expect(verifyConsistency(sha256, first, second, proof, a, b)).toBe(true);
      }
  });

  it('fails where one leaf of the first tree was another, or anything of it was changed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 130 }), fc.nat(), fc.nat(), (second, a, b) => {
        const first = 1 + (a % (second - 1));
        const changed = many.with(b % first, sha256(Buffer.from('other')));
        const [before, after, root] = [mth(changed, 0, first), mth(many, 0, first), mth(many, 0, second)];
        const proof = hashes(many, consistencyPath(first, second));
        const check = (m: number, p: readonly Hash[], r: Hash) => verifyConsistency(sha256, m, second, p, r, root);
        expect(check(first, proof, before)).toBe(false);
        expect(check(first, proof.slice(1), after)).toBe(false);
        expect(check(first, [...proof, before], after)).toBe(false);
        expect(check(first, proof.with(b % proof.length, before), after)).toBe(false);
        expect([0, second, second + 1].map((m) => check(m, proof, after))).not.toContain(true);
      }),
    );
  });

  it('of another length leads nowhere, not even to the roots that come of it', () => {
    const [x, three, four] = [many[50] as Hash, mth(many, 0, 3), mth(many, 0, 4)];
    const [c, d, ...rest] = hashes(many, consistencyPath(3, 4)) as [Hash, Hash, ...Hash[]];
    const leads = (p: readonly Hash[], a: Hash, b: Hash) => verifyConsistency(sha256, 3, 4, p, a, b);
    expect(leads([c, d, ...rest], three, four)).toBe(true);
    expect(leads([c, d, ...rest, x], nodeHash(sha256, x, three), nodeHash(sha256, x, four))).toBe(false);
    expect(leads([c, d], c, nodeHash(sha256, c, d))).toBe(false);
    expect(leads([], three, four)).toBe(false);
  });

  it('of one size is empty, and both roots are the same', () => {
    const [a, b] = [mth(many, 0, 5), mth(many, 0, 6)];
    const same = (p: readonly Hash[], first: Hash, second: Hash) => verifyConsistency(sha256, 5, 5, p, first, second);
    expect(same([], a, a)).toBe(true);
    expect(same([], a, b)).toBe(false);
    expect(same([b], a, a)).toBe(false);
    // A prefix of a root is not the root.
    expect(same([], a, a.slice(0, 8))).toBe(false);
    expect(equal(a.slice(0, 8), a)).toBe(false);
  });

  it('is of whole sizes, the first at least one and not the greater', () => {
    const [a, x] = [mth(many, 0, 1), many[50] as Hash];
    const check = (first: number, second: number, p: readonly Hash[], b: Hash) =>
      verifyConsistency(sha256, first, second, p, a, b);
    expect(check(1, 1, [], a)).toBe(true);
    expect(check(2, 1, [], a)).toBe(false);
    expect(check(0, 0, [], a)).toBe(false);
    expect(check(-1, -1, [], a)).toBe(false);
    expect(check(1.5, 1.5, [], a)).toBe(false);
    expect(check(1, 1.5, [x], nodeHash(sha256, a, x))).toBe(false);
    expect(check(2 ** 53, 2 ** 53, [], a)).toBe(false);
  });
});
