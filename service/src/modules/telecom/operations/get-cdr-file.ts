import { type Call, Extended, type Needs, operation } from '../../kernel/operation.ts';
import { fileOf } from '../cdr-file-params.ts';
import type { CdrFile } from '../files/file-store.ts';
import { FileResource, fileResource, SuspenseCounts } from '../files/schemas.ts';
import { countSuspended } from '../files/suspense-store.ts';

/** The file, with its rejected lines counted by state. */
async function detail(s: Needs<'db'>, call: Pick<Call, 'now'>, file: CdrFile) {
  const n = await countSuspended(s.db, file);
  return {
    ...fileResource(file, call.now),
    suspense: {
      open: n.OPEN,
      corrected: n.CORRECTED,
      writtenOff: n.WRITTEN_OFF,
      notKept: file.tally.counts.rejected - n.OPEN - n.CORRECTED - n.WRITTEN_OFF,
    },
  };
}

export const getCdrFile = operation({
  id: 'getCdrFile',
  method: 'GET',
  path: '/v1/telecom/file/:fileId',
  tag: 'Telecom',
  summary: 'A call detail file with its progress',
  audience: ['psp', 'client'],
  content: Extended(
    FileResource,
    'CallDetailFileDetail',
    'A file of call detail records, with its rejected lines by state.',
    {
      suspense: SuspenseCounts,
    },
  ),
  refusals: ['NOT_FOUND'],
  handle: async (call, s: Needs<'db'>) => ({
    message: 'call detail file found',
    content: await detail(s, call, await fileOf(s, call)),
  }),
});
