// The lists of each keyed hash of a wallet, number or person, as records of a PSP have it. Worked out before decisions ask:
// for all PSPs in memory when a list changes, and for those whose rules decline. Leaves the thread to others meanwhile.
import { scheduler } from 'node:timers/promises';
import type { PspId } from '../../core/ids.ts';
import type { ListedKind } from '../../core/risk/lists.ts';
import type { SubjectKeys } from '../kernel/subjects.ts';
import { plainForm } from '../search/index.ts';

/** PSPs for which keyed hashes are in memory at a time. */
const mostPsps = 200;
/** Hashes worked out without leaving the thread to others: about a millisecond. */
const step = 200;

/** What is listed, by keys of the form `kind|value`. */
export interface ListedKeys {
  keys(): Iterable<string>;
  /** The lists that a PSP has a key in. */
  namesOf(psp: PspId, kind: ListedKind, value: string): readonly string[];
}

type Hashes = Map<string, readonly string[]>;

const hashedKinds = new Set<string>(['wallet', 'msisdn', 'person'] satisfies ListedKind[]);
const isHashed = (kind: string): kind is ListedKind => hashedKinds.has(kind);

export class KeyHashes {
  readonly #subjects: SubjectKeys;
  readonly #listed: ListedKeys;
  /** In the order of their last use. */
  readonly #of = new Map<PspId, Hashes>();

  constructor(subjects: SubjectKeys, listed: ListedKeys) {
    this.#subjects = subjects;
    this.#listed = listed;
  }

  /** The lists that the value behind a keyed hash is in; for a PSP that nobody has asked about, all are worked out at once. */
  find(psp: PspId, kind: ListedKind, hash: string): readonly string[] {
    let hashes = this.#of.get(psp);
    if (hashes) this.#of.delete(psp);
    else {
      hashes = new Map();
      for (const key of this.#listed.keys()) this.#put(hashes, psp, key);
    }
    this.#keep(psp, hashes);
    return hashes.get(`${kind}|${hash}`) ?? [];
  }

  /** Works out what changed, for every PSP in memory; one call of this or `ahead` at a time. @param keys of entries that were put in, changed or removed */
  async takeOver(keys: readonly string[]): Promise<void> {
    let done = 0;
    for (const [psp, hashes] of [...this.#of])
      for (const key of keys) {
        this.#put(hashes, psp, key);
        if (++done % step === 0) await scheduler.yield();
      }
  }

  /** Works out the hashes of these PSPs, where they are not in memory. */
  async ahead(psps: Iterable<PspId>): Promise<void> {
    let done = 0;
    for (const psp of psps) {
      if (this.#of.has(psp)) continue;
      if (this.#of.size >= mostPsps) return;
      const hashes: Hashes = new Map();
      for (const key of [...this.#listed.keys()]) {
        this.#put(hashes, psp, key);
        if (++done % step === 0) await scheduler.yield();
      }
      this.#keep(psp, hashes);
    }
  }

  #put(hashes: Hashes, psp: PspId, key: string): void {
    const kind = key.slice(0, key.indexOf('|'));
    if (!isHashed(kind)) return;
    const value = key.slice(kind.length + 1);
    const names = this.#listed.namesOf(psp, kind, value);
    const plain = kind === 'msisdn' ? plainForm(kind, `+${value}`) : value;
    if (plain === undefined) return;
    const hash = `${kind}|${this.#subjects.identify(psp, plain).subject}`;
    if (names.length > 0) hashes.set(hash, names);
    else hashes.delete(hash);
  }

  #keep(psp: PspId, hashes: Hashes): void {
    this.#of.set(psp, hashes);
    if (this.#of.size <= mostPsps) return;
    const [longest] = this.#of.keys();
    if (longest !== undefined) this.#of.delete(longest);
  }
}
