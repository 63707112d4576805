import { fromWire } from '../../../core/ids.ts';
import { notFound, refuse } from '../../../core/refusal.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { caseAsked } from '../asked-case.ts';
import { openFile } from '../case-files.ts';
import { findItem } from '../case-store.ts';

export const getCaseFile = operation({
  id: 'getCaseFile',
  method: 'GET',
  path: '/v1/case/:caseId/file/:fileId',
  tag: 'Cases',
  summary: 'A file of a case',
  description: 'Its bytes, to be saved; the header x-media-type says its type. 404 once its person was erased.',
  audience: ['psp', 'operator'],
  produces: 'application/octet-stream',
  content: Type.String(),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db' | 'subjects'>) {
    const found = await caseAsked(s, call);
    const id = fromWire('caseItem', call.params.fileId ?? '');
    const item = id && (await findItem(s.db, found, id));
    if (item?.kind !== 'FILE') throw notFound();
    const bytes = await openFile(s, item);
    if (!bytes) throw refuse('NOT_FOUND', 'the person this file was sealed for was erased');
    return {
      message: 'file',
      content: null,
      text: bytes,
      headers: { 'x-media-type': item.content.type ?? '', 'content-disposition': 'attachment' },
    };
  },
});
