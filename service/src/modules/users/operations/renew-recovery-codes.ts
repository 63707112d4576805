import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { renewRecoveryCodes as renew } from '../second-factor.ts';
import { ownSessionChange } from '../session-reply.ts';
import type { HasSessions } from '../sessions.ts';

const RecoveryCodes = Named('RecoveryCodes', 'New recovery codes.', {
  recoveryCodes: Type.Array(Type.String(), {
    description: 'Each signs in once in place of a code; shown only in this response.',
  }),
});

export const renewRecoveryCodes = operation({
  ...ownSessionChange,
  id: 'renewRecoveryCodes',
  method: 'POST',
  path: '/v1/session/recovery-codes',
  summary: 'Make new recovery codes',
  description: 'The former ones end. Needs a recent sign-in.',
  body: Type.Object({}),
  content: RecoveryCodes,
  example: {},
  refusals: ['SIGN_IN_AGAIN', 'STATE_CONFLICT'],
  async handle({ principal, now }, s: Needs<'ids' | 'db' | 'committer'> & HasSessions) {
    const recoveryCodes = await renew(s, principal, now);
    return { message: 'keep the recovery codes; they are not shown again', content: { recoveryCodes } };
  },
});
