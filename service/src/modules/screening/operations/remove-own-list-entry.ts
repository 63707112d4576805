import { notFound } from '../../../core/refusal.ts';
import { Named, operation, Type } from '../../kernel/operation.ts';
import { findEntry, fromStored } from '../list-store.ts';
import type { HasLists } from '../lists.ts';
import { type LoadNeeds, ownerOf } from '../load.ts';
import { changeOwnEntry } from '../own-entries.ts';
import { entryResource, ListEntryResource } from '../schemas.ts';

export const removeOwnListEntry = operation({
  id: 'removeOwnListEntry',
  method: 'POST',
  path: '/v1/lists/:list/remove',
  tag: 'Lists',
  area: 'administration',
  summary: 'Remove an entry from a list of your own',
  description: 'The entry is kept as history. Removing it again changes nothing.',
  audience: ['psp', 'operator'],
  ofPsp: true,
  idempotent: true,
  body: Named('ListEntryRef', 'An entry of a list.', {
    ref: Type.String({ description: 'Number of the entry.', minLength: 1, maxLength: 100, 'x-characters': 'any' }),
  }),
  content: ListEntryResource,
  conditional: 'getListEntry',
  example: { ref: 'B-2' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle({ principal, params, body, now, condition }, s: LoadNeeds & HasLists) {
    const { list = '' } = params;
    const stored = await findEntry(s.db, ownerOf(principal), list, body.ref);
    if (stored === undefined) throw notFound();
    const entry = fromStored(s.vault, stored);
    const one = { list, purpose: undefined, entry, removed: true, condition };
    const done = await changeOwnEntry(s, principal, one, now);
    await s.lists.refresh();
    return {
      message: done.changed ? 'entry removed' : 'the entry was removed before',
      content: entryResource(list, done.revision, entry),
      replayed: !done.changed,
    };
  },
});
