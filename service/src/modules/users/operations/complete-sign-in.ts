import { refuse } from '../../../core/refusal.ts';
import { everybody, type Needs, operation, Secret, Type } from '../../kernel/operation.ts';
import { PasskeyUsed } from '../passkey-answers.ts';
import { checkPasskey } from '../passkeys.ts';
import { checkCode, completeSignIn as complete } from '../second-step.ts';
import { begun, SessionContent } from '../session-reply.ts';
import type { HasSessions } from '../sessions.ts';
import type { HasSignIns } from '../turns.ts';
import type { User } from '../user-store.ts';

export const completeSignIn = operation({
  id: 'completeSignIn',
  method: 'POST',
  path: '/v1/session/second-factor',
  tag: 'Session',
  summary: 'Sign in: the second step',
  description:
    'Takes the challenge that signIn returned with a code, a recovery code or the answer of a passkey to startPasskeySignIn, and sets the cookie `assay_session`. A code is accepted once. A wrong code counts as a failed sign-in; a wrong, used or late one and a locked sign-in get the same answer.',
  audience: everybody,
  access: 'open',
  body: Type.Object({
    challenge: Secret({ description: 'As signIn returned it.', minLength: 1, maxLength: 1000 }),
    code: Type.Optional(
      Secret({
        description: 'The six digits that the code generator shows, or a recovery code.',
        minLength: 1,
        maxLength: 40,
      }),
    ),
    passkey: Type.Optional(PasskeyUsed),
  }),
  content: SessionContent,
  example: { challenge: 'v1:…', code: '492039' },
  refusals: ['SIGN_IN_FAILED', 'RATE_LIMITED'],
  async handle(call, s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'vault'> & HasSessions & HasSignIns) {
    const { body, now } = call;
    const { code, passkey } = body;
    if ((code === undefined) === (passkey === undefined))
      throw refuse('FIELD_INVALID', "send either the field 'code' or the field 'passkey'");
    const check = passkey
      ? (user: User) => checkPasskey(s, user, passkey, now)
      : (user: User) => checkCode(s, user, code ?? '', now);
    const signedIn = await complete(s, body.challenge, check, call);
    return begun(s, signedIn, 'signed in');
  },
});
