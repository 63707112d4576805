import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { pageQuery } from '../../kernel/paging.ts';
import { after, fileOf } from '../cdr-file-params.ts';
import { FindingResource } from '../files/schemas.ts';
import { shownFinding } from '../files/status.ts';
import { listFindings } from '../files/suspense-store.ts';

export const listCdrFileErrors = operation({
  id: 'listCdrFileErrors',
  method: 'GET',
  path: '/v1/telecom/file/:fileId/errors',
  tag: 'Telecom',
  summary: 'Errors and warnings of a call detail file, by line',
  description:
    'The errors of the first 100,000 rejected lines and the warnings of the first 10,000 lines with warnings; the file counts all of them by code. Findings about the file as a whole come first.',
  audience: ['psp', 'client'],
  query: Type.Object({ limit: pageQuery.limit, after }),
  content: Named('CallDetailFindingPage', 'One page of findings, in the order of the file.', {
    items: Type.Array(FindingResource),
    nextAfter: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Send it as `after` to get the next page; null on the last page.',
    }),
  }),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'>) {
    const { query } = call;
    const file = await fileOf(s, call);
    const lines = query.limit ?? 50;
    const found = await listFindings(s.db, file, query.after ?? 0, lines);
    const whole = query.after === undefined ? file.findings : [];
    const nextAfter = found.length === lines ? (found.at(-1)?.[0]?.line ?? null) : null;
    return {
      message: 'errors and warnings',
      content: { items: [...whole, ...found.flat()].map(shownFinding), nextAfter },
    };
  },
});
