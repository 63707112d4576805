// Let a disabled or locked person sign in again.

import type { HasAccounts } from '../../accounts/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { expectOpen, onUser, shown, UserResource, withinScopes } from '../administered-user.ts';
import { type ChangesUsers, enableUser as enable } from '../change-user.ts';

export const enableUser = onUser({
  id: 'enableUser',
  verb: 'enable',
  standing: 'active',
  summary: 'Let a disabled or locked person sign in again',
  example: 'back from leave',
  refusals: ['STATE_CONFLICT'],
  content: UserResource,
  async act(call, user, reason, s: ChangesUsers & Needs<'db'> & HasAccounts) {
    withinScopes(call, user.role);
    await expectOpen(s, call.principal, user.account);
    const after = await enable(s, call.principal, user, reason, call.now);
    return { message: 'user enabled', content: shown(call, after) };
  },
});
