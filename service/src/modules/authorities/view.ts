// The view that a call is limited to: that of the caller's authority, or the one an operator names.
import { dayMs } from '../../core/calendar.ts';
import { fromWire, type PspId } from '../../core/ids.ts';
import { commonDays, type View } from '../../core/oversight.ts';
import { notFound, refuse } from '../../core/refusal.ts';
import { findAuthority, livePsps } from '../accounts/index.ts';
import { readDays } from '../kernel/day-filter.ts';
import { type Call, Id, type Needs, Type } from '../kernel/operation.ts';

export const asAuthority = {
  authorityId: Type.Optional(Id('For operators: the authority whose view to read.')),
};

/** @throws QUERY_INVALID, NOT_FOUND */
export async function viewOf(
  s: Needs<'db'>,
  { principal, query }: Pick<Call<unknown, { readonly authorityId?: string }>, 'principal' | 'query'>,
): Promise<View> {
  const { authorityId } = query;
  if (principal.view !== undefined) {
    if (authorityId !== undefined) throw refuse('QUERY_INVALID', "the query parameter 'authorityId' is for operators");
    return principal.view;
  }
  if (principal.kind !== 'operator') throw notFound();
  if (authorityId === undefined)
    throw refuse('QUERY_INVALID', "the query parameter 'authorityId' must name the authority whose view to read");
  const id = fromWire('psp', authorityId);
  const found = id === undefined ? undefined : await findAuthority(s.db, id);
  if (!found) throw notFound();
  return found;
}

/** The days to read; undefined if those asked for are outside of the view. @throws QUERY_INVALID */
export const daysIn = (view: View, query: { readonly dayFrom?: string; readonly dayTo?: string }, now: number) =>
  // No calendar is more than a day ahead of UTC.
  commonDays(view, readDays(query), new Date(now + dayMs).toISOString().slice(0, 10));

/**
 * All PSPs, or the one asked for; test tenants are none. One that there is not has no records, as one that has none of the
 * authority's country: otherwise the answer would show which PSPs there are. @throws NOT_FOUND for what is no id
 */
export async function pspsIn(s: Needs<'db'>, pspId: string | undefined): Promise<readonly PspId[]> {
  const all = await livePsps(s.db);
  if (pspId === undefined) return all;
  const id = fromWire('psp', pspId);
  if (id === undefined) throw notFound();
  return all.filter((psp) => psp === id);
}
