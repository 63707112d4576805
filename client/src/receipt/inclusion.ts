// Inclusion proofs of RFC 9162, section 2.1.3.2: checks that a leaf is at its index in a tree with a given root.
import { type Bytes, equal, join, sha256 } from '../bytes.ts';

export const leafHash = (leaf: Bytes): Promise<Bytes> => sha256(join(Uint8Array.of(0), leaf));

const nodeHash = (left: Bytes, right: Bytes): Promise<Bytes> => sha256(join(Uint8Array.of(1), left, right));

// Sizes exceed 2 ** 32, the range of JavaScript's bit operators.
const half = (n: number) => Math.floor(n / 2);
const odd = (n: number) => n % 2 === 1;

export async function isIncluded(
  leaf: Bytes,
  index: number,
  size: number,
  proof: readonly Bytes[],
  root: Bytes,
): Promise<boolean> {
  let [at, last, hash] = [index, size - 1, leaf];
  for (const p of proof) {
    if (last === 0) return false;
    if (odd(at) || at === last) {
      hash = await nodeHash(p, hash);
      while (!odd(at) && at !== 0) [at, last] = [half(at), half(last)];
    } else hash = await nodeHash(hash, p);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && equal(hash, root);
}
