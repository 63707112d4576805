// DELETE /v1/session/codes: remove one's code generator.
import { roles } from '../../../core/roles.ts';
import { everybody, type Needs, operation } from '../../kernel/operation.ts';
import { removeCodes as remove } from '../second-factor.ts';
import { begun, SessionContent } from '../session-reply.ts';
import type { HasSessions } from '../sessions.ts';

export const removeCodes = operation({
  id: 'removeCodes',
  method: 'DELETE',
  path: '/v1/session/codes',
  tag: 'Session',
  summary: "Remove one's code generator",
  description:
    'Ends all sessions of the person and starts a new one: the cookie and the CSRF token change. Needs a recent sign-in.',
  audience: everybody,
  access: 'session',
  roles,
  content: SessionContent,
  refusals: ['SIGN_IN_AGAIN', 'NOT_FOUND', 'STATE_CONFLICT'],
  async handle({ principal, now, network, agent }, s: Needs<'settings' | 'ids' | 'db' | 'committer'> & HasSessions) {
    return begun(s, await remove(s, principal, now, { network, agent }), 'codes removed');
  },
});
