// The keys of the persons in a call detail file. The same persons occur in many portions, so keys are cached, including
// those of a portion that is still being written.
import { setImmediate as breathe } from 'node:timers/promises';
import type { PspId } from '../../../core/ids.ts';
import type { NewSubjectKey } from '../../../platform/committer.ts';
import type { Database } from '../../../platform/database.ts';
import type { SealingKey, SubjectKey, SubjectKeys } from '../../kernel/subjects.ts';
import type { PersonsSeen } from './outcome.ts';

/** Most keys in the cache, a few hundred bytes each. */
const limit = 40_000;
/** Keys searched before the event loop gets a turn: some milliseconds if all of them are new. */
const stretch = 250;

/** What must hold when rows sealed under the keys are committed. */
export interface Expected {
  readonly psp: PspId;
  /** The erasure epoch that the keys were read in; no person may have been erased since. */
  readonly epoch: number;
  /** New persons and numbers, stored with the rows. */
  readonly fresh: readonly NewSubjectKey[];
}

type CachedKey = SealingKey & Pick<SubjectKey, 'epoch'>;

/** A new key. The row to store is in the portion in which the person occurs first. */
const forSealing = ({ psp, subject, key, generation, epoch }: SubjectKey): CachedKey => ({
  psp,
  subject,
  key,
  generation,
  epoch,
});

export class Persons {
  readonly #db: Database;
  readonly #subjects: SubjectKeys;
  readonly #psp: PspId;
  readonly #known = new Map<string, CachedKey>();
  #generation = 0;

  constructor(db: Database, subjects: SubjectKeys, psp: PspId) {
    this.#db = db;
    this.#subjects = subjects;
    this.#psp = psp;
  }

  /** Returns keys in the order of the persons, 32 bytes each; the caller commits `expected` with the rows. */
  async find({ subjects, numbers, seals }: PersonsSeen) {
    const generation = this.#generation;
    const all = subjects.map((_, i) => i);
    let unknown = all.filter((i) => !this.#known.has(subjects[i] as string));
    if (this.#known.size + unknown.length > limit) {
      this.#known.clear();
      unknown = all;
    }
    const fresh: NewSubjectKey[] = [];
    for (let from = 0; from < unknown.length; from += stretch) {
      const ids = unknown
        .slice(from, from + stretch)
        .map((i) => ({ psp: this.#psp, subject: subjects[i] as string, number: numbers[i] }));
      for (const key of (await this.#subjects.load(this.#db, ids)).values()) {
        const toStore = key.fresh ?? key.numbered;
        if (toStore) fresh.push(toStore);
        this.#known.set(key.subject, key.fresh ? forSealing(key) : key);
      }
      await breathe();
    }
    const keys = new Uint8Array(subjects.length * 32);
    const used = subjects.map((subject) => this.#known.get(subject) as CachedKey);
    for (const [i, key] of used.entries()) if (seals[i]) keys.set(key.key, i * 32);
    const expected: Expected = {
      psp: this.#psp,
      epoch: used.reduce((least, k) => Math.min(least, k.epoch), Number.MAX_SAFE_INTEGER),
      fresh,
    };
    return {
      keys,
      generations: used.map((k) => k.generation),
      expected: used.length === 0 ? undefined : expected,
      isStale: () => this.#generation !== generation,
    };
  }

  /** Clears the cache after a key conflict or an erasure. Everything sealed under its keys is then stale. */
  clear(): void {
    this.#known.clear();
    this.#generation++;
  }
}
