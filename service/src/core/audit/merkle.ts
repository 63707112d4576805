// The Merkle tree of RFC 9162 (and RFC 6962): hashes of leaves and nodes, the parts of a proof, and the checking of
// proofs. The hash function is a parameter, so that the same code runs on Node and in a browser.

export type Hash = Uint8Array;
export type Sha256 = (bytes: Uint8Array) => Hash;

/** A complete subtree of `2 ** level` leaves, with `index` such subtrees to its left. */
export interface Node {
  readonly level: number;
  readonly index: number;
}

/** Leaves `from` up to, not including, `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export function leafHash(sha256: Sha256, leaf: Uint8Array): Hash {
  const bytes = new Uint8Array(1 + leaf.length);
  bytes.set(leaf, 1);
  return sha256(bytes);
}

export function nodeHash(sha256: Sha256, left: Hash, right: Hash): Hash {
  const bytes = new Uint8Array(1 + left.length + right.length);
  bytes[0] = 1;
  bytes.set(left, 1);
  bytes.set(right, 1 + left.length);
  return sha256(bytes);
}

export const equal = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((v, i) => v === b[i]);

// Sizes exceed 2 ** 32, the range of JavaScript's bit operators.
const half = (n: number) => Math.floor(n / 2);
const odd = (n: number) => n % 2 === 1;

/** The largest power of two below `n`: where the standard splits a tree of `n` leaves. */
function splitOf(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

/** Parts of an inclusion proof: the range each hash covers, from the leaf upwards. */
export function inclusionPath(index: number, size: number): Range[] {
  const path: Range[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const middle = from + splitOf(to - from);
    path.push(index < middle ? { from: middle, to } : { from, to: middle });
    if (index < middle) to = middle;
    else from = middle;
  }
  return path.reverse();
}

/** Parts of a consistency proof. @param first from 1 up to `second` */
export function consistencyPath(first: number, second: number): Range[] {
  const path: Range[] = [];
  let [from, to] = [0, second];
  while (to !== first) {
    const middle = from + splitOf(to - from);
    path.push(first <= middle ? { from: middle, to } : { from, to: middle });
    if (first <= middle) to = middle;
    else from = middle;
  }
  // A proof omits the first tree itself, since the verifier knows its root.
  if (from > 0) path.push({ from, to });
  return path.reverse();
}

/** The complete subtrees of a range or of a whole tree, from left to right. */
export function nodesOf({ from, to }: Range): Node[] {
  const nodes: Node[] = [];
  let at = from;
  while (at < to) {
    let [level, leaves] = [0, 1];
    while (leaves * 2 <= to - at) {
      leaves *= 2;
      level++;
    }
    nodes.push({ level, index: at / leaves });
    at += leaves;
  }
  return nodes;
}

/** Hash of a range from those of its complete subtrees; without leaves, the hash of the empty string. */
export function rootOf(sha256: Sha256, hashes: readonly Hash[]): Hash {
  let root: Hash | undefined;
  for (const h of hashes.toReversed()) root = root === undefined ? h : nodeHash(sha256, h, root);
  return root ?? sha256(new Uint8Array());
}

/** Whether a leaf is at `index` of the tree with this size and root. */
export function verifyInclusion(
  sha256: Sha256,
  leaf: Hash,
  index: number,
  size: number,
  proof: readonly Hash[],
  root: Hash,
): boolean {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) return false;
  let [at, last, hash] = [index, size - 1, leaf];
  for (const p of proof) {
    if (last === 0) return false;
    if (odd(at) || at === last) {
      hash = nodeHash(sha256, p, hash);
      while (!odd(at) && at !== 0) [at, last] = [half(at), half(last)];
    } else hash = nodeHash(sha256, hash, p);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && equal(hash, root);
}
