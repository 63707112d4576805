import { reviewers, roles } from '../../../core/roles.ts';
import { said } from '../../../core/said.ts';
import type { HasAccounts } from '../../accounts/index.ts';
import type { LetsGo } from '../../kernel/lets-go.ts';
import { type Needs, operation, Reason, Type } from '../../kernel/operation.ts';
import { expectOpen, notOneself, shown, UserResource, userAsked, withinScopes } from '../administered-user.ts';
import { setRole } from '../change-user.ts';
import type { HasSessions } from '../sessions.ts';

export const setUserRole = operation({
  id: 'setUserRole',
  method: 'POST',
  path: '/v1/admin/user/:userId/role',
  tag: 'Users',
  summary: "Change a person's role",
  description:
    'Takes effect within a second. Reviews and cases of a person whose role may not work on them any more are unassigned.',
  audience: ['operator', 'psp', 'client'],
  standing: 'active',
  body: Type.Object({ role: Type.Enum(roles), reason: Reason }),
  content: UserResource,
  example: { role: 'reviewer', reason: 'joined the review team' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: Needs<'ids' | 'db' | 'committer'> & HasSessions & LetsGo & HasAccounts) {
    const user = await userAsked(s, call);
    notOneself(call, user, said`change your own role`);
    // The role before counts too: a narrow key could demote an administrator, and then reset their password.
    for (const role of [user.role, call.body.role]) withinScopes(call, role);
    if (call.body.role === 'administrator') await expectOpen(s, call.principal, user.account);
    const after = await setRole(s, call.principal, user, call.body.role, call.body.reason, call.now);
    if (!reviewers.includes(after.role)) await s.letGo(call, user.id);
    return { message: 'role changed', content: shown(call, after) };
  },
});
