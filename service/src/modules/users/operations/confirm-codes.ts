// POST /v1/session/codes: set up a code generator.
import { Type } from 'typebox';
import { roles } from '../../../core/roles.ts';
import { everybody, type Needs, operation, Secret } from '../../kernel/operation.ts';
import { confirmCodes as confirm } from '../second-factor.ts';
import { begunWithCodes, SessionWithRecoveryCodes } from '../session-reply.ts';
import type { HasSessions } from '../sessions.ts';

export const confirmCodes = operation({
  id: 'confirmCodes',
  method: 'POST',
  path: '/v1/session/codes',
  tag: 'Session',
  summary: 'Set up a code generator',
  description:
    'Takes a code to prove that the generator has the secret. Ends all sessions of the person and starts a new one: the cookie and the CSRF token change. Needs a recent sign-in.',
  audience: everybody,
  access: 'session',
  roles,
  body: Type.Object({
    setUp: Secret({ description: 'As startCodes returned it.', minLength: 1, maxLength: 1000 }),
    code: Secret({ description: 'The six digits that the generator shows.', minLength: 1, maxLength: 40 }),
  }),
  content: SessionWithRecoveryCodes,
  example: { setUp: 'v1:…', code: '492039' },
  refusals: ['SIGN_IN_AGAIN', 'STATE_CONFLICT'],
  async handle(
    { principal, body, now, network, agent },
    s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'vault'> & HasSessions,
  ) {
    const made = await confirm(s, principal, body, now, { network, agent });
    return begunWithCodes(s, made, 'codes are set up; keep the recovery codes, they are not shown again');
  },
});
