import { type Needs, operation } from '../../kernel/operation.ts';
import { removeCodes as remove } from '../second-factor.ts';
import { begun, ownSessionChange, SessionContent } from '../session-reply.ts';
import type { HasSessions } from '../sessions.ts';

export const removeCodes = operation({
  ...ownSessionChange,
  id: 'removeCodes',
  method: 'DELETE',
  path: '/v1/session/codes',
  summary: "Remove one's code generator",
  description:
    'Ends all sessions of the person and starts a new one: the cookie and the CSRF token change. Needs a recent sign-in.',
  content: SessionContent,
  refusals: ['SIGN_IN_AGAIN', 'NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: Needs<'settings' | 'ids' | 'db' | 'committer'> & HasSessions) {
    return begun(s, await remove(s, call), 'codes removed');
  },
});
