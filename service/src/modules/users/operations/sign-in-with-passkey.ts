import { everybody, type Needs, operation, Type } from '../../kernel/operation.ts';
import { PasskeyUsed } from '../passkey-answers.ts';
import { signInWithPasskey as signIn } from '../passkeys.ts';
import { begun, SessionContent } from '../session-reply.ts';
import type { HasSessions } from '../sessions.ts';
import type { HasSignIns } from '../turns.ts';

export const signInWithPasskey = operation({
  id: 'signInWithPasskey',
  method: 'POST',
  path: '/v1/session/passkey/sign-in',
  tag: 'Session',
  summary: 'Sign in with a passkey',
  description:
    'Sets the cookie `assay_session`. The passkey has checked its holder, so that neither password nor second factor is needed. An unknown passkey, a wrong or repeated answer and a disabled person get the same answer.',
  audience: everybody,
  access: 'open',
  body: Type.Object({ passkey: PasskeyUsed }),
  content: SessionContent,
  example: {
    passkey: {
      id: 'AQID',
      rawId: 'AQID',
      type: 'public-key',
      response: { clientDataJSON: 'e30', authenticatorData: 'AQID', signature: 'AQID', userHandle: 'AQID' },
    },
  },
  refusals: ['SIGN_IN_FAILED', 'RATE_LIMITED', 'STATE_CONFLICT'],
  async handle(call, s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'vault'> & HasSessions & HasSignIns) {
    return begun(s, await signIn(s, call.body.passkey, call), 'signed in');
  },
});
