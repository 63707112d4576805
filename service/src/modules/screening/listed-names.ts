// The names of lists in memory, each found by the PSPs that it concerns: all lists, or what changed in them since a load.
import { nobody, type PspId } from '../../core/ids.ts';
import type { ListEntry } from '../../core/screening/entry.ts';
import { type AskedName, type ListedIn, NameIndex, type NameMatch } from '../../core/screening/name-index.ts';
import type { Database } from '../../platform/database.ts';
import { readHan } from '../../platform/han-reader.ts';
import type { Vault } from '../../platform/sealed-secrets.ts';
import { entriesAfter, fromStored, type ListLoad, lastLoad, loadsAfter, type StoredEntry } from './list-store.ts';

/** A list's name with its owner: two PSPs may have lists of one name. */
const qualified = (owner: string, list: string): string => `${owner}/${list}`;
const ownerIn = (name: string): string => name.slice(0, name.indexOf('/'));
const listIn = (name: string): string => name.slice(name.indexOf('/') + 1);

/** A revision of an entry, with the load that it came with. */
export interface Change {
  readonly load: ListLoad;
  readonly stored: StoredEntry;
  readonly entry: ListEntry;
}

/** Where names are looked up. */
export interface NameLookup {
  searchNow(
    psp: PspId | undefined,
    asked: AskedName,
    admits?: (of: Pick<ListedIn, 'list' | 'purpose'>) => boolean,
  ): (NameMatch & { readonly shared: boolean })[];
}

export class ListedNames implements NameLookup {
  readonly #index = new NameIndex(readHan);
  readonly #taken = new Set<string>();

  get size(): number {
    return this.#index.names;
  }

  take(loads: readonly ListLoad[], changes: readonly Change[]): void {
    for (const l of loads)
      if (l.threshold === null) this.#index.thresholds.delete(qualified(l.owner, l.list));
      else this.#index.thresholds.set(qualified(l.owner, l.list), l.threshold);
    for (const { load, stored, entry } of changes) {
      const list = qualified(stored.owner, stored.list);
      this.#taken.add(`${list}|${stored.ref}`);
      if (stored.removed) this.#index.remove(list, stored.ref);
      else this.#index.put({ list, purpose: load.purpose, revision: stored.revision, entry });
    }
  }

  /** Whether the entry was ever passed to it, also if only as removed. */
  knows(psp: PspId, of: { readonly list: string; readonly ref: string; readonly shared: boolean }): boolean {
    return this.#taken.has(`${qualified(of.shared ? nobody : psp, of.list)}|${of.ref}`);
  }

  /** Entries whose names match, of the shared lists and the PSP's own. @param psp undefined for the shared ones only */
  searchNow(
    psp: PspId | undefined,
    asked: AskedName,
    admits: (of: Pick<ListedIn, 'list' | 'purpose'>) => boolean = () => true,
  ): (NameMatch & { readonly shared: boolean })[] {
    return this.#index
      .search(asked, (of) => {
        const owner = ownerIn(of.list);
        return (owner === nobody || owner === psp) && admits({ list: listIn(of.list), purpose: of.purpose });
      })
      .map((m) => ({ ...m, list: listIn(m.list), shared: ownerIn(m.list) === nobody }));
  }
}

/**
 * The names of the entries that were put in or changed after a load, for comparing names that were compared with all before.
 * @returns undefined if that does not suffice, because a list has another threshold: all names have to be compared
 */
export async function namesChangedAfter(
  db: Pick<Database, 'query'>,
  vault: Vault,
  after: number,
  through: number,
): Promise<ListedNames | undefined> {
  const loads = (await loadsAfter(db, after)).filter((l) => l.seq <= through);
  const last = new Map(loads.map((l) => [qualified(l.owner, l.list), l]));
  for (const l of last.values()) {
    const before = await lastLoad(db, l.owner, l.list, after);
    if (before && (before.threshold !== l.threshold || before.purpose !== l.purpose)) return undefined;
  }
  const byId = new Map(loads.map((l) => [l.id, l]));
  const names = new ListedNames();
  const changes = (await entriesAfter(db, after, through)).map((stored) => ({
    load: byId.get(stored.load) as ListLoad,
    stored,
    entry: fromStored(vault, stored),
  }));
  names.take(loads, changes);
  return names;
}
