// The reply that starts a session: its content and its cookie.
import { Type } from 'typebox';
import { toWire } from '../../core/ids.ts';
import { roles } from '../../core/roles.ts';
import { clientId } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { Named, type Reply } from '../kernel/operation.ts';
import { csrfToken, longestMs, type NewSession, sessionCookie, sessionEnded } from './sessions.ts';
import { findSession } from './user-store.ts';

export const SessionContent = Named('Session', 'The session of a person who signed in.', {
  user: Named('SessionUser', 'The person who signed in.', {
    userId: Type.String(),
    email: Type.String(),
    name: Type.String(),
    role: Type.Enum([...roles]),
    mustChangePassword: Type.Boolean(),
  }),
  account: Named('SessionAccount', 'The account that the person works for.', {
    kind: Type.Enum(['operator', 'psp']),
    accountId: Type.String(),
    name: Type.String(),
  }),
  csrfToken: Type.String({ description: 'Send it in the header `x-csrf-token` of every call other than GET.' }),
  expiresAt: Type.String({ description: 'When the session ends at the latest; an hour without a call also ends it.' }),
});

/** The session cookie, with the session's maximum lifetime; without a token, its removal. */
export function cookie(s: Needs<'settings'>, token: string | undefined): Record<string, string> {
  const secure = s.settings.baseUrl?.startsWith('https:') ? '; Secure' : '';
  const age = token === undefined ? 0 : longestMs / 1000;
  return {
    'set-cookie': `${sessionCookie}=${token ?? ''}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}${secure}`,
  };
}

export async function shown(
  s: Needs<'db'>,
  { id, csrfToken }: { id: string; csrfToken: string },
  message: string,
  headers: Record<string, string>,
): Promise<Reply> {
  const found = await findSession(s.db, id);
  if (!found) throw sessionEnded();
  const { user, account, session } = found;
  return {
    message,
    headers,
    content: {
      user: {
        userId: toWire('user', user.id),
        email: user.email,
        name: user.name,
        role: user.role,
        mustChangePassword: user.passwordKind === 'ONE_TIME',
      },
      account: { kind: account.kind, accountId: clientId({ psp: user.psp, id: user.account }), name: account.name },
      csrfToken,
      expiresAt: session.expiresAt,
    },
  };
}

export const begun = (s: Needs<'settings' | 'db'>, { token, session }: NewSession, message: string): Promise<Reply> =>
  shown(s, { id: session.id, csrfToken: csrfToken(token) }, message, cookie(s, token));
