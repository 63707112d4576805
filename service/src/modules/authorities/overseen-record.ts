// The record in a path, if the caller's authority sees it.
import { notFound } from '../../core/refusal.ts';
import type { Call, Needs } from '../kernel/operation.ts';
import { readOverseen, recordIdIn } from './overseen.ts';
import { listOverseen } from './overseen-store.ts';

/** @throws NOT_FOUND */
export async function overseenRecord(
  s: Needs<'db'>,
  call: Pick<Call<unknown, { readonly authorityId?: string }>, 'principal' | 'query' | 'params' | 'now'>,
) {
  const id = recordIdIn(call);
  const { filter, ...read } = await readOverseen(s, call);
  const [record] = filter === undefined ? [] : await listOverseen(s.db, { ...filter, id, limit: 1 });
  if (record === undefined) throw notFound();
  return { record, ...read };
}
