import { refuse } from '../../../core/refusal.ts';
import { Named, type Needs, Nullable, operation, Reason, Type } from '../../kernel/operation.ts';
import { fileOf } from '../cdr-file-params.ts';
import type { HasCdrIntake } from '../files/intake.ts';
import { withdrawPortion } from '../files/withdraw-file.ts';

export const withdrawCdrFile = operation({
  id: 'withdrawCdrFile',
  method: 'POST',
  path: '/v1/telecom/file/:fileId/withdraw',
  tag: 'Telecom',
  summary: 'Withdraw the records of a call detail file',
  description:
    'Withdraws what the file recorded and is in force, as withdrawCdr does for one record. Each call processes some thousand records at most: while `next` is not null, call again with it as `after`. Repeating a call changes nothing. Records that the file corrected stay withdrawn; lines that were duplicates are records of another file.',
  audience: ['psp', 'client'],
  body: Type.Object({
    reason: Reason,
    after: Type.Optional(Type.Integer({ description: '`next` of the previous call.', minimum: 0 })),
  }),
  content: Named('WithdrawnLines', 'A portion of a file that was withdrawn.', {
    withdrawn: Type.Integer({ description: 'Records that this call withdrew.' }),
    next: Nullable(Type.Integer()),
  }),
  example: { reason: 'the file was rated by the tariff of another month' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: Needs<'ids' | 'db' | 'committer'> & HasCdrIntake) {
    const { principal, body, now } = call;
    const file = await fileOf(s, call);
    if (file.completedAt === null)
      throw refuse('STATE_CONFLICT', 'the file is still being read; try again when it is done');
    const { withdrawn, next = null } = await withdrawPortion(s, principal, file, body.reason, body.after ?? 0, now);
    // Also where nothing was left to withdraw: the process of an earlier call may have ended before it wrote the status.
    if (withdrawn > 0 || next === null) await s.cdrIntake.keepPublished(file);
    return {
      message: next === null ? 'all records of the file were looked at' : 'a portion was withdrawn; go on after it',
      content: { withdrawn, next },
    };
  },
});
