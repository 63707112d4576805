import { accountFromWire, nobody } from '../../../core/ids.ts';
import { longestPassword } from '../../../platform/passwords.ts';
import { everybody, type Needs, operation, Secret, Type } from '../../kernel/operation.ts';
import { asked, begun, SecondFactorAsked, SessionContent } from '../session-reply.ts';
import type { HasSessions } from '../sessions.ts';
import { signIn as begin } from '../sign-in.ts';
import type { HasSignIns } from '../turns.ts';

export const signIn = operation({
  id: 'signIn',
  method: 'POST',
  path: '/v1/session',
  tag: 'Session',
  summary: 'Sign in',
  description:
    'Sets the cookie `assay_session`. Five failures lock the sign-in for 15 minutes, where the person has not signed in before and where they came from; an unknown e-mail, a wrong password and a locked sign-in get the same answer. A person with a second factor gets a challenge in place of the cookie.',
  audience: everybody,
  access: 'open',
  body: Type.Object({
    email: Type.String({ minLength: 3, maxLength: 254, 'x-characters': 'any' }),
    password: Secret({ minLength: 1, maxLength: longestPassword }),
    accountId: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Account the person works for; needed if an e-mail has the same password at several accounts.',
      }),
    ),
  }),
  content: Type.Union([SessionContent, SecondFactorAsked]),
  example: { email: 'ada@example.com', password: 'correct horse battery' },
  refusals: ['SIGN_IN_FAILED', 'RATE_LIMITED'],
  async handle(
    call,
    s: Needs<'settings' | 'vault' | 'ids' | 'log' | 'db' | 'committer' | 'passwords'> & HasSessions & HasSignIns,
  ) {
    const { body, now } = call;
    // An invalid account id becomes a non-existent account, so that the answer takes as long.
    const account = body.accountId === undefined ? undefined : (accountFromWire(body.accountId) ?? nobody);
    const answer = await begin(s, body.email, body.password, account, call);
    return 'half' in answer ? asked(s, answer.half, { method: 'PASSWORD' }, now) : begun(s, answer, 'signed in');
  },
});
