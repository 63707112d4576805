import { type Needs, operation, Text, Type } from '../../kernel/operation.ts';
import { PasskeyMade } from '../passkey-answers.ts';
import { addPasskey as add } from '../passkeys.ts';
import { begunWithCodes, ownSessionChange, SessionWithRecoveryCodes } from '../session-reply.ts';
import type { HasSessions } from '../sessions.ts';

export const addPasskey = operation({
  ...ownSessionChange,
  id: 'addPasskey',
  method: 'POST',
  path: '/v1/session/passkey',
  summary: 'Add a passkey',
  description:
    'Ends all sessions of the person and starts a new one: the cookie and the CSRF token change. Needs a recent sign-in.',
  body: Type.Object({ name: Text('Name of the passkey, for its person.', 100), passkey: PasskeyMade }),
  content: SessionWithRecoveryCodes,
  example: {
    name: 'Laptop',
    passkey: {
      id: 'AQID',
      rawId: 'AQID',
      type: 'public-key',
      response: { clientDataJSON: 'e30', attestationObject: 'oA', transports: ['internal'] },
    },
  },
  refusals: ['SIGN_IN_AGAIN', 'STATE_CONFLICT', 'ALREADY_REGISTERED', 'LIMIT_REACHED'],
  async handle(call, s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'vault'> & HasSessions) {
    return begunWithCodes(s, await add(s, call, call.body), 'passkey added');
  },
});
