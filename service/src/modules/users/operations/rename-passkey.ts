import { type Needs, operation, Text, Type } from '../../kernel/operation.ts';
import { Passkey } from '../passkey-shown.ts';
import { passkeyResource, renamePasskey as rename } from '../passkeys.ts';
import { ownSessionChange } from '../session-reply.ts';
import type { HasSessions } from '../sessions.ts';

export const renamePasskey = operation({
  ...ownSessionChange,
  id: 'renamePasskey',
  method: 'POST',
  path: '/v1/session/passkey/:passkeyId/name',
  summary: 'Rename a passkey',
  body: Type.Object({ name: Text('Name of the passkey, for its person.', 100) }),
  content: Passkey,
  example: { name: 'Telephone' },
  refusals: ['NOT_FOUND'],
  async handle({ principal, params, body, now }, s: Needs<'ids' | 'db' | 'committer'> & HasSessions) {
    const renamed = await rename(s, principal, params.passkeyId ?? '', body.name, now);
    return { message: 'passkey renamed', content: passkeyResource(renamed) };
  },
});
