import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { PasskeyOptions } from '../passkey-shown.ts';
import { startPasskey as start } from '../passkeys.ts';
import { ownSessionChange } from '../session-reply.ts';

export const startPasskey = operation({
  ...ownSessionChange,
  id: 'startPasskey',
  method: 'POST',
  path: '/v1/session/passkey/start',
  summary: 'Begin to add a passkey',
  description: 'Passkeys belong to the host name of BASE_URL, or to localhost. Needs a recent sign-in.',
  body: Type.Object({}),
  content: PasskeyOptions,
  example: {},
  refusals: ['SIGN_IN_AGAIN', 'STATE_CONFLICT'],
  async handle({ principal, now }, s: Needs<'settings' | 'db' | 'vault'>) {
    return { message: 'make the passkey', content: { options: await start(s, principal, now) } };
  },
});
