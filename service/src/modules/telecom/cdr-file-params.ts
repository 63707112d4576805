// Request parameters that name a call detail file and a position in its pages.
import { Type } from 'typebox';
import { fromWire } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import type { Needs } from '../kernel/needs.ts';
import type { Call } from '../kernel/operation.ts';
import { findFile } from './files/file-store.ts';

/** The file in the request's path, if the caller may see it. @throws NOT_FOUND */
export async function fileOf(s: Needs<'db'>, { principal, params }: Pick<Call, 'principal' | 'params'>) {
  const id = fromWire('cdrFile', params.fileId ?? '');
  const file = id && (await findFile(s.db, principal.psp, id));
  if (!file || (principal.kind === 'client' && file.account !== principal.account)) throw notFound();
  return file;
}

export const after = Type.Optional(Type.Integer({ description: '`nextAfter` of the previous page.', minimum: 0 }));
