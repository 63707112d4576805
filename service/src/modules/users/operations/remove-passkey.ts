import { type Needs, operation } from '../../kernel/operation.ts';
import { removePasskey as remove } from '../passkeys.ts';
import { begun, ownSessionChange, SessionContent } from '../session-reply.ts';
import type { HasSessions } from '../sessions.ts';

export const removePasskey = operation({
  ...ownSessionChange,
  id: 'removePasskey',
  method: 'DELETE',
  path: '/v1/session/passkey/:passkeyId',
  summary: 'Remove a passkey',
  description:
    'Ends all sessions of the person and starts a new one: the cookie and the CSRF token change. Needs a recent sign-in.',
  content: SessionContent,
  refusals: ['SIGN_IN_AGAIN', 'NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: Needs<'settings' | 'ids' | 'db' | 'committer'> & HasSessions) {
    return begun(s, await remove(s, call, call.params.passkeyId ?? ''), 'passkey removed');
  },
});
