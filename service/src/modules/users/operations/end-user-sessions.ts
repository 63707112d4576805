// End the sessions of a person.
import { onUser, shown, UserResource } from '../administered-user.ts';
import type { ChangesUsers } from '../change-user.ts';
import { endAllSessions } from '../live-sessions.ts';

export const endUserSessions = onUser({
  id: 'endUserSessions',
  verb: 'end-sessions',
  summary: 'End all sessions of a person',
  description: 'Takes effect within a second. The person may sign in again.',
  example: 'left a session open in a shop',
  content: UserResource,
  async act(call, user, reason, s: ChangesUsers) {
    const after = await endAllSessions(s, call.principal, user, reason, call.now);
    return { message: 'sessions ended', content: shown(call, after) };
  },
});
