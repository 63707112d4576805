// Signing in to the console: the session as a cookie that scripts cannot read, and changing one's own password.
import { Type } from 'typebox';
import { accountFromWire, nobody, toWire } from '../../../core/ids.ts';
import { roles } from '../../../core/roles.ts';
import { longestPassword } from '../../../platform/passwords.ts';
import { clientId } from '../../accounts/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { Named, operation, type Reply, Secret } from '../../kernel/operation.ts';
import { csrfToken, type HasSessions, longestMs, type NewSession, sessionCookie, sessionEnded } from '../sessions.ts';
import { changePassword, shortestPassword, signIn, signOut } from '../sign-in.ts';
import type { HasSignIns } from '../turns.ts';
import { findSession } from '../user-store.ts';

const SessionContent = Named('Session', 'The session of a person who signed in.', {
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
function cookie(s: Needs<'settings'>, token: string | undefined): Record<string, string> {
  const secure = s.settings.baseUrl?.startsWith('https:') ? '; Secure' : '';
  const age = token === undefined ? 0 : longestMs / 1000;
  return {
    'set-cookie': `${sessionCookie}=${token ?? ''}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}${secure}`,
  };
}

async function shown(
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

const begun = (s: Needs<'settings' | 'db'>, { token, session }: NewSession, message: string): Promise<Reply> =>
  shown(s, { id: session.id, csrfToken: csrfToken(token) }, message, cookie(s, token));

export const startSession = operation({
  id: 'signIn',
  method: 'POST',
  path: '/v1/session',
  tag: 'Session',
  summary: 'Sign in',
  description:
    'Sets the cookie `assay_session`. Five failures lock the sign-in for 15 minutes; an unknown e-mail, a wrong password and a locked sign-in get the same answer.',
  audience: ['operator', 'psp'],
  access: 'open',
  body: Type.Object({
    email: Type.String({ minLength: 3, maxLength: 254, 'x-characters': 'any' }),
    password: Secret({ minLength: 1, maxLength: longestPassword }),
    accountId: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Account the person works for; needed if an e-mail has the same password at several accounts.',
      }),
    ),
  }),
  content: SessionContent,
  example: { email: 'ada@example.com', password: 'correct horse battery' },
  refusals: ['SIGN_IN_FAILED', 'RATE_LIMITED'],
  async handle(
    { body, now },
    s: Needs<'settings' | 'ids' | 'log' | 'db' | 'committer' | 'passwords'> & HasSessions & HasSignIns,
  ) {
    // An invalid account id becomes a non-existent account, so that the answer takes as long.
    const account = body.accountId === undefined ? undefined : (accountFromWire(body.accountId) ?? nobody);
    return begun(s, await signIn(s, body.email, body.password, account, now), 'signed in');
  },
});

export const getSession = operation({
  id: 'getSession',
  method: 'GET',
  path: '/v1/session',
  tag: 'Session',
  summary: 'The current session',
  audience: ['operator', 'psp'],
  access: 'session',
  content: SessionContent,
  async handle({ principal }, s: Needs<'db'>) {
    if (!principal.session) throw sessionEnded();
    return shown(s, principal.session, 'session', {});
  },
});

export const endSession = operation({
  id: 'signOut',
  method: 'DELETE',
  path: '/v1/session',
  tag: 'Session',
  summary: 'Sign out',
  audience: ['operator', 'psp'],
  access: 'session',
  roles,
  content: Type.Object({}),
  async handle({ principal, now }, s: Needs<'settings' | 'ids' | 'db' | 'committer'> & HasSessions) {
    await signOut(s, principal, now);
    return { message: 'signed out', content: {}, headers: cookie(s, undefined) };
  },
});

export const setOwnPassword = operation({
  id: 'changePassword',
  method: 'POST',
  path: '/v1/session/password',
  tag: 'Session',
  summary: "Change one's own password",
  description: 'Ends all sessions of the person and starts a new one: the cookie and the CSRF token change.',
  audience: ['operator', 'psp'],
  access: 'session',
  roles,
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
    { principal, body, now },
    s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'passwords'> & HasSessions,
  ) {
    return begun(
      s,
      await changePassword(s, principal, body.currentPassword, body.newPassword, now),
      'password changed',
    );
  },
});
