// Personal data and its keys. Each person (of one PSP) has a data key; personal data is sealed under it wherever it is
// stored. Destroying the key erases the person and changes no hash; later data of the person gets a key of the next
// generation.
import type { PspId } from '../../core/ids.ts';
import { exactJson, parseJson } from '../../core/json.ts';
import { type FactLoader, type Facts, type Need, type NewSubjectKey, need } from '../../platform/command.ts';
import type { Database } from '../../platform/database.ts';
import { ofOnly, onlyPsp } from '../../platform/each-psp.ts';
import { Kept } from '../../platform/kept.ts';
import { ownBytes } from '../../platform/own-bytes.ts';
import { randomSecret } from '../../platform/random.ts';
import { openWith, sealWith, type Vault } from '../../platform/sealed-secrets.ts';

export interface SubjectId {
  readonly psp: PspId;
  /** Keyed hash of what identifies the person: e-mail or MSISDN; `account:<id>` for an account's contact. */
  readonly subject: string;
  /** The person's telephone number, where it is to be stored with the key. */
  readonly number?: string | undefined;
}

export interface SealingKey extends SubjectId {
  readonly key: Uint8Array;
  /** Number of earlier erasures of the person. */
  readonly generation: number;
}

export interface SubjectKey extends SealingKey {
  /** The PSP's number of erasures when the key was read: the key may seal until the next one. */
  readonly epoch: number;
  /** Set until the first commit has stored it. */
  readonly fresh?: NewSubjectKey;
  /** The telephone number that is stored with it, if one is. */
  readonly number?: string | undefined;
  /** Of a stored key that lacks the number it was asked for with: the same with it. */
  readonly numbered?: NewSubjectKey | undefined;
}

/** Shown in place of an erased person's data. */
export const erased = 'erased';

const place = (id: SubjectId, generation: number) =>
  `subject_keys/${id.psp}/${id.subject}${generation === 0 ? '' : `/${generation}`}`;

/** Where a key's number belongs. */
const numberPlace = (id: SubjectId) => `subject_keys/${id.subject}`;

/** A key as it is stored; opened when it is used, since most persons of a call detail file need only be there. */
class StoredKey implements SubjectKey {
  readonly psp: PspId;
  readonly subject: string;
  readonly generation: number;
  readonly epoch: number;
  readonly numbered?: NewSubjectKey | undefined;
  readonly #vault: Vault;
  readonly #sealed: string;
  readonly #numberSealed: string | null;
  #key: Uint8Array | undefined;

  constructor(vault: Vault, k: StoredSubject & { readonly sealed: string }, number: string | undefined) {
    this.psp = k.psp;
    this.subject = k.subject;
    this.generation = k.generation;
    this.epoch = k.epoch;
    this.#vault = vault;
    this.#sealed = k.sealed;
    this.#numberSealed = k.numberSealed;
    if (number !== undefined && k.numberSealed === null)
      this.numbered = {
        ...{ psp: k.psp, subject: k.subject, keySealed: k.sealed, generation: k.generation },
        createdAt: k.createdAt as string,
        numberSealed: sealPersonal(this, number, numberPlace(k)),
      };
  }

  get key(): Uint8Array {
    this.#key ??= ownBytes(Buffer.from(this.#vault.open(this.#sealed, place(this, this.generation)), 'base64'));
    return this.#key;
  }

  get number(): string | undefined {
    if (this.#numberSealed === null) return undefined;
    return openPersonal(this, this.#numberSealed, numberPlace(this)) as string | undefined;
  }

  get hasNumber(): boolean {
    return this.#numberSealed !== null;
  }
}

/** A person's row, or that there is none. */
interface StoredSubject extends SubjectId {
  readonly sealed: string | null;
  readonly numberSealed: string | null;
  readonly createdAt: string | null;
  readonly generation: number;
  readonly epoch: number;
}

/** Some 10,000 keys; one that was dropped is read again by index. */
const mostBytes = 8 * 2 ** 20;
const bytesOfKey = 800;

/** Finds a person's key, or creates one for the commit to store. */
export class SubjectKeys implements FactLoader<SubjectId, SubjectKey> {
  readonly name = 'subject';
  readonly #vault: Vault;
  readonly #clock: () => number;
  readonly #known = new Kept<StoredKey>(mostBytes, () => bytesOfKey);

  constructor(vault: Vault, clock: () => number) {
    this.#vault = vault;
    this.#clock = clock;
  }

  text(id: SubjectId): string {
    return `${id.psp}|${id.subject}`;
  }

  /** The subject's id for an identifying value; equal values give the same person. */
  identify(psp: PspId, value: string): SubjectId {
    return { psp, subject: this.#vault.blind(`${psp}|${value.normalize('NFC').trim().toLowerCase()}`) };
  }

  /** The owner of a telephone number, which is stored with the key. */
  identifyNumber(psp: PspId, number: string): SubjectId {
    return { ...this.identify(psp, number), number };
  }

  peek(id: SubjectId): SubjectKey | undefined {
    const known = this.#known.get(this.text(id));
    // A person's number is stored when the first call with it is recorded.
    return known && id.number !== undefined && !known.hasNumber ? undefined : known;
  }

  forget(id: SubjectId): void {
    this.#known.delete(this.text(id));
  }

  /** Drops the keys of PSPs with an erasure since they were read. */
  async refresh(db: Database): Promise<void> {
    if (this.#known.size === 0) return;
    const rows = await db.query<{ psp_id: string; epoch: number }>('SELECT psp_id, epoch FROM subject_epochs');
    const epochs = new Map(rows.map((r) => [r.psp_id, r.epoch]));
    this.#known.deleteWhere((k) => k.epoch !== (epochs.get(k.psp) ?? 0));
  }

  async load(db: Database, ids: readonly SubjectId[]): Promise<Map<string, SubjectKey>> {
    // One statement, so that key and number of erasures are of the same moment.
    const rows = await db.query<StoredSubject>(
      `SELECT k.p AS psp, k.t AS subject, s.key_sealed AS sealed, s.number_sealed AS "numberSealed",
         s.created_at AS "createdAt", coalesce(s.generation, 0) AS generation, coalesce(e.epoch, 0) AS epoch
       FROM unnest($1::uuid[], $2::text[]) AS k(p, t)
       LEFT JOIN subject_keys s ON s.psp_id = k.p AND s.subject = k.t AND ${ofOnly('s.psp_id', 3)}
       LEFT JOIN subject_epochs e ON e.psp_id = k.p AND ${ofOnly('e.psp_id', 3)}`,
      [ids.map((i) => i.psp), ids.map((i) => i.subject), onlyPsp(db, ids)],
    );
    const numbers = new Map(ids.map((id) => [this.text(id), id.number]));
    const out = new Map<string, SubjectKey>();
    for (const row of rows) {
      const { psp, subject, sealed, generation, epoch } = row;
      const text = this.text(row);
      const number = numbers.get(text);
      if (sealed === null) {
        this.#known.delete(text);
        out.set(text, this.make({ psp, subject, number }, generation, epoch));
        continue;
      }
      const found = new StoredKey(this.#vault, { ...row, sealed }, number);
      out.set(text, found);
      // Its row will have the number after the commit.
      if (!found.numbered) this.#known.set(text, found);
    }
    return out;
  }

  /** A new key, not yet stored. */
  make({ psp, subject, number }: SubjectId, generation = 0, epoch = 0): SubjectKey {
    const drawn = randomSecret(32);
    const made = { psp, subject, key: ownBytes(drawn), generation };
    const keySealed = this.#vault.seal(drawn.toString('base64'), place(made, generation));
    const numberSealed = number === undefined ? undefined : sealPersonal(made, number, numberPlace(made));
    const createdAt = new Date(this.#clock()).toISOString();
    return { ...made, epoch, fresh: { psp, subject, keySealed, numberSealed, generation, createdAt } };
  }
}

/** Requires the key of the person a command writes about. */
export const subjectNeed = (keys: SubjectKeys, id: SubjectId): Need<SubjectKey> => need(keys, id);

/** Texts with this prefix are bound to their row and name their key's generation. */
const bound = /^p2\.(\d+):/;
const associated = (id: SubjectId, generation: number, row: string) => `${id.psp}|${id.subject}|${generation}|${row}`;

/**
 * Seals personal data for storage and the journal.
 * @param row table and id of its record, `transactions/<id>`: it can be opened only there and in its journal entries
 */
export const sealPersonal = (k: SealingKey, data: unknown, row: string): string =>
  `p2.${k.generation}:${sealWith(k.key, exactJson(data), associated(k, k.generation, row))}`;

/**
 * Opens what sealPersonal sealed, with exact numbers; undefined if its key was destroyed.
 * @throws if it belongs to another row or person, or was changed
 */
export function openPersonal(k: SubjectKey | undefined, sealed: string, row: string): unknown {
  const generation = Number(bound.exec(sealed)?.[1] ?? 0);
  if (!k || k.fresh || k.generation !== generation) return undefined;
  const text = sealed.slice(sealed.indexOf(':') + 1);
  // Texts sealed before they were bound to rows have no prefix; they are bound to PSP and person.
  return parseJson(openWith(k.key, text, text === sealed ? `${k.psp}|${k.subject}` : associated(k, generation, row)));
}

/** A record's personal data, for readers who may see it: undefined if it has none, `erased` if its person was erased. */
export async function readPersonal(
  s: { readonly subjects: SubjectKeys; readonly db: Database },
  r: { readonly psp: PspId; readonly subject: string | null; readonly sealed: string | null },
  row: string,
): Promise<unknown> {
  if (r.subject === null) return undefined;
  if (r.sealed === null) return erased;
  const id = { psp: r.psp, subject: r.subject };
  const key = (await s.subjects.load(s.db, [id])).get(s.subjects.text(id));
  return openPersonal(key, r.sealed, row) ?? erased;
}

/**
 * The expectations of a command that seals for persons: no erasure since its keys were read, and new keys are stored
 * with it.
 */
export function expectSubject(
  facts: Facts,
  ...persons: readonly Need<SubjectKey>[]
): { erasures: { psp: PspId; epoch: number }[]; subjects: NewSubjectKey[] } {
  const keys = [...new Set(persons.map(facts))].filter((k) => k !== undefined);
  return {
    erasures: keys.map(({ psp, epoch }) => ({ psp, epoch })),
    subjects: keys.flatMap((k) => k.fresh ?? k.numbered ?? []),
  };
}

/** Both expectations about persons. */
export const expecting = (
  sealed: ReturnType<typeof expectSubject> | undefined,
  more: { readonly erasures: readonly { psp: PspId; epoch: number }[] } | undefined,
) => (more ? { subjects: sealed?.subjects ?? [], erasures: [...(sealed?.erasures ?? []), ...more.erasures] } : sealed);
