// Give a person a new one-time password.
import { said } from '../../../core/said.ts';
import type { HasAccounts } from '../../accounts/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { expectOpen, notOneself, onUser, shown, WithPassword, withinScopes } from '../administered-user.ts';
import { resetPassword as reset } from '../change-user.ts';
import type { HasSessions } from '../sessions.ts';

export const resetPassword = onUser({
  id: 'resetPassword',
  verb: 'password',
  standing: 'active',
  summary: 'Give a person a new one-time password',
  description: 'Ends all sessions of the person, and a lock.',
  example: 'password forgotten',
  refusals: ['STATE_CONFLICT'],
  content: WithPassword,
  async act(call, user, reason, s: Needs<'ids' | 'db' | 'committer' | 'passwords'> & HasSessions & HasAccounts) {
    notOneself(call, user, said`reset your own password; change it instead`);
    withinScopes(call, user.role);
    await expectOpen(s, call.principal, user.account);
    const made = await reset(s, call.principal, user, reason, call.now);
    return {
      message: 'password reset; hand it over, it is not shown again',
      content: { user: shown(call, made.user), password: made.password },
    };
  },
});
