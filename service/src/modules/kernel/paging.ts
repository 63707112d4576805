// Cursor pages: newest first; the cursor is the last id of the previous page.
import { fromWire, type IdKind, toWire } from '../../core/ids.ts';
import { refuse } from '../../core/refusal.ts';
import { RowTotal } from './counting.ts';
import { Named, Type } from './operation.ts';

export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({ description: 'Entries per page, 1 to 200; default 50.', minimum: 1, maximum: 200 }),
  ),
  cursor: Type.Optional(Type.String({ description: '`nextCursor` of the previous page.', maxLength: 64 })),
};

/** The filter that most lists have; `listedClient` of the accounts reads it. */
export const clientQuery = {
  clientId: Type.Optional(
    Type.String({
      description: "Only of this account, `cli_…` or `psp_…`; with a PSP's key, same as the header x-client-id.",
      maxLength: 64,
    }),
  ),
};

export const Page = <T extends Type.TSchema & { $id?: string }>(item: T) =>
  Named(`${item.$id}Page`, 'One page of the list, newest first.', {
    items: Type.Array(item),
    nextCursor: Type.Union([Type.String(), Type.Null()], {
      description: 'Send it as `cursor` to get the next page; null on the last page.',
    }),
    total: Type.Optional(RowTotal),
    archivedBefore: Type.Optional(
      Type.String({
        description:
          'On the last page of a list of records: what was recorded before this day (UTC) is in the archive and not listed. Absent if nothing is archived.',
      }),
    ),
  });

/** Reads limit and cursor; fetches one row more than requested, to see whether there is a next page. */
export function readPage(
  kind: IdKind,
  query: { limit?: number; cursor?: string },
): { limit: number; before: string | undefined } {
  let before: string | undefined;
  if (query.cursor !== undefined) {
    before = fromWire(kind, query.cursor);
    if (!before) throw refuse('QUERY_INVALID', "the query parameter 'cursor' is not a cursor of this list");
  }
  return { limit: (query.limit ?? 50) + 1, before };
}

/** @param kind kind of the ids, for all rows or per row */
export function page<R extends { id: string }>(
  kind: IdKind | ((r: R) => IdKind),
  rows: readonly R[],
  limit: number,
  show: (r: R) => unknown,
) {
  const items = rows.slice(0, limit - 1);
  const last = rows.length === limit ? items.at(-1) : undefined;
  return {
    items: items.map((r) => show(r)),
    nextCursor: last ? toWire(typeof kind === 'string' ? kind : kind(last), last.id) : null,
  };
}
