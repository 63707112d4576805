// Stores what of a list is new, changed or removed, in parts of a commit and a journal entry each. A file that was loaded
// before changes nothing. One that was interrupted is loaded again: what is stored of it is not new then.
import { createHash } from 'node:crypto';
import { FileFault } from '../../core/exchange/quotes.ts';
import { nobody, toWire } from '../../core/ids.ts';
import { phrase, refuse, type Said, said } from '../../core/refusal.ts';
import { countryReader } from '../../core/screening/countries.ts';
import { contentOf, type ListEntry, type ListPurpose } from '../../core/screening/entry.ts';
import type { Database } from '../../platform/database.ts';
import type { RowOf } from '../../records/define.ts';
import { listEntries, type listLoads } from '../../records/lists.ts';
import { type Condition, expectState } from '../kernel/condition.ts';
import { heldRows } from '../kernel/held-rows.ts';
import { journalRow, row } from '../kernel/journal.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { recordIn } from '../kernel/record-in.ts';
import { keyFault } from './key-text.ts';
import {
  entriesOf,
  entryState,
  fromStored,
  lastLoad,
  lastSeq,
  lockLists,
  type StoredEntry,
  toStored,
} from './list-store.ts';
import { readListFile } from './read-list.ts';

/** Entries of a commit: as many as are stored well within the limit of a statement. */
const part = 2_000;
/** Most entries of a list: several times what any publisher lists. */
const mostEntries = 200_000;

export interface GivenList {
  /** File name or address. */
  readonly name: string;
  readonly text: string;
  readonly list?: string | undefined;
  readonly purpose?: ListPurpose | undefined;
  readonly threshold?: number | undefined;
  /** Accepts a file with fewer than half of the entries that are stored. */
  readonly allowShrink: boolean;
}

export type LoadNeeds = Needs<'ids' | 'db' | 'committer' | 'vault' | 'reference'>;

/** Lists that staff load are for all PSPs, those that a PSP loads its own. */
export const ownerOf = (principal: Principal): string => (principal.kind === 'operator' ? nobody : principal.psp);

interface Change {
  readonly entry: ListEntry;
  readonly revision: number;
  readonly removed: boolean;
}

/** What differs from the entries in force; `whole` also removes those that are not given. */
async function changesOf(
  s: Needs<'vault'>,
  db: Pick<Database, 'query'>,
  of: { readonly owner: string; readonly list: string },
  entries: ReadonlyMap<string, ListEntry>,
): Promise<{ changes: Change[]; inForce: number }> {
  const known = new Map((await entriesOf(db, of.owner, of.list)).map((e) => [e.ref, e]));
  const inForce = [...known.values()].filter((e) => !e.removed);
  const changes: Change[] = [];
  for (const entry of entries.values()) {
    const before = known.get(entry.ref);
    const same = before && !before.removed && contentOf(fromStored(s.vault, before)) === contentOf(entry);
    if (!same) changes.push({ entry, revision: (before?.revision ?? 0) + 1, removed: false });
  }
  for (const e of inForce)
    if (!entries.has(e.ref)) changes.push({ entry: fromStored(s.vault, e), revision: e.revision + 1, removed: true });
  return { changes, inForce: inForce.length };
}

export interface LoadedList {
  readonly loadIds: string[];
  readonly list: string;
  readonly purpose: ListPurpose;
  readonly shared: boolean;
  readonly threshold: number | null;
  readonly form: string;
  readonly name: string;
  readonly sha256: string;
  readonly published: string | null;
  readonly entries: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly loadedAt: string;
}

/** @throws LIST_INVALID naming the file, the place and the reason */
export async function loadList(s: LoadNeeds, principal: Principal, given: GivenList, now: number): Promise<LoadedList> {
  const refused = (why: Said) =>
    refuse('LIST_INVALID', said`the file ${given.name} was refused, nothing of it is loaded: ${why}`);
  const file = await readListFile(given.text, countryReader(s.reference.countries)).catch((e) => {
    throw e instanceof FileFault ? refused(placed(given.text, e)) : e;
  });
  const list = given.list ?? file.list;
  if (list === undefined)
    throw refuse('FIELD_INVALID', "the field 'list' is required: a table in the plain form does not name its list");
  if (file.entries.size === 0) throw refused(said`it has no entries; remove a list entry by entry`);
  if (file.entries.size > mostEntries)
    throw refused(said`it has ${file.entries.size} entries, more than ${mostEntries}; load it as several lists`);
  for (const { ref, keys } of file.entries.values())
    for (const key of keys) {
      const fault = keyFault(key, s.reference.countries);
      if (fault) throw refused(said`the entry ${ref} has ${fault}`);
    }
  const owner = ownerOf(principal);
  const before = await lastLoad(s.db, owner, list);
  const purpose = given.purpose ?? before?.purpose ?? purposeOf(file.list, list);
  if (before !== undefined && before.purpose !== purpose)
    throw refuse(
      'STATE_CONFLICT',
      said`the list ${list} is a list for ${phrase(before.purpose)}; load ${phrase(purpose)} under another name`,
    );
  const threshold = given.threshold ?? before?.threshold ?? null;
  const sha256 = file.sha256 ?? createHash('sha256').update(given.text).digest('hex');
  const at = new Date(now).toISOString();
  const described = {
    ...{ list, purpose, shared: owner === nobody, threshold, form: file.form, name: given.name, sha256 },
    published: file.published ?? null,
  };
  const { changes, inForce } = await changesOf(s, s.db, { owner, list }, file.entries);
  if (!given.allowShrink && inForce >= 20 && file.entries.size < inForce / 2)
    throw refused(
      said`it has ${file.entries.size} entries and the list in force ${inForce}; if it is complete, load it with allowShrink`,
    );
  const sums = { loadIds: [] as string[], added: 0, changed: 0, removed: 0 };
  const again = before?.complete === true && before.threshold === threshold && changes.length === 0;
  for (let i = 0; !again && (i === 0 || i < changes.length); i += part) {
    const complete = i + part >= changes.length;
    const done = await storePart(s, principal, described, changes.slice(i, i + part), { at, complete });
    sums.loadIds.push(done.loadId);
    sums.added += done.added;
    sums.changed += done.changed;
    sums.removed += done.removed;
  }
  return { ...sums, ...described, entries: file.entries.size, loadedAt: again ? before.loadedAt : at };
}

function placed(text: string, { at, said: why }: FileFault): Said {
  if (at === undefined) return why;
  return said`line ${text.slice(0, at).split('\n').length}: ${why}`;
}

function purposeOf(published: string | undefined, list: string): ListPurpose {
  if (published !== undefined) return 'SANCTIONS';
  if (/PEP/.test(list)) return 'PEP';
  return /ALLOW/.test(list) ? 'ALLOW' : 'BLOCK';
}

export type Described = Omit<LoadedList, 'loadIds' | 'entries' | 'added' | 'changed' | 'removed' | 'loadedAt'>;

/**
 * Stores a part: what another load brought meanwhile gets a further revision, so that the list becomes what is said here.
 * @param condition what the caller expects of each of the entries
 */
export function storePart(
  s: Needs<'ids' | 'db' | 'committer' | 'vault'>,
  principal: Principal,
  described: Described,
  changes: readonly Change[],
  { at, complete }: { readonly at: string; readonly complete: boolean },
  condition?: Condition,
) {
  const owner = ownerOf(principal);
  const { list } = described;
  return s.db.transaction(async (tx) => {
    await lockLists(tx);
    const known = new Map((await entriesOf(tx, owner, list)).map((e) => [e.ref, e]));
    for (const { entry } of changes) expectState(condition, entryState(known.get(entry.ref)));
    const seq = (await lastSeq(tx)) + 1;
    const load = s.ids.next();
    const revisions = changes
      .map(({ entry, removed }) => ({ entry, removed, before: known.get(entry.ref) }))
      .toSorted((a, b) => (a.entry.ref < b.entry.ref ? -1 : 1));
    const rows = revisions.map(({ entry, removed, before }) => ({
      owner_id: owner,
      list,
      ref: entry.ref,
      revision: (before?.revision ?? 0) + 1,
      load_id: load,
      load_seq: seq,
      removed,
      content: toStored(s.vault, { owner, list, ref: entry.ref }, entry),
    }));
    const isIn = (e: StoredEntry | undefined): boolean => e !== undefined && !e.removed;
    const added = revisions.filter((r) => !r.removed && !isIn(r.before)).length;
    const removed = revisions.filter((r) => r.removed && isIn(r.before)).length;
    const changed = revisions.filter((r) => !r.removed && isIn(r.before)).length;
    const entries = [...known.values()].filter(isIn).length + added - removed;
    const of: RowOf<typeof listLoads> = {
      ...{ owner_id: owner, id: load, seq, list, purpose: described.purpose, threshold: described.threshold },
      ...{ form: described.form, name: described.name, file_sha256: described.sha256, published: described.published },
      ...{ complete, entries, added, changed, removed, loaded_at: at },
    };
    const entry = journalRow(s, principal, at, {
      kind: 'list.loaded',
      psp: principal.psp,
      account: principal.account,
      resourceId: load,
      version: 1,
      data: loadResource(of),
      evidence: { ...heldRows(listEntries.columns, rows), seq },
    });
    await recordIn(tx, s, { rows: [row('list_loads', of), ...rows.map((r) => row('list_entries', r)), entry] });
    return {
      loadId: toWire('listLoad', load),
      added,
      changed,
      removed,
      entries,
      revisions: rows.map((r) => r.revision),
    };
  });
}

/** A load as it is journalled; the audit compares the stored row with it. */
export const loadResource = (r: RowOf<typeof listLoads>) => ({
  loadId: toWire('listLoad', r.id),
  complete: r.complete,
  list: r.list,
  purpose: r.purpose,
  shared: r.owner_id === nobody,
  threshold: r.threshold,
  form: r.form,
  name: r.name,
  sha256: r.file_sha256,
  published: r.published,
  entries: r.entries,
  added: r.added,
  changed: r.changed,
  removed: r.removed,
  loadedAt: r.loaded_at,
});
