// Give a person a new one-time password.
import { said } from '../../../core/said.ts';
import type { Needs } from '../../kernel/needs.ts';
import { notOneself, onUser, shown, WithPassword, withinScopes } from '../administered-user.ts';
import { resetPassword as reset } from '../change-user.ts';
import type { HasSessions } from '../sessions.ts';

export const resetPassword = onUser({
  id: 'resetPassword',
  verb: 'password',
  standing: 'active',
  summary: 'Give a person a new one-time password',
  description: 'All sessions of the person end, and a lock is removed.',
  example: 'password forgotten',
  refusals: ['STATE_CONFLICT'],
  content: WithPassword,
  async act(call, user, reason, s: Needs<'ids' | 'db' | 'committer' | 'passwords'> & HasSessions) {
    notOneself(call, user, said`reset your own password; change it instead`);
    withinScopes(call, user.role);
    const made = await reset(s, call.principal, user, reason, call.now);
    return {
      message: 'password reset; hand it over, it is not shown again',
      content: { user: shown(call, made.user), password: made.password },
    };
  },
});
