import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { endOtherSessions as endOthers } from '../live-sessions.ts';
import { begun, ownSessionChange, SessionContent } from '../session-reply.ts';
import type { HasSessions } from '../sessions.ts';

export const endOtherSessions = operation({
  ...ownSessionChange,
  id: 'endOtherSessions',
  method: 'POST',
  path: '/v1/session/end-others',
  summary: "End all of one's other sessions",
  description: 'Takes effect within a second. The cookie and the CSRF token of this session change.',
  body: Type.Object({}),
  content: SessionContent,
  example: {},
  async handle(call, s: Needs<'settings' | 'ids' | 'db' | 'committer'> & HasSessions) {
    return begun(s, await endOthers(s, call), 'other sessions ended');
  },
});
