// Let a disabled or locked person sign in again.
import { onUser, shown, UserResource, withinScopes } from '../administered-user.ts';
import { type ChangesUsers, enableUser as enable } from '../change-user.ts';

export const enableUser = onUser({
  id: 'enableUser',
  verb: 'enable',
  standing: 'active',
  summary: 'Let a disabled or locked person sign in again',
  example: 'back from leave',
  content: UserResource,
  async act(call, user, reason, s: ChangesUsers) {
    withinScopes(call, user.role);
    const after = await enable(s, call.principal, user, reason, call.now);
    return { message: 'user enabled', content: shown(call, after) };
  },
});
