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
  async handle(
    { principal, body, now, network, agent },
    s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'passwords'> & HasSessions & HasSignIns,
  ) {
    return begun(
      s,
      await change(s, principal, body.currentPassword, body.newPassword, now, { network, agent }),
      'password changed',
    );
  },
});
