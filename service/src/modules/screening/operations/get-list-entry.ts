// GET /v1/lists/:list/entries/:ref: one entry of a list.
import { nobody } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import { type Needs, operation } from '../../kernel/operation.ts';
import { entryState, findEntry, fromStored, lastLoad } from '../list-store.ts';
import { ownerOf } from '../load.ts';
import { entryResource, ListEntryResource } from '../schemas.ts';

export const getListEntry = operation({
  id: 'getListEntry',
  method: 'GET',
  path: '/v1/lists/:list/entries/:ref',
  tag: 'Lists',
  area: 'records',
  summary: 'An entry of a list by its ref',
  description: 'A PSP’s own list is read before one of the same name for all PSPs, as in listListEntries.',
  audience: ['psp', 'operator'],
  content: ListEntryResource,
  conditional: true,
  refusals: ['NOT_FOUND'],
  async handle({ principal, params }, s: Needs<'db' | 'vault'>) {
    const { list = '', ref = '' } = params;
    const own = ownerOf(principal);
    const load = (await lastLoad(s.db, own, list)) ?? (await lastLoad(s.db, nobody, list));
    const entry = load && (await findEntry(s.db, load.owner, list, ref));
    const state = entryState(entry);
    if (!entry || !state) throw notFound();
    const content = entryResource(list, entry.revision, fromStored(s.vault, entry));
    return { message: 'entry found', content, state };
  },
});
