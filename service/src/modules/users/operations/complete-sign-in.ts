// POST /v1/session/second-factor: the second step of a sign-in.
import { Type } from 'typebox';
import type { Needs } from '../../kernel/needs.ts';
import { operation, Secret } from '../../kernel/operation.ts';
import { byCode, completeSignIn as complete } from '../second-step.ts';
import { begun, SessionContent } from '../session-reply.ts';
import type { HasSessions } from '../sessions.ts';
import type { HasSignIns } from '../turns.ts';

export const completeSignIn = operation({
  id: 'completeSignIn',
  method: 'POST',
  path: '/v1/session/second-factor',
  tag: 'Session',
  summary: 'Sign in: the second step',
  description:
    'Takes the challenge that signIn returned, and sets the cookie `assay_session`. A code is accepted once. A wrong code counts as a failed sign-in; a wrong, used or late one and a locked sign-in get the same answer.',
  audience: ['operator', 'psp'],
  access: 'open',
  body: Type.Object({
    challenge: Secret({ description: 'As signIn returned it.', minLength: 1, maxLength: 1000 }),
    code: Secret({
      description: 'The six digits that the code generator shows, or a recovery code.',
      minLength: 1,
      maxLength: 40,
    }),
  }),
  content: SessionContent,
  example: { challenge: 'v1:…', code: '492039' },
  refusals: ['SIGN_IN_FAILED', 'RATE_LIMITED'],
  async handle(
    { body, now, network, agent },
    s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'vault'> & HasSessions & HasSignIns,
  ) {
    const signedIn = await complete(s, body.challenge, byCode(s, body.code, now), now, { network, agent });
    return begun(s, signedIn, 'signed in');
  },
});
