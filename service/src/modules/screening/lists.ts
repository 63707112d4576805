// The lists in memory: exact keys always, for decisions, and names from the first search on. Both follow the loads by
// their numbers and are never behind by more than a moment. Writes nothing.
import { scheduler } from 'node:timers/promises';
import { nobody, type PspId } from '../../core/ids.ts';
import type { ListedKind, ListLookup } from '../../core/risk/lists.ts';
import type { ListEntry, ListPurpose } from '../../core/screening/entry.ts';
import type { AskedName } from '../../core/screening/name-index.ts';
import type { Database } from '../../platform/database.ts';
import type { Vault } from '../../platform/sealed-secrets.ts';
import type { SubjectKeys } from '../kernel/subjects.ts';
import { KeyHashes } from './key-hashes.ts';
import { keyText } from './key-text.ts';
import { entriesAfter, fromStored, type ListLoad, listsState, loadsAfter } from './list-store.ts';
import { type Change, ListedNames, type NameLookup } from './listed-names.ts';
import { networksOf, networkText } from './networks.ts';

/** Loads read at once. */
const loadsAtOnce = 20;

type Apply = (loads: readonly ListLoad[], changes: readonly Change[]) => void;

/** Follows loads: hands over what came since the last time. */
class Followed {
  readonly #db: Pick<Database, 'query'>;
  readonly #vault: Vault;
  readonly #apply: Apply;
  #seq = 0;
  #running: Promise<void> | undefined;

  constructor(db: Pick<Database, 'query'>, vault: Vault, apply: Apply) {
    this.#db = db;
    this.#vault = vault;
    this.#apply = apply;
  }

  get seq(): number {
    return this.#seq;
  }

  refresh(): Promise<void> {
    return (this.#running ??= this.#catchUp().finally(() => {
      this.#running = undefined;
    }));
  }

  async #catchUp(): Promise<void> {
    const loads = await loadsAfter(this.#db, this.#seq);
    for (let i = 0; i < loads.length; i += loadsAtOnce) {
      const some = loads.slice(i, i + loadsAtOnce);
      const through = (some.at(-1) as ListLoad).seq;
      const byId = new Map(some.map((l) => [l.id, l]));
      const changes = (await entriesAfter(this.#db, this.#seq, through)).map((stored) => ({
        load: byId.get(stored.load) as ListLoad,
        stored,
        entry: fromStored(this.#vault, stored),
      }));
      for (let j = 0; j < changes.length; j += 500) {
        this.#apply(j === 0 ? some : [], changes.slice(j, j + 500));
        await scheduler.yield();
      }
      if (changes.length === 0) this.#apply(some, []);
      this.#seq = through;
    }
  }
}

export interface FoundKey {
  readonly list: string;
  readonly purpose: ListPurpose;
  readonly shared: boolean;
  readonly revision: number;
  readonly entry: ListEntry;
}

/** Lists of what is allowed are no reason to look. */
const namesOf = (found: readonly FoundKey[]): string[] =>
  [...new Set(found.filter((f) => f.purpose !== 'ALLOW').map((f) => f.list))].sort();

/** Entries with a key, by kind, value and entry. */
type Keys = Map<string, Map<string, FoundKey & { readonly owner: string }>>;

export class Lists implements NameLookup {
  readonly stateSql = listsState;
  readonly #keys: Keys = new Map();
  readonly #keysOfEntry = new Map<string, string[]>();
  readonly #followed: Followed;
  readonly #names = new ListedNames();
  readonly #followedNames: Followed;

  readonly #hashes: KeyHashes;
  /** Keys that changed since their hashes were worked out. */
  #changed = new Set<string>();
  #working: Promise<void> = Promise.resolve();
  readonly #passOn: () => void;

  /** @param passOn called after a change of any list was taken over */
  constructor(db: Pick<Database, 'query'>, vault: Vault, subjects: SubjectKeys, passOn: () => void = () => undefined) {
    this.#passOn = passOn;
    this.#hashes = new KeyHashes(subjects, {
      keys: () => this.#keys.keys(),
      namesOf: (psp, kind, value) => namesOf(this.entriesWith(psp, kind, value)),
    });
    this.#followed = new Followed(db, vault, (_, changes) => {
      for (const c of changes) this.#putKeys(c);
    });
    this.#followedNames = new Followed(db, vault, (loads, changes) => this.#names.take(loads, changes));
  }

  /** As `refresh`, but reads nothing if a state that was just read is that of the lists in memory. */
  follow = async (state: string): Promise<void> => {
    const { seq } = this.#followed;
    if (state !== String(seq) || (this.seq > 0 && this.seq !== seq)) await this.refresh();
  };

  /** Takes over what was loaded since, in this process or another. */
  refresh(): Promise<void> {
    // One after the other: who waits for one waits for what was loaded before it, with its hashes.
    return this.#inTurn(() => this.#refresh());
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#working.then(work);
    this.#working = done.catch(() => undefined);
    return done;
  }

  async #refresh(): Promise<void> {
    const before = this.#followed.seq;
    await this.#followed.refresh();
    if (this.#followed.seq > before) this.#passOn();
    const changed = [...this.#changed];
    this.#changed = new Set();
    await this.#hashes.takeOver(changed);
    if (this.#followedNames.seq > 0) await this.#followedNames.refresh();
  }

  /** The number of the last load that searches know. */
  get seq(): number {
    return this.#followedNames.seq;
  }

  #putKeys({ load, stored, entry }: Change): void {
    const id = `${stored.owner}|${stored.list}|${stored.ref}`;
    for (const key of this.#keysOfEntry.get(id) ?? []) {
      this.#changed.add(key);
      const known = this.#keys.get(key);
      known?.delete(id);
      if (known?.size === 0) this.#keys.delete(key);
    }
    this.#keysOfEntry.delete(id);
    if (stored.removed || entry.keys.length === 0) return;
    const keys = entry.keys.map(
      (k) => `${k.kind}|${(k.kind === 'ip' ? networkText(k.value) : undefined) ?? keyText(k)}`,
    );
    const { list, revision, owner } = stored;
    const found = { list, purpose: load.purpose, shared: owner === nobody, revision, entry, owner };
    for (const key of keys) {
      this.#changed.add(key);
      const known = this.#keys.get(key);
      if (known) known.set(id, found);
      else this.#keys.set(key, new Map([[id, found]]));
    }
    this.#keysOfEntry.set(id, keys);
  }

  /** The entries with a key among the shared lists and the PSP's own. @param psp undefined for the shared ones only */
  entriesWith(psp: PspId | undefined, kind: ListedKind, value: string): FoundKey[] {
    const texts = kind === 'ip' ? networksOf(value) : [keyText({ kind, value })];
    const found: FoundKey[] = [];
    for (const text of texts)
      for (const { owner, ...key } of this.#keys.get(`${kind}|${text}`)?.values() ?? [])
        if (owner === nobody || owner === psp) found.push(key);
    return found;
  }

  /** What rules may ask. */
  readonly listed: ListLookup = (psp, kind, value) =>
    kind === 'wallet' || kind === 'msisdn' || kind === 'person'
      ? this.#hashes.find(psp, kind, value)
      : namesOf(this.entriesWith(psp, kind, kind === 'ip' ? (value.split('/')[0] as string) : value));

  /** Works out the keyed hashes of PSPs whose decisions will ask for them. */
  readyFor(psps: Iterable<PspId>): Promise<void> {
    return this.#inTurn(() => this.#hashes.ahead(psps));
  }

  /** Entries whose names match, of the shared lists and the PSP's own; refreshed before. */
  async search(psp: PspId | undefined, asked: AskedName): Promise<ReturnType<ListedNames['searchNow']>> {
    await this.#followedNames.refresh();
    return this.searchNow(psp, asked);
  }

  /** As `search`, by what was read before. */
  searchNow(...asked: Parameters<ListedNames['searchNow']>): ReturnType<ListedNames['searchNow']> {
    return this.#names.searchNow(...asked);
  }

  /** Reads all names, for a caller that searches many with `searchNow`. */
  readNames(): Promise<void> {
    return this.#followedNames.refresh();
  }
}

/** What a module that looks lists up requires. */
export interface HasLists {
  readonly lists: Lists;
}
