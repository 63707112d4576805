// The keys of the persons a call detail file tells about. A file meets the same persons again and again: those of the
// portions before are at hand, also the ones whose portion is being written at the moment.
import { setImmediate as breathe } from 'node:timers/promises';
import type { NewSubjectKey } from '../../../platform/committer.ts';
import type { Needs } from '../../kernel/needs.ts';
import type { SubjectKey } from '../../kernel/subjects.ts';

/** Most keys at hand. */
const limit = 20_000;
/** Keys opened between two turns of everybody else: a millisecond. */
const stretch = 100;

/** What must hold when rows sealed under the keys are committed. */
export interface Expected {
  readonly psp: string;
  /** No erasure since. */
  readonly epoch: number;
  /** New persons, stored with the rows. */
  readonly fresh: readonly NewSubjectKey[];
}

export class Persons {
  readonly #s: Needs<'db' | 'subjects'>;
  readonly #psp: string;
  readonly #known = new Map<string, SubjectKey>();
  #generation = 0;

  constructor(services: Needs<'db' | 'subjects'>, psp: string) {
    this.#s = services;
    this.#psp = psp;
  }

  /** Keys in the order of the subjects, 32 bytes each; what is to be expected of them is for the caller to commit. */
  async find(subjects: readonly string[]) {
    const generation = this.#generation;
    if (this.#known.size + subjects.length > limit) this.#known.clear();
    const unknown = subjects.filter((s) => !this.#known.has(s));
    for (let from = 0; from < unknown.length; from += stretch) {
      const ids = unknown.slice(from, from + stretch).map((subject) => ({ psp: this.#psp, subject }));
      for (const key of (await this.#s.subjects.load(this.#s.db, ids)).values()) this.#known.set(key.subject, key);
      await breathe();
    }
    const keys = new Uint8Array(subjects.length * 32);
    const used = subjects.map((s) => this.#known.get(s) as SubjectKey);
    for (const [i, { key }] of used.entries()) keys.set(key, i * 32);
    const expected: Expected = {
      psp: this.#psp,
      epoch: used.reduce((least, k) => Math.min(least, k.epoch), Number.MAX_SAFE_INTEGER),
      fresh: unknown.flatMap((s) => this.#known.get(s)?.fresh ?? []),
    };
    return {
      keys,
      generations: used.map((k) => k.generation),
      expected: used.length === 0 ? undefined : expected,
      isStale: () => this.#generation !== generation,
    };
  }

  /** Other keys stand, or somebody was erased. What was sealed under those at hand, here or ahead, is stale. */
  giveUp(): void {
    this.#known.clear();
    this.#generation++;
  }
}
