import { refuse } from '../../../core/refusal.ts';
import { Named, type Needs, operation, Reason, Type } from '../../kernel/operation.ts';
import { fileOf } from '../cdr-file-params.ts';
import { writeOffLines } from '../files/write-off-lines.ts';

export const writeOffCdrLines = operation({
  id: 'writeOffCdrLines',
  method: 'POST',
  path: '/v1/telecom/file/:fileId/writeOff',
  tag: 'Telecom',
  summary: 'Write off rejected lines of a call detail file',
  description:
    'Writes off all open lines if `lines` is omitted. Lines that were already corrected or written off do not change.',
  audience: ['psp', 'client'],
  body: Type.Object({
    reason: Reason,
    lines: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1 }), {
        minItems: 1,
        maxItems: 10_000,
        description: 'Numbers of the lines to write off; default: all open lines.',
      }),
    ),
  }),
  content: Named('WriteOff', 'Result of a write-off.', {
    writtenOff: Type.Integer({ description: 'Number of lines.' }),
  }),
  example: { reason: 'test calls of the exchange', lines: [17, 18] },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: Needs<'ids' | 'db' | 'committer'>) {
    const { principal, body, now } = call;
    const lines = await writeOffLines(s, principal, await fileOf(s, call), body.lines, body.reason, now);
    if (lines === 0) throw refuse('STATE_CONFLICT', 'none of these lines is open; see the errors of the file');
    return { message: 'lines written off', content: { writtenOff: lines } };
  },
});
