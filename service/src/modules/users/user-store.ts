// People who sign in, and their sessions: all SQL on users and sessions, and their rows. Says nothing of passwords
// in clear; writes go through the committer, apart from when a session was last seen.
import { createHash } from 'node:crypto';
import { nobody, timeOfId, toWire } from '../../core/ids.ts';
import type { Role } from '../../core/roles.ts';
import type { FactLoader, RefKey, Row as TableRow } from '../../platform/committer.ts';
import type { Database, Row } from '../../platform/database.ts';
import { recordedNetwork } from '../../platform/network.ts';
import { clientId, standingsColumn, standingsJoins, strictestOf } from '../accounts/index.ts';
import { row } from '../kernel/journal.ts';
import type { Principal } from '../kernel/services.ts';

export interface User {
  readonly psp: string;
  readonly id: string;
  readonly account: string;
  /** In lower case. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly state: 'ACTIVE' | 'DISABLED';
  readonly passwordScrypt: string;
  /** A one-time password must be changed before anything else. */
  readonly passwordKind: 'OWN' | 'ONE_TIME';
  readonly failures: number;
  readonly lockedUntil: string | null;
  /** Sessions of an earlier epoch have ended. */
  readonly sessionEpoch: number;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly signedInAt: string | null;
}

const columns = `psp_id, id, account_id, email, name, role, state, password_scrypt, password_kind, failures, locked_until,
  session_epoch, version, created_at, updated_at, signed_in_at`;

const fromRow = (r: Row): User => ({
  psp: r.psp_id as string,
  id: r.id as string,
  account: r.account_id as string,
  email: r.email as string,
  name: r.name as string,
  role: r.role as Role,
  state: r.state as User['state'],
  passwordScrypt: r.password_scrypt as string,
  passwordKind: r.password_kind as User['passwordKind'],
  failures: r.failures as number,
  lockedUntil: r.locked_until as string | null,
  sessionEpoch: r.session_epoch as number,
  version: r.version as number,
  createdAt: r.created_at as string,
  updatedAt: r.updated_at as string,
  signedInAt: r.signed_in_at as string | null,
});

export const userRow = (u: User): TableRow =>
  row('users', {
    psp_id: u.psp,
    id: u.id,
    account_id: u.account,
    email: u.email,
    name: u.name,
    role: u.role,
    state: u.state,
    password_scrypt: u.passwordScrypt,
    password_kind: u.passwordKind,
    failures: u.failures,
    locked_until: u.lockedUntil,
    session_epoch: u.sessionEpoch,
    version: u.version,
    created_at: u.createdAt,
    updated_at: u.updatedAt,
    signed_in_at: u.signedInAt,
  });

/** As e-mails are compared and kept. */
export const plainEmail = (email: string): string => email.normalize('NFC').trim().toLowerCase();

/**
 * The gate of a user: an e-mail belongs to one person of an account, and its revision counts the changes. Other accounts
 * have no say: whoever made a person would learn by a refusal who else has the e-mail.
 */
export const userRef = ({ account, email }: Pick<User, 'account' | 'email'>): RefKey => ({
  psp: nobody,
  space: 'user',
  ref: createHash('sha256').update(email).digest('hex'),
  account,
});

/** A user as the journal has it: whose e-mail and name it is stands there sealed only. */
export const userEntry = (u: User) => ({
  userId: toWire('user', u.id),
  accountId: clientId({ psp: u.psp, id: u.account }),
  role: u.role,
  state: u.state,
  mustChangePassword: u.passwordKind === 'ONE_TIME',
  failures: u.failures,
  lockedUntil: u.lockedUntil,
  createdAt: u.createdAt,
  updatedAt: u.updatedAt,
});

/** A user as shown. */
export const userResource = (u: User, now: string) => ({
  userId: toWire('user', u.id),
  accountId: clientId({ psp: u.psp, id: u.account }),
  email: u.email,
  name: u.name,
  role: u.role,
  state: u.state,
  mustChangePassword: u.passwordKind === 'ONE_TIME',
  lockedUntil: u.lockedUntil !== null && u.lockedUntil > now ? u.lockedUntil : null,
  createdAt: u.createdAt,
  updatedAt: u.updatedAt,
  signedInAt: u.signedInAt,
});

/** The people of all accounts who have the e-mail, or of one account, in the order they were made. */
export async function findUsersByEmail(db: Database, email: string, account?: string): Promise<User[]> {
  const rows = await db.query(
    `SELECT ${columns} FROM users WHERE email = $1 AND ($2::uuid IS NULL OR account_id = $2) ORDER BY id`,
    [email, account ?? null],
  );
  return rows.map(fromRow);
}

/** When a person was last given a password, in milliseconds since the epoch: as the journal has it. */
export async function passwordGivenAt(db: Database, user: User): Promise<number> {
  const [r] = await db.query(
    `SELECT id FROM journal WHERE psp_id = $1 AND resource_id = $2 AND kind IN ('user.created', 'user.password_changed')
     ORDER BY id DESC LIMIT 1`,
    [user.psp, user.id],
  );
  return r === undefined ? 0 : timeOfId(r.id as string);
}

/** @param psp the tenant it must belong to; undefined for any */
export async function findUser(db: Database, id: string, psp: string | undefined): Promise<User | undefined> {
  const [r] = await db.query(`SELECT ${columns} FROM users WHERE id = $1 AND ($2::uuid IS NULL OR psp_id = $2)`, [
    id,
    psp ?? null,
  ]);
  return r && fromRow(r);
}

/** Newest first. */
export async function listUsers(
  db: Database,
  f: { psp?: string | undefined; account?: string | undefined; before?: string | undefined; limit: number },
): Promise<User[]> {
  const rows = await db.query(
    `SELECT ${columns} FROM users
     WHERE ($1::uuid IS NULL OR psp_id = $1) AND ($2::uuid IS NULL OR account_id = $2) AND ($3::uuid IS NULL OR id < $3)
     ORDER BY id DESC LIMIT $4`,
    [f.psp ?? null, f.account ?? null, f.before ?? null, f.limit],
  );
  return rows.map(fromRow);
}

export async function anyUser(db: Database): Promise<boolean> {
  return (await db.query('SELECT 1 FROM users LIMIT 1')).length > 0;
}

/** Users as they stand at the commit. */
export const heldUsers: FactLoader<{ psp: string; id: string }, User> = {
  name: 'user',
  text: (k) => `${k.psp}|${k.id}`,
  async load(db, keys) {
    const rows = await db.query(
      `SELECT ${columns} FROM users u JOIN unnest($1::uuid[], $2::uuid[]) AS w(wp, wi) ON u.psp_id = w.wp AND u.id = w.wi`,
      [keys.map((k) => k.psp), keys.map((k) => k.id)],
    );
    return new Map(rows.map((r) => [`${r.psp_id}|${r.id}`, fromRow(r)]));
  },
};

export interface Session {
  readonly psp: string;
  readonly id: string;
  readonly user: string;
  /** SHA-256 of the token, hexadecimal. */
  readonly tokenHash: string;
  readonly epoch: number;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly seenAt: string;
  readonly endedAt: string | null;
}

export const sessionRow = (s: Session): TableRow =>
  row('sessions', {
    psp_id: s.psp,
    id: s.id,
    user_id: s.user,
    token_hash: s.tokenHash,
    epoch: s.epoch,
    created_at: s.createdAt,
    expires_at: s.expiresAt,
    seen_at: s.seenAt,
    ended_at: s.endedAt,
  });

export interface SessionOfUser {
  readonly session: Session;
  readonly user: User;
  readonly account: {
    readonly kind: 'operator' | 'psp';
    readonly name: string;
    readonly standing: string;
    /** Whether it is an account for tests. */
    readonly test: boolean;
    /** Of the standings that bear on it, as a principal has it. */
    readonly strictest: Pick<Principal, 'standing'>;
  };
}

export async function findSession(db: Database, id: string): Promise<SessionOfUser | undefined> {
  const [r] = await db.query(
    `SELECT s.user_id, s.token_hash, s.epoch, s.created_at AS began_at, s.expires_at, s.seen_at, s.ended_at,
       a.kind, a.name AS account_name, a.operational_standing, a.test_of, ${standingsColumn}, ${columns.replace(/\w+/g, 'u.$&')}
     FROM sessions s JOIN users u ON u.psp_id = s.psp_id AND u.id = s.user_id
     JOIN accounts a ON a.psp_id = u.psp_id AND a.id = u.account_id ${standingsJoins} WHERE s.id = $1`,
    [id],
  );
  if (!r) return undefined;
  const user = fromRow(r);
  return {
    user,
    session: {
      psp: user.psp,
      id,
      user: user.id,
      tokenHash: r.token_hash as string,
      epoch: r.epoch as number,
      createdAt: r.began_at as string,
      expiresAt: r.expires_at as string,
      seenAt: r.seen_at as string,
      endedAt: r.ended_at as string | null,
    },
    account: {
      kind: r.kind as 'operator' | 'psp',
      name: r.account_name as string,
      standing: r.operational_standing as string,
      test: r.test_of !== null,
      strictest: strictestOf(r),
    },
  };
}

export async function writeSeen(
  db: Database,
  seen: readonly (readonly [string, { readonly at: number; readonly address: string | undefined }])[],
): Promise<void> {
  await db.query(
    `UPDATE sessions s SET seen_at = greatest(s.seen_at, u.at), seen_network = u.network
     FROM unnest($1::uuid[], $2::timestamptz[], $3::text[]) AS u(i, at, network) WHERE s.id = u.i`,
    [
      seen.map(([id]) => id),
      seen.map(([, u]) => new Date(u.at).toISOString()),
      seen.map(([, u]) => recordedNetwork(u.address)),
    ],
  );
}

/** The last use of people's sessions, by the id of the person. */
export async function lastSeen(
  db: Database,
  users: readonly string[],
): Promise<Map<string, { seenAt: string; seenNetwork: string | null }>> {
  const rows = await db.query(
    `SELECT DISTINCT ON (user_id) user_id, seen_at, seen_network FROM sessions WHERE user_id = ANY ($1::uuid[])
     ORDER BY user_id, seen_at DESC, id DESC`,
    [users],
  );
  return new Map(
    rows.map((r) => [
      r.user_id as string,
      { seenAt: r.seen_at as string, seenNetwork: r.seen_network as string | null },
    ]),
  );
}

/** Forgets sessions that expired before. */
export async function deleteSessions(db: Database, expiredBefore: string): Promise<void> {
  await db.query('DELETE FROM sessions WHERE expires_at < $1', [expiredBefore]);
}
