import { everybody, type Needs, operation } from '../../kernel/operation.ts';
import { LiveSessions, sessionsOf } from '../live-sessions.ts';
import { ownSession } from '../second-factor.ts';

export const listOwnSessions = operation({
  id: 'listOwnSessions',
  method: 'GET',
  path: '/v1/session/all',
  tag: 'Session',
  summary: "One's own sessions",
  audience: everybody,
  access: 'session',
  content: LiveSessions,
  async handle({ principal, now }, s: Needs<'db'>) {
    const { user, session } = await ownSession(s, principal);
    return { message: 'sessions', content: await sessionsOf(s, user, now, session.id) };
  },
});
