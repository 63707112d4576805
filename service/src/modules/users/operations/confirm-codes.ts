import { type Needs, operation, Secret, Type } from '../../kernel/operation.ts';
import { confirmCodes as confirm } from '../second-factor.ts';
import { begunWithCodes, ownSessionChange, SessionWithRecoveryCodes } from '../session-reply.ts';
import type { HasSessions } from '../sessions.ts';

export const confirmCodes = operation({
  ...ownSessionChange,
  id: 'confirmCodes',
  method: 'POST',
  path: '/v1/session/codes',
  summary: 'Set up a code generator',
  description:
    'Takes a code to prove that the generator has the secret. Ends all sessions of the person and starts a new one: the cookie and the CSRF token change. Needs a recent sign-in.',
  body: Type.Object({
    setUp: Secret({ description: 'As startCodes returned it.', minLength: 1, maxLength: 1000 }),
    code: Secret({ description: 'The six digits that the generator shows.', minLength: 1, maxLength: 40 }),
  }),
  content: SessionWithRecoveryCodes,
  example: { setUp: 'v1:…', code: '492039' },
  refusals: ['SIGN_IN_AGAIN', 'STATE_CONFLICT'],
  async handle(call, s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'vault'> & HasSessions) {
    const made = await confirm(s, call, call.body);
    const keep = made.recoveryCodes.length === 0 ? '' : '; keep the recovery codes, they are not shown again';
    return begunWithCodes(s, made, `codes are set up${keep}`);
  },
});
