import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { cookie, ownSessionChange } from '../session-reply.ts';
import type { HasSessions } from '../sessions.ts';
import { signOut as end } from '../sign-in.ts';

export const signOut = operation({
  ...ownSessionChange,
  id: 'signOut',
  method: 'DELETE',
  path: '/v1/session',
  summary: 'Sign out',
  content: Type.Object({}),
  async handle({ principal, now }, s: Needs<'settings' | 'ids' | 'db' | 'committer'> & HasSessions) {
    await end(s, principal, now);
    return { message: 'signed out', content: {}, headers: cookie(s, undefined) };
  },
});
