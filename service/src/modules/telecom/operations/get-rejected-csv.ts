import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { after, fileOf } from '../cdr-file-params.ts';
import { listOpenLines, rawOf } from '../files/suspense-store.ts';

/** Most lines in one reply, so that it stays within some megabytes. */
const csvLines = 10_000;

export const getRejectedCsv = operation({
  id: 'getRejectedCsv',
  method: 'GET',
  path: '/v1/telecom/file/:fileId/rejected.csv',
  tag: 'Telecom',
  summary: 'Rejected lines of a call detail file as CSV, to be corrected and sent again',
  description:
    'The lines as received, under the header of their file, without those that were corrected or written off. Cells are not escaped for spreadsheets, because they must be sent back unchanged. At most 10,000 lines per response; the header x-next-after gives the `after` of the next request.',
  audience: ['psp', 'client'],
  query: Type.Object({ after }),
  produces: 'text/csv',
  content: Type.String(),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db' | 'vault'>) {
    const { query } = call;
    const file = await fileOf(s, call);
    const lines = await listOpenLines(s.db, file, query.after ?? 0, csvLines);
    const raw = lines.map((l) => rawOf(s.vault, file, l)).filter((l) => l !== undefined);
    const last = lines.length === csvLines ? lines.at(-1) : undefined;
    return {
      message: 'rejected lines',
      content: undefined,
      text: [file.header ?? '', ...raw, ''].join('\r\n'),
      ...(last ? { headers: { 'x-next-after': String(last.line) } } : {}),
    };
  },
});
