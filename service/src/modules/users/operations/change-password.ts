import { longestPassword } from '../../../platform/passwords.ts';
import { type Needs, operation, Secret, Type } from '../../kernel/operation.ts';
import { begun, ownSessionChange, SessionContent } from '../session-reply.ts';
import type { HasSessions } from '../sessions.ts';
import { changePassword as change, shortestPassword } from '../sign-in.ts';
import type { HasSignIns } from '../turns.ts';

export const changePassword = operation({
  ...ownSessionChange,
  id: 'changePassword',
  method: 'POST',
  path: '/v1/session/password',
  summary: "Change one's own password",
  description: 'Ends all sessions of the person and starts a new one: the cookie and the CSRF token change.',
  body: Type.Object({
    currentPassword: Secret({ minLength: 1, maxLength: longestPassword }),
    newPassword: Secret({
      description: "Must not contain the person's name or e-mail.",
      minLength: shortestPassword,
      maxLength: longestPassword,
    }),
  }),
  content: SessionContent,
  example: { currentPassword: 'the one-time password', newPassword: 'four words you remember' },
  refusals: ['SIGN_IN_FAILED', 'VERSION_CONFLICT'],
  async handle(call, s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'passwords'> & HasSessions & HasSignIns) {
    const { currentPassword, newPassword } = call.body;
    return begun(s, await change(s, call, currentPassword, newPassword), 'password changed');
  },
});
