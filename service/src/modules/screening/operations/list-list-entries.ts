import { nobody } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { Page, pageQuery } from '../../kernel/paging.ts';
import { fromStored, lastLoad, listedEntries } from '../list-store.ts';
import { ownerOf } from '../load.ts';
import { entryResource, ListEntryResource } from '../schemas.ts';

export const listListEntries = operation({
  id: 'listListEntries',
  method: 'GET',
  path: '/v1/lists/:list/entries',
  tag: 'Lists',
  area: 'records',
  summary: 'List the entries of a list',
  description: 'Entries in force by their ref. A PSP’s own list is listed before one of the same name for all PSPs.',
  audience: ['psp', 'operator'],
  query: Type.Object({
    ...pageQuery,
    cursor: Type.Optional(Type.String({ description: '`nextCursor` of the previous page.', maxLength: 140 })),
  }),
  content: Page(ListEntryResource),
  refusals: ['NOT_FOUND'],
  async handle({ principal, params, query }, s: Needs<'db' | 'vault'>) {
    const list = params.list ?? '';
    const own = ownerOf(principal);
    const load = (await lastLoad(s.db, own, list)) ?? (await lastLoad(s.db, nobody, list));
    if (load === undefined) throw notFound();
    const limit = query.limit ?? 50;
    const rows = await listedEntries(s.db, { owner: load.owner, list, after: query.cursor, limit: limit + 1 });
    const items = rows.slice(0, limit);
    return {
      message: 'entries of the list',
      content: {
        items: items.map((e) => entryResource(list, e.revision, fromStored(s.vault, e))),
        nextCursor: rows.length > limit ? (items.at(-1)?.ref ?? null) : null,
      },
    };
  },
});
