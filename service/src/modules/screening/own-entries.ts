// Puts one entry in a list of the caller's own, or takes it out: a load of one entry.
import { createHash } from 'node:crypto';
import { nobody } from '../../core/ids.ts';
import { phrase, refuse, said } from '../../core/refusal.ts';
import { contentOf, type ListEntry, type ListPurpose } from '../../core/screening/entry.ts';
import type { Condition } from '../kernel/condition.ts';
import type { Principal } from '../kernel/principal.ts';
import { findEntry, fromStored, lastLoad } from './list-store.ts';
import { type Described, type LoadNeeds, ownerOf, storePart } from './load.ts';

interface OneEntry {
  readonly list: string;
  /** Undefined for the list's own; of a new list BLOCK. */
  readonly purpose: ListPurpose | undefined;
  readonly entry: ListEntry;
  readonly removed: boolean;
  readonly condition?: Condition | undefined;
}

/** @returns the entry's revision, and whether the call changed anything */
export async function changeOwnEntry(s: LoadNeeds, principal: Principal, one: OneEntry, now: number) {
  const owner = ownerOf(principal);
  const { list, entry, removed } = one;
  const [load, before] = await Promise.all([lastLoad(s.db, owner, list), findEntry(s.db, owner, list, entry.ref)]);
  const purpose = one.purpose ?? load?.purpose ?? 'BLOCK';
  if (load !== undefined && load.purpose !== purpose)
    throw refuse(
      'STATE_CONFLICT',
      said`the list ${list} is a list for ${phrase(load.purpose)}; use another name for ${phrase(purpose)}`,
    );
  if (load !== undefined && (purpose === 'SANCTIONS' || !isOwnForm(load.form)))
    throw refuse('STATE_CONFLICT', said`the list ${list} is a published one; its entries change with its file only`);
  const same =
    before !== undefined &&
    before.removed === removed &&
    (removed || contentOf(fromStored(s.vault, before)) === contentOf(entry));
  if (same) return { revision: before.revision, changed: false };
  const content = removed && before ? fromStored(s.vault, before) : entry;
  const described: Described = {
    ...{ list, purpose, shared: owner === nobody, threshold: load?.threshold ?? null, form: 'API', name: entry.ref },
    sha256: createHash('sha256').update(contentOf(content)).digest('hex'),
    published: null,
  };
  const change = { entry: content, revision: (before?.revision ?? 0) + 1, removed };
  const made = { at: new Date(now).toISOString(), complete: true };
  const { revisions } = await storePart(s, principal, described, [change], made, one.condition);
  return { revision: revisions[0] as number, changed: true };
}

const isOwnForm = (form: string): boolean => form === 'API' || form === 'PLAIN_CSV';
