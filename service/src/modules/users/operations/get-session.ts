import { everybody, type Needs, operation } from '../../kernel/operation.ts';
import { SessionContent, shown } from '../session-reply.ts';
import { sessionEnded } from '../sessions.ts';

export const getSession = operation({
  id: 'getSession',
  method: 'GET',
  path: '/v1/session',
  tag: 'Session',
  summary: 'The current session',
  audience: everybody,
  access: 'session',
  content: SessionContent,
  async handle({ principal }, s: Needs<'settings' | 'db'>) {
    if (!principal.session) throw sessionEnded();
    return shown(s, principal.session, 'session', {});
  },
});
