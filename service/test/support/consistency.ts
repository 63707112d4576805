// The check of a consistency proof as RFC 9162, section 2.1.4.2, describes it, for tests: whoever holds checkpoints checks
// the proofs between them; the service only gives these.
import { equal, type Hash, nodeHash, type Sha256 } from '../../src/core/audit/merkle.ts';

const half = (n: number) => Math.floor(n / 2);
const odd = (n: number) => n % 2 === 1;

/** Whether the tree of size `first` is a prefix of the tree of size `second`. */
export function verifyConsistency(
  sha256: Sha256,
  first: number,
  second: number,
  proof: readonly Hash[],
  firstRoot: Hash,
  secondRoot: Hash,
): boolean {
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(second) || first < 1 || first > second) return false;
  if (first === second) return proof.length === 0 && equal(firstRoot, secondRoot);
  let [at, last] = [first - 1, second - 1];
  while (odd(at)) [at, last] = [half(at), half(last)];
  // A complete first tree is itself the start of the proof.
  const [start, ...rest] = at === 0 ? [firstRoot, ...proof] : proof;
  if (start === undefined) return false;
  let [one, two] = [start, start];
  for (const p of rest) {
    if (last === 0) return false;
    if (odd(at) || at === last) {
      one = nodeHash(sha256, p, one);
      two = nodeHash(sha256, p, two);
      while (!odd(at) && at !== 0) [at, last] = [half(at), half(last)];
    } else two = nodeHash(sha256, two, p);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && equal(one, firstRoot) && equal(two, secondRoot);
}
