// All SQL on users and sessions, and their rows. Never holds a readable password; all writes go through the committer,
// except when a session was last seen.
import { createHash } from 'node:crypto';
import { nobody, type PspId, timeOfId, toWire } from '../../core/ids.ts';
import type { View } from '../../core/oversight.ts';
import type { RefKey, Row as TableRow } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { recordedNetwork } from '../../platform/network.ts';
import type { RowOf } from '../../records/define.ts';
import { sessions } from '../../records/sessions.ts';
import { type Prefixed, type RecordOf, tableOf } from '../../records/table.ts';
import { users } from '../../records/users.ts';
import { clientId, findAuthority, standingsColumn, standingsJoins, strictestOf } from '../accounts/index.ts';
import { recordById } from '../kernel/facts.ts';
import { row } from '../kernel/journal.ts';
import type { StaffListFilter } from '../kernel/list-filter.ts';
import type { Principal } from '../kernel/principal.ts';
import { hasSecondFactor } from './sign-in-proof.ts';

const table = tableOf(users);
const sessionTable = tableOf(sessions);
export type User = RecordOf<typeof users>;
export type Session = RecordOf<typeof sessions>;

export const userRow = (u: User): TableRow => row('users', table.toRow(u));
export const sessionRow = (s: Session): TableRow => row('sessions', sessionTable.toRow(s));

/** The form in which e-mails are compared and stored. */
export const plainEmail = (email: string): string => email.normalize('NFC').trim().toLowerCase();

/**
 * The gate of a user: an e-mail belongs to one person per account, and its revision counts the changes. Other accounts
 * are not checked: a refusal would reveal who else uses the e-mail.
 */
export const userRef = ({ account, email }: Pick<User, 'account' | 'email'>): RefKey => ({
  psp: nobody,
  space: 'user',
  ref: createHash('sha256').update(email).digest('hex'),
  account,
});

/** A user as journalled: e-mail and name only in sealed form. */
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

/** A user as returned. */
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
  secondFactor: hasSecondFactor(u),
});

/** The users with this e-mail, in all accounts or one, oldest first. */
export const findUsersByEmail = (db: Database, email: string, account?: string): Promise<User[]> =>
  table.read(db, 'WHERE email = $1 AND ($2::uuid IS NULL OR account_id = $2) ORDER BY id', [email, account]);

/** People of an account who may sign in and did so through a provider. */
export const findIdentified = (db: Database, account: string): Promise<User[]> =>
  table.read(db, "WHERE account_id = $1 AND state = 'ACTIVE' AND identities IS NOT NULL", [account]);

/** When a person was last given a password, according to the journal; milliseconds since the epoch. */
export async function passwordGivenAt(db: Database, user: User): Promise<number> {
  const [r] = await db.query<{ id: string }>(
    `SELECT id FROM journal WHERE psp_id = $1 AND resource_id = $2 AND kind IN ('user.created', 'user.password_changed')
     ORDER BY id DESC LIMIT 1`,
    [user.psp, user.id],
  );
  return r === undefined ? 0 : timeOfId(r.id);
}

/** @param psp the tenant it must belong to; undefined for any */
export const findUser = (db: Database, id: string, psp: PspId | undefined): Promise<User | undefined> =>
  table.find(db, 'WHERE id = $1 AND ($2::uuid IS NULL OR psp_id = $2)', [id, psp]);

/** Newest first. */
export const listUsers = (db: Database, f: StaffListFilter<'email'>): Promise<User[]> =>
  table.read(
    db,
    `WHERE ($1::uuid IS NULL OR psp_id = $1) AND ($2::uuid IS NULL OR account_id = $2) AND ($3::uuid IS NULL OR id < $3)
       AND ($4::text IS NULL OR email = $4)
     ORDER BY id DESC LIMIT $5`,
    [f.psp, f.account, f.before, f.email === undefined ? null : plainEmail(f.email), f.limit],
  );

export async function anyUser(db: Database): Promise<boolean> {
  return (await db.query('SELECT 1 FROM users LIMIT 1')).length > 0;
}

/** Users as of the commit. */
export const heldUsers = recordById('user', users, table);

export interface SessionOfUser {
  readonly session: Session;
  readonly user: User;
  readonly account: {
    readonly kind: Principal['kind'];
    readonly name: string;
    readonly standing: string;
    /** Whether it is a test account. */
    readonly test: boolean;
    /** The strictest standing that affects it, as for a principal. */
    readonly strictest: Pick<Principal, 'standing'>;
    /** What people of an authority may read; undefined for all others. */
    readonly view: View | undefined;
  };
}

export async function findSession(db: Database, id: string): Promise<SessionOfUser | undefined> {
  const [r] = await db.query<FoundSession>(
    `SELECT ${table.columns('u')}, ${sessionTable.columns('s', 's_')}, a.kind, a.name AS account_name,
       a.operational_standing, a.test_of, ${standingsColumn}
     FROM sessions s JOIN users u ON u.psp_id = s.psp_id AND u.id = s.user_id
     JOIN accounts a ON a.psp_id = u.psp_id AND a.id = u.account_id ${standingsJoins} WHERE s.id = $1`,
    [id],
  );
  const view = r?.kind === 'authority' ? await findAuthority(db, r.account_id) : undefined;
  return (
    r && {
      user: table.fromRow(r),
      session: sessionTable.fromPrefixed('s_', r),
      account: {
        kind: r.kind,
        name: r.account_name,
        standing: r.operational_standing,
        test: r.test_of !== null,
        strictest: strictestOf(r),
        view,
      },
    }
  );
}

type FoundSession = RowOf<typeof users> &
  Prefixed<typeof sessions, 's_'> & {
    readonly kind: Principal['kind'];
    readonly account_name: string;
    readonly operational_standing: string;
    readonly test_of: string | null;
    readonly standings: string;
  };

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

/** Whether the person has used a session in this network, in the form for records. */
export async function hasSignedInFrom(db: Database, u: User, network: string): Promise<boolean> {
  const rows = await db.query(
    'SELECT 1 FROM sessions WHERE psp_id = $1 AND user_id = $2 AND seen_network = $3 LIMIT 1',
    [u.psp, u.id, network],
  );
  return rows.length > 0;
}

/** The last use of people's sessions, by person id. */
export async function lastSeen(
  db: Database,
  users: readonly string[],
): Promise<Map<string, { seenAt: string; seenNetwork: string | null }>> {
  const rows = await db.query<{ user: string; seenAt: string; seenNetwork: string | null }>(
    `SELECT DISTINCT ON (user_id) user_id AS "user", seen_at AS "seenAt", seen_network AS "seenNetwork" FROM sessions
     WHERE user_id = ANY ($1::uuid[]) ORDER BY user_id, seen_at DESC, id DESC`,
    [users],
  );
  return new Map(rows.map(({ user, ...seen }) => [user, seen]));
}

/**
 * The sessions of a person that are live, newest first.
 * @param idleSince sessions last used before are not
 */
export const liveSessions = (db: Database, u: User, now: string, idleSince: string): Promise<Session[]> =>
  sessionTable.read(
    db,
    `WHERE psp_id = $1 AND user_id = $2 AND ended_at IS NULL AND epoch = $3 AND expires_at > $4 AND seen_at > $5
     ORDER BY id DESC LIMIT 200`,
    [u.psp, u.id, u.sessionEpoch, now, idleSince],
  );

export async function deleteSessions(db: Database, expiredBefore: string): Promise<void> {
  await db.query('DELETE FROM sessions WHERE expires_at < $1', [expiredBefore]);
}
