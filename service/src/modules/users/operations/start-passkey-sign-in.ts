import { everybody, type Needs, operation, Type } from '../../kernel/operation.ts';
import { askForAny } from '../passkey-answers.ts';
import { PasskeyOptions } from '../passkey-shown.ts';

export const startPasskeySignIn = operation({
  id: 'startPasskeySignIn',
  method: 'POST',
  path: '/v1/session/passkey/sign-in/start',
  tag: 'Session',
  summary: 'Begin to sign in with a passkey',
  description: 'The same for everybody: the authenticator knows whose passkeys it has.',
  audience: everybody,
  access: 'open',
  body: Type.Object({}),
  content: PasskeyOptions,
  example: {},
  refusals: ['RATE_LIMITED', 'STATE_CONFLICT'],
  async handle({ now }, s: Needs<'settings' | 'vault'>) {
    return { message: 'use the passkey', content: { options: await askForAny(s, now) } };
  },
});
