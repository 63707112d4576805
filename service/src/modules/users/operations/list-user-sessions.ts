import { type Needs, operation } from '../../kernel/operation.ts';
import { userAsked } from '../administered-user.ts';
import { LiveSessions, sessionsOf } from '../live-sessions.ts';

export const listUserSessions = operation({
  id: 'listUserSessions',
  method: 'GET',
  path: '/v1/admin/user/:userId/session',
  tag: 'Users',
  summary: 'Sessions of a person',
  audience: ['operator', 'psp', 'client'],
  roles: ['administrator'],
  content: LiveSessions,
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'>) {
    const user = await userAsked(s, call);
    return { message: 'sessions', content: await sessionsOf(s, user, call.now, call.principal.session?.id) };
  },
});
