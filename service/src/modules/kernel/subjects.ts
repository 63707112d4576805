// Personal data and its keys. Each person (of one PSP) has a data key; what is personal is sealed under it
// wherever it is kept. Destroying the key erases the person and changes no hash.
import { exactJson, parseJson } from '../../core/json.ts';
import { type FactLoader, type Facts, type Need, need } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { randomSecret } from '../../platform/random.ts';
import { openWith, sealWith, type Vault } from '../../platform/sealed-secrets.ts';

export interface SubjectId {
  readonly psp: string;
  /** Keyed hash of what identifies the person: e-mail, MSISDN, account id. */
  readonly subject: string;
}

export interface SubjectKey extends SubjectId {
  /** Undefined once destroyed. */
  readonly key: Buffer | undefined;
  /** Set until the first commit that stores it. */
  readonly fresh?: { keySealed: string; createdAt: string };
}

const place = (id: SubjectId) => `subject_keys/${id.psp}/${id.subject}`;

/** Finds a person's key, or makes one that the commit will store. */
export class SubjectKeys implements FactLoader<SubjectId, SubjectKey> {
  readonly name = 'subject';
  readonly #vault: Vault;
  readonly #clock: () => number;
  readonly #known = new Map<string, SubjectKey>();

  constructor(vault: Vault, clock: () => number) {
    this.#vault = vault;
    this.#clock = clock;
  }

  text(id: SubjectId): string {
    return `${id.psp}|${id.subject}`;
  }

  /** The subject's id for an identifying value; the same value gives the same person. */
  identify(psp: string, value: string): SubjectId {
    return { psp, subject: this.#vault.blind(`${psp}|${value.normalize('NFC').trim().toLowerCase()}`) };
  }

  peek(id: SubjectId): SubjectKey | undefined {
    return this.#known.get(this.text(id));
  }

  forget(id: SubjectId): void {
    this.#known.delete(this.text(id));
  }

  async load(db: Database, ids: readonly SubjectId[]): Promise<Map<string, SubjectKey>> {
    const rows = await db.query(
      `SELECT s.psp_id, s.subject, s.key_sealed FROM subject_keys s
       JOIN unnest($1::uuid[], $2::text[]) AS k(p, t) ON s.psp_id = k.p AND s.subject = k.t`,
      [ids.map((i) => i.psp), ids.map((i) => i.subject)],
    );
    const out = new Map<string, SubjectKey>();
    if (this.#known.size > 100_000) this.#known.clear();
    for (const r of rows) {
      const id = { psp: r.psp_id as string, subject: r.subject as string };
      const sealed = r.key_sealed as string | null;
      const found: SubjectKey = {
        ...id,
        key: sealed === null ? undefined : Buffer.from(this.#vault.open(sealed, place(id)), 'base64'),
      };
      out.set(this.text(id), found);
      this.#known.set(this.text(id), found);
    }
    for (const id of ids) if (!out.has(this.text(id))) out.set(this.text(id), this.make(id));
    return out;
  }

  /** A new key, not yet stored. */
  make(id: SubjectId): SubjectKey {
    const key = randomSecret(32);
    return {
      ...id,
      key,
      fresh: {
        keySealed: this.#vault.seal(key.toString('base64'), place(id)),
        createdAt: new Date(this.#clock()).toISOString(),
      },
    };
  }
}

/** The person a command writes about. */
export const subjectNeed = (keys: SubjectKeys, id: SubjectId): Need<SubjectKey> => need(keys, id);

/** Personal data as stored and journalled. An erased person's new data is sealed under no key: it is dropped. */
export function sealPersonal(key: SubjectKey, data: unknown): string | null {
  return key.key ? sealWith(key.key, exactJson(data), `${key.psp}|${key.subject}`) : null;
}

/** Opens what sealPersonal sealed, its numbers exact; undefined when the person was erased. */
export function openPersonal(key: SubjectKey | undefined, sealed: string | null): unknown {
  if (!key?.key || sealed === null) return undefined;
  return parseJson(openWith(key.key, sealed, `${key.psp}|${key.subject}`));
}

/** The expectation that a new key is stored with the commit. */
export const expectSubject = (facts: Facts, n: Need<SubjectKey>) => {
  const k = facts(n);
  return k?.fresh ? [{ psp: k.psp, subject: k.subject, ...k.fresh }] : [];
};
