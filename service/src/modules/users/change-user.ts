// Changes to people who sign in: created, changed, given a password. Every change is a command with a journal entry;
// the e-mail's gate counts them, so that each is made once and in order.
import type { EventKind } from '../../core/events.ts';
import { notFound, type Refusal, refuse } from '../../core/refusal.ts';
import { type Role, rolesIn } from '../../core/roles.ts';
import { either, phrase, said } from '../../core/said.ts';
import type { Content, WrittenSchema } from '../../entries/index.ts';
import { need, type RefKey, type Row } from '../../platform/committer.ts';
import { makePassword } from '../../platform/passwords.ts';
import { findAnyAccount } from '../accounts/index.ts';
import { about, type Entry, journalRow } from '../kernel/journal.ts';
import type { LetsGo } from '../kernel/lets-go.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { refHeld } from '../kernel/refs.ts';
import { sealPersonal } from '../kernel/subjects.ts';
import type { HasSessions } from './sessions.ts';
import { findUsersByEmail, heldUsers, plainEmail, type User, userEntry, userRef, userRow } from './user-store.ts';

export interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Account (UUID) the person works for. */
  readonly account: string;
  /** Only the first commit that takes this ref creates the user. */
  readonly once?: RefKey;
}

export interface WithPassword {
  readonly user: User;
  /** One-time password, shown only once. */
  readonly password: string;
}

/** @throws FIELD_INVALID */
function expectRole(kind: Principal['kind'], role: Role): void {
  const fit = rolesIn(kind);
  if (!fit.includes(role))
    throw refuse(
      'FIELD_INVALID',
      said`the field 'role' must be ${either(fit.map(phrase))} for people of ${aOrAn[kind]}`,
    );
}

const aOrAn = {
  operator: said`an operator`,
  psp: said`a PSP`,
  client: said`a client`,
  authority: said`an authority`,
} as const;

/** @throws NOT_FOUND, FIELD_INVALID, ALREADY_REGISTERED */
export async function createUser(
  s: Needs<'ids' | 'db' | 'committer' | 'passwords' | 'subjects'>,
  principal: Principal,
  n: NewUser,
  now: number,
): Promise<WithPassword> {
  const account = await findAnyAccount(s.db, n.account);
  if (!account) throw notFound();
  expectRole(account.kind, n.role);
  const at = new Date(now).toISOString();
  const id = s.ids.next();
  const password = makePassword();
  const email = plainEmail(n.email);
  const user: User = {
    psp: account.psp,
    id,
    account: account.id,
    email,
    name: n.name.trim(),
    role: n.role,
    state: 'ACTIVE',
    passwordScrypt: await hashFor(s, email, password),
    passwordKind: 'ONE_TIME',
    failures: 0,
    lockedUntil: null,
    sessionEpoch: 1,
    version: 1,
    createdAt: at,
    updatedAt: at,
    signedInAt: null,
    totpSecret: null,
    totpSince: null,
    totpStep: null,
    recoveryCodes: null,
    passkeys: null,
    identities: null,
  };
  const person = s.subjects.make({ psp: user.psp, subject: `user:${id}` });
  const gate = userRef(user);
  const taken = need(refHeld, gate, true);
  const onceTaken = n.once && need(refHeld, n.once, true);
  return s.committer.submit<WithPassword>({
    account: user.account,
    keys: [`r|user|${gate.account}|${gate.ref}`],
    needs: [taken, ...(onceTaken ? [onceTaken] : [])],
    decide(facts) {
      if (facts(taken) || (onceTaken && facts(onceTaken)))
        return refuse('ALREADY_REGISTERED', 'somebody of this account has this e-mail already');
      return {
        reply: { user, password },
        writes: {
          ...(person.fresh ? { subjects: [person.fresh] } : {}),
          refsNew: [
            { ...gate, target: id, revision: 1 },
            ...(n.once ? [{ ...n.once, target: s.ids.next(), revision: 1 }] : []),
          ],
          rows: [
            userRow(user),
            journalRow(s, principal, at, {
              ...changedUser(user),
              kind: 'user.created',
              sealed: sealPersonal(person, { email: user.email, name: user.name }, `users/${id}`),
              subject: person.subject,
            }),
          ],
        },
      };
    },
  });
}

/** Hashes a person's password with the salt shared by all users of the e-mail. */
export async function hashFor(s: Needs<'db' | 'passwords'>, email: string, password: string): Promise<string> {
  const [first] = await findUsersByEmail(s.db, email);
  return s.passwords.hash(password, first?.passwordScrypt);
}

const changedUser = (u: User) => ({ ...about(u), data: userEntry(u) });

export type ChangesUsers = Needs<'ids' | 'committer'> & HasSessions;

/** The kind of the change, with further data for the journal, such as the reason. */
type Journalled = {
  [K in Exclude<EventKind & `user.${string}`, 'user.created'>]: { readonly kind: K } & Pick<
    Content<WrittenSchema<K>> & { readonly evidence?: unknown },
    'evidence'
  >;
}[Exclude<EventKind & `user.${string}`, 'user.created'>];

export type UserChange = Journalled & {
  /** The change; undefined if there is nothing to do, which is answered but not journalled. */
  to(before: User, at: string): Partial<User> | undefined | Refusal;
  /** Further rows of the commit. */
  rows?(after: User): readonly Row[];
};

/** Changes a user. In force here at once, elsewhere within a second. @throws the refusal that `to` returns */
export async function changeUser(
  s: ChangesUsers,
  principal: Principal,
  user: User,
  now: number,
  change: UserChange,
): Promise<User> {
  const at = new Date(now).toISOString();
  const self = need(heldUsers, { psp: user.psp, id: user.id });
  return s.committer.submit<User>({
    account: user.account,
    keys: [`u|${user.id}`],
    needs: [self],
    decide(facts) {
      const before = facts(self);
      if (!before) return notFound();
      const changed = change.to(before, at);
      if (changed instanceof Error) return changed;
      if (changed === undefined) return { reply: before };
      const after: User = { ...before, ...changed, version: before.version + 1, updatedAt: at };
      const { kind, evidence } = change;
      const entry = { ...changedUser(after), kind, ...(evidence === undefined ? {} : { evidence }) } as Entry<
        typeof kind
      >;
      return {
        reply: after,
        writes: {
          refsHeld: [{ ...userRef(before), revision: before.version }],
          rows: [userRow(after), ...(change.rows?.(after) ?? []), journalRow(s, principal, at, entry)],
        },
      };
    },
    committed: () => s.sessions.forget(),
  });
}

export const endsSessions = (u: User) => ({ sessionEpoch: u.sessionEpoch + 1 });

/** Ends all sessions of a person, disables sign-in and unassigns the person's reviews and cases. */
export async function disableUser(
  s: ChangesUsers & LetsGo,
  by: Principal,
  user: User,
  reason: string,
  now: number,
): Promise<User> {
  const after = await changeUser(s, by, user, now, {
    kind: 'user.updated',
    evidence: { reason },
    to: (u) => (u.state === 'DISABLED' ? undefined : { state: 'DISABLED', ...endsSessions(u) }),
  });
  await s.letGo({ principal: by, now }, user.id);
  return after;
}

/** Lets a disabled or locked-out person sign in again. */
export const enableUser = (s: ChangesUsers, by: Principal, user: User, reason: string, now: number) =>
  changeUser(s, by, user, now, {
    kind: 'user.updated',
    evidence: { reason },
    to: (u) =>
      u.state === 'ACTIVE' && u.lockedUntil === null && u.failures === 0
        ? undefined
        : { state: 'ACTIVE', failures: 0, lockedUntil: null },
  });

/** @throws FIELD_INVALID */
export async function setRole(
  s: ChangesUsers & Needs<'db'>,
  by: Principal,
  user: User,
  role: Role,
  reason: string,
  now: number,
): Promise<User> {
  const account = await findAnyAccount(s.db, user.account);
  if (account) expectRole(account.kind, role);
  const to = (u: User) => (u.role === role ? undefined : { role });
  return changeUser(s, by, user, now, { kind: 'user.updated', evidence: { reason }, to });
}

/** Gives a person a new one-time password and ends their sessions. */
export async function resetPassword(
  s: Needs<'ids' | 'db' | 'committer' | 'passwords'> & HasSessions,
  by: Principal,
  user: User,
  reason: string,
  now: number,
): Promise<WithPassword> {
  const password = makePassword();
  const passwordScrypt = await hashFor(s, user.email, password);
  const after = await changeUser(s, by, user, now, {
    kind: 'user.password_changed',
    evidence: { reason },
    to: (u) => ({ passwordScrypt, passwordKind: 'ONE_TIME', failures: 0, lockedUntil: null, ...endsSessions(u) }),
  });
  return { user: after, password };
}
