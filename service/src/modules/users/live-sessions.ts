// The sessions of a person: showing and ending them, by the person or by an administrator.
import { deviceInWords } from '../../core/device-words.ts';
import { fromWire, toWire } from '../../core/ids.ts';
import { notFound, refuse } from '../../core/refusal.ts';
import { Named, type Needs, Nullable, type Principal, resourceOf, Type } from '../kernel/operation.ts';
import type { SignedInNow } from './begin-session.ts';
import { type ChangesUsers, changeUser, endsSessions } from './change-user.ts';
import { ownSession } from './second-factor.ts';
import { idleMs, type NewSession, newSession } from './sessions.ts';
import type { OwnCall } from './sign-in-proof.ts';
import { findSession, liveSessions, type Session, sessionRow, type User } from './user-store.ts';

const LiveSession = Named('LiveSession', 'A session of a person that has not ended.', {
  sessionId: Type.String({ description: 'Id of the session, `ses_…`.' }),
  current: Type.Boolean({ description: 'Whether it is the session of this call.' }),
  device: Type.String({ description: 'The browser and its system in words, as the browser names itself.' }),
  method: Type.Enum(['PASSWORD', 'PASSKEY', 'PROVIDER'], { description: 'First proof of the sign-in.' }),
  secondFactor: Nullable(
    Type.Enum(['CODE', 'RECOVERY_CODE', 'PASSKEY', 'PROVIDER'], {
      description: 'The second factor of the sign-in; null if there was none. A passkey needs none.',
    }),
  ),
  network: Nullable(
    Type.String({ description: 'Network in which it began: an IPv4 /24 (`203.0.113.0/24`) or an IPv6 /64.' }),
  ),
  seenNetwork: Nullable(Type.String({ description: 'Network of the last call; noted about every 30 seconds.' })),
  createdAt: Type.String({ description: 'When it began, ISO 8601 UTC.' }),
  seenAt: Type.String({ description: 'Time of the last call, ISO 8601 UTC; noted about every 30 seconds.' }),
  expiresAt: Type.String({ description: 'When it ends at the latest, ISO 8601 UTC.' }),
});
export const LiveSessions = Type.Object({ items: Type.Array(LiveSession) });

/** @param current the session of the call (UUID) */
export async function sessionsOf(s: Needs<'db'>, user: User, now: number, current: string | undefined) {
  const idleSince = new Date(now - idleMs).toISOString();
  const live = await liveSessions(s.db, user, new Date(now).toISOString(), idleSince);
  return { items: live.map((session) => resource(session, current)) };
}

const resource = (session: Session, current: string | undefined) =>
  resourceOf(LiveSession, session, {
    sessionId: toWire('session', session.id),
    current: session.id === current,
    device: deviceInWords(session.agent),
  });

/** Ends one session of a person. @throws NOT_FOUND if the person has no such session */
export async function endSession(
  s: ChangesUsers & Needs<'db'>,
  by: Principal,
  user: User,
  wire: string,
  now: number,
): Promise<void> {
  const id = fromWire('session', wire);
  const found = id === undefined ? undefined : await findSession(s.db, id);
  if (!found || found.user.id !== user.id || found.session.endedAt !== null) throw notFound();
  const endedAt = new Date(now).toISOString();
  await changeUser(s, by, user, now, {
    kind: 'user.sessions_ended',
    evidence: { sessionId: wire, reason: null },
    to: () => ({}),
    rows: () => [sessionRow({ ...found.session, endedAt })],
  });
}

/** Ends all sessions of a person. */
export const endAllSessions = (s: ChangesUsers, by: Principal, user: User, reason: string, now: number) =>
  changeUser(s, by, user, now, {
    kind: 'user.sessions_ended',
    evidence: { sessionId: null, reason },
    to: endsSessions,
  });

/** Ends all sessions of the caller but this one, which a new one replaces. */
export async function endOtherSessions(s: ChangesUsers & Needs<'db'>, call: OwnCall): Promise<SignedInNow> {
  const { principal, now } = call;
  const { user, session } = await ownSession(s, principal);
  let begun: NewSession | undefined;
  const after = await changeUser(s, principal, user, now, {
    kind: 'user.sessions_ended',
    evidence: { sessionId: null, reason: null },
    to: endsSessions,
    rows(u) {
      // It ends when this one would have.
      const next = newSession(s, u, session, call);
      begun = { ...next, session: { ...next.session, createdAt: session.createdAt, expiresAt: session.expiresAt } };
      return [sessionRow(begun.session)];
    },
  });
  if (!begun) throw refuse('STATE_CONFLICT', 'there is nothing to end');
  return { ...begun, user: after };
}
