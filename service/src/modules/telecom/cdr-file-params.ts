// Request parameters that name a call detail file and a position in its pages.
import { ownRecordAsked } from '../kernel/asked.ts';
import { type Call, type Needs, Type } from '../kernel/operation.ts';
import { findFile } from './files/file-store.ts';

/** The file in the request's path, if the caller may see it. @throws NOT_FOUND */
export const fileOf = (s: Needs<'db'>, call: Pick<Call, 'principal' | 'params' | 'onBehalfOf'>) =>
  ownRecordAsked(call, 'cdrFile', call.params.fileId, (id) => findFile(s.db, call.principal.psp, id));

export const after = Type.Optional(Type.Integer({ description: '`nextAfter` of the previous page.', minimum: 0 }));
