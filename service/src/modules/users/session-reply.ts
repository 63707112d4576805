// The reply that starts a session: its content and its cookie.
import { toWire } from '../../core/ids.ts';
import { roles } from '../../core/roles.ts';
import { viewFields } from '../../entries/authorities.ts';
import { clientId, viewResource } from '../accounts/index.ts';
import { Extended, everybody, Named, type Needs, type Reply, Type } from '../kernel/operation.ts';
import { type Challenge, challengeMs, makeChallenge } from './challenge.ts';
import type { WithRecoveryCodes } from './second-factor.ts';
import { csrfToken, longestMs, type NewSession, sessionCookie, sessionEnded } from './sessions.ts';
import { firstOf } from './sign-in-proof.ts';
import { findSession, type User } from './user-store.ts';

export const SessionContent = Named('Session', 'The session of a person who signed in.', {
  user: Named('SessionUser', 'The person who signed in.', {
    userId: Type.String(),
    email: Type.String(),
    name: Type.String({ description: 'Full name.' }),
    role: Type.Enum(roles),
    mustChangePassword: Type.Boolean(),
    mustSetUpSecondFactor: Type.Boolean({
      description: 'Whether a second factor must be set up before anything else (REQUIRE_SECOND_FACTOR).',
    }),
  }),
  account: Named('SessionAccount', 'The account that the person works for.', {
    kind: Type.Enum(['operator', 'psp', 'client', 'authority'], {
      description: 'Kind of account: operator, PSP, client or authority.',
    }),
    accountId: Type.String(),
    name: Type.String({ description: 'Registered name of the account.' }),
    view: Type.Optional(Named('SessionView', 'For people of an authority: what they see.', viewFields)),
  }),
  csrfToken: Type.String({ description: 'Send it in the header `x-csrf-token` of every call other than GET.' }),
  expiresAt: Type.String({ description: 'Latest end of the session; an hour without a call also ends it.' }),
});

export const SessionWithRecoveryCodes = Extended(
  SessionContent,
  'SessionWithRecoveryCodes',
  'A new session, and recovery codes.',
  {
    recoveryCodes: Type.Array(Type.String(), {
      description: 'Each signs in once in place of a code; shown only in this response. Empty if the person has some.',
    }),
  },
);

/** The session cookie, with the session's maximum lifetime; without a token, its removal. */
export function cookie(s: Needs<'settings'>, token: string | undefined): Record<string, string> {
  const secure = s.settings.baseUrl?.startsWith('https:') ? '; Secure' : '';
  const age = token === undefined ? 0 : longestMs / 1000;
  return {
    'set-cookie': `${sessionCookie}=${token ?? ''}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}${secure}`,
  };
}

export const SecondFactorAsked = Named('SecondFactorAsked', 'A sign-in that waits for its second step.', {
  challenge: Type.String({ description: 'Send it to completeSignIn within five minutes; it opens nothing by itself.' }),
  methods: Type.Array(Type.Enum(['CODE', 'RECOVERY_CODE', 'PASSKEY']), {
    description: 'Proofs that are accepted as the second step.',
  }),
  expiresAt: Type.String({ description: 'When the challenge ends, ISO 8601 UTC.' }),
});

/** The answer to a first step that is not enough: a challenge, and no cookie. */
export function asked(
  s: Needs<'vault'>,
  user: User,
  first: Pick<Challenge, 'method' | 'identity'>,
  now: number,
): Reply {
  return {
    message: 'give the second factor',
    content: {
      challenge: makeChallenge(s.vault, user, first, now),
      methods: [
        ...(user.totpSince === null ? [] : ['CODE']),
        ...((user.recoveryCodes ?? []).length > 0 ? ['RECOVERY_CODE'] : []),
        ...((user.passkeys ?? []).length > 0 ? ['PASSKEY'] : []),
      ],
      expiresAt: new Date(now + challengeMs).toISOString(),
    },
  };
}

export async function shown(
  s: Needs<'settings' | 'db'>,
  { id, csrfToken }: { id: string; csrfToken: string },
  message: string,
  headers: Record<string, string>,
): Promise<Reply> {
  const found = await findSession(s.db, id);
  if (!found) throw sessionEnded();
  const { user, account, session } = found;
  const first = firstOf(s.settings.requireSecondFactor, user, session);
  return {
    message,
    headers,
    content: {
      user: {
        userId: toWire('user', user.id),
        email: user.email,
        name: user.name,
        role: user.role,
        mustChangePassword: first === 'PASSWORD',
        mustSetUpSecondFactor: first === 'SECOND_FACTOR',
      },
      account: {
        kind: account.kind,
        accountId: clientId({ psp: user.psp, id: user.account }),
        name: account.name,
        ...(account.view === undefined ? {} : { view: viewResource(account.view) }),
      },
      csrfToken,
      expiresAt: session.expiresAt,
    },
  };
}

export const begun = (s: Needs<'settings' | 'db'>, { token, session }: NewSession, message: string): Promise<Reply> =>
  shown(s, { id: session.id, csrfToken: csrfToken(token) }, message, cookie(s, token));

export async function begunWithCodes(
  s: Needs<'settings' | 'db'>,
  { begun: { token, session }, recoveryCodes }: WithRecoveryCodes,
  message: string,
): Promise<Reply> {
  const reply = await begun(s, { token, session }, message);
  return { ...reply, content: { ...(reply.content as object), recoveryCodes } };
}

/** What every operation declares by which a person changes how they sign in: for everybody who has signed in. */
export const ownSessionChange = { tag: 'Session', audience: everybody, access: 'session', roles } as const;
