// User administration: by a PSP's administrators for its own people, by staff for all.
import { Type } from 'typebox';
import { accountFromWire, fromWire, nobody } from '../../../core/ids.ts';
import { notFound, refuse } from '../../../core/refusal.ts';
import { roles } from '../../../core/roles.ts';
import type { HasAccounts } from '../../accounts/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { type Call, Extended, Named, Nullable, operation, Prose, type Reply, Text } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { type ChangesUsers, createUser, disableUser, enableUser, resetPassword, setRole } from '../change-user.ts';
import { staffAccount } from '../first-administrator.ts';
import type { HasSessions } from '../sessions.ts';
import { findUser, lastSeen, listUsers, type User, userResource } from '../user-store.ts';

const Reason = Prose('Reason; recorded in the journal.', 500);

const UserResource = Named('User', 'A person who may sign in.', {
  userId: Type.String(),
  accountId: Type.String({ description: "Account the person works for: the operator's or a PSP's." }),
  email: Type.String(),
  name: Type.String(),
  role: Type.Enum([...roles]),
  state: Type.Enum(['ACTIVE', 'DISABLED']),
  mustChangePassword: Type.Boolean(),
  lockedUntil: Nullable(
    Type.String({ description: 'End of the lock after five failed sign-ins; null if there is none.' }),
  ),
  createdAt: Type.String(),
  updatedAt: Type.String(),
  signedInAt: Nullable(Type.String()),
});
const ListedUser = Extended(
  UserResource,
  'ListedUser',
  'A person who may sign in, and when and from where they were last seen.',
  {
    seenAt: Nullable(Type.String({ description: 'Time of the last call of a session that is still known.' })),
    seenNetwork: Nullable(
      Type.String({
        description: 'Network of that call: an IPv4 /24 (`203.0.113.0/24`) or an IPv6 /64.',
      }),
    ),
  },
);
const WithPassword = Named('UserWithPassword', 'A person with a new one-time password.', {
  user: UserResource,
  password: Type.String({
    description: 'One-time password, shown only in this response; it must be changed at the next sign-in.',
  }),
});

type Asking = Pick<Call, 'principal' | 'params' | 'now'>;

/** The tenant a caller may administer; undefined for all. */
const reach = ({ principal }: Asking) => (principal.kind === 'operator' ? undefined : principal.psp);

async function meant(s: Needs<'db'>, call: Asking): Promise<User> {
  const id = fromWire('user', call.params.userId ?? '');
  const user = id && (await findUser(s.db, id, reach(call)));
  if (!user) throw notFound();
  return user;
}

/** Refuses changes to oneself, so that an administrator remains. */
function notOneself({ principal }: Asking, user: User, what: string): void {
  if (principal.session?.user === user.id)
    throw refuse('STATE_CONFLICT', `you cannot ${what}; another administrator can`);
}

const shown = (call: Asking, user: User) => userResource(user, new Date(call.now).toISOString());

export const listAllUsers = operation({
  id: 'listUsers',
  method: 'GET',
  path: '/v1/admin/user',
  tag: 'Users',
  summary: 'List people who may sign in',
  audience: ['operator', 'psp'],
  query: Type.Object({
    ...pageQuery,
    accountId: Type.Optional(Type.String({ maxLength: 64, description: 'Only the staff of this account.' })),
  }),
  content: Page(ListedUser),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'>) {
    const { query } = call;
    const { limit, before } = readPage('user', query);
    const account = query.accountId === undefined ? undefined : accountFromWire(query.accountId);
    if (query.accountId !== undefined && !account) throw notFound();
    const rows = await listUsers(s.db, { psp: reach(call), account, before, limit });
    const seen = await lastSeen(
      s.db,
      rows.map((u) => u.id),
    );
    const listed = (u: User) => ({ ...shown(call, u), ...(seen.get(u.id) ?? { seenAt: null, seenNetwork: null }) });
    return { message: 'users', content: page('user', rows, limit, listed) };
  },
});

export const addUser = operation({
  id: 'createUser',
  method: 'POST',
  path: '/v1/admin/user',
  tag: 'Users',
  summary: 'Let a person sign in',
  audience: ['operator', 'psp'],
  standing: 'active',
  body: Type.Object({
    email: Type.String({ format: 'email', minLength: 3, maxLength: 254 }),
    name: Text('Name of the person.', 200),
    role: Type.Enum([...roles]),
    accountId: Type.Optional(
      Type.String({
        maxLength: 64,
        description: "Account the person works for. Only an operator may name another; default: the caller's own.",
      }),
    ),
  }),
  content: WithPassword,
  example: { email: 'ada@example.com', name: 'Ada Obi', role: 'auditor' },
  refusals: ['NOT_FOUND', 'ALREADY_REGISTERED'],
  async handle(
    call,
    s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'passwords' | 'subjects' | 'vault'> & HasAccounts,
  ) {
    const { principal, body, now } = call;
    // Who works on the machine has no account.
    const own = () => (principal.account === nobody ? staffAccount(s, principal, now) : principal.account);
    const account = body.accountId === undefined ? await own() : accountFromWire(body.accountId);
    if (!account || (principal.kind === 'psp' && account !== principal.account)) throw notFound();
    const made = await createUser(s, principal, { ...body, account }, now);
    return {
      message: 'user created; hand over the password, it is not shown again',
      content: { user: shown(call, made.user), password: made.password },
    };
  },
});

/** An operation on one user that takes only a reason. */
const onUser = <N>(o: {
  id: string;
  verb: string;
  summary: string;
  description?: string;
  example: string;
  refusals?: readonly string[];
  content: Type.TSchema;
  standing?: 'active';
  act(call: Asking, user: User, reason: string, services: N): Promise<Omit<Reply, 'headers'>>;
}) =>
  operation({
    id: o.id,
    method: 'POST',
    path: `/v1/admin/user/:userId/${o.verb}`,
    tag: 'Users',
    summary: o.summary,
    ...(o.description === undefined ? {} : { description: o.description }),
    audience: ['operator', 'psp'],
    ...(o.standing === undefined ? {} : { standing: o.standing }),
    body: Type.Object({ reason: Reason }),
    content: o.content,
    example: { reason: o.example },
    refusals: ['NOT_FOUND', ...(o.refusals ?? [])],
    handle: async (call, s: N & Needs<'db'>) => o.act(call, await meant(s, call), call.body.reason, s),
  });

export const disableUserById = onUser({
  id: 'disableUser',
  verb: 'disable',
  summary: 'Disable a person',
  description: 'All sessions of the person end within a second.',
  example: 'left the company',
  refusals: ['STATE_CONFLICT'],
  content: UserResource,
  async act(call, user, reason, s: ChangesUsers) {
    notOneself(call, user, 'disable yourself');
    const after = await disableUser(s, call.principal, user, reason, call.now);
    return { message: 'user disabled', content: shown(call, after) };
  },
});

export const enableUserById = onUser({
  id: 'enableUser',
  verb: 'enable',
  standing: 'active',
  summary: 'Let a disabled or locked person sign in again',
  example: 'back from leave',
  content: UserResource,
  async act(call, user, reason, s: ChangesUsers) {
    const after = await enableUser(s, call.principal, user, reason, call.now);
    return { message: 'user enabled', content: shown(call, after) };
  },
});

export const resetPasswordById = onUser({
  id: 'resetPassword',
  verb: 'password',
  standing: 'active',
  summary: 'Give a person a new one-time password',
  description: 'All sessions of the person end, and a lock is removed.',
  example: 'password forgotten',
  refusals: ['STATE_CONFLICT'],
  content: WithPassword,
  async act(call, user, reason, s: Needs<'ids' | 'db' | 'committer' | 'passwords'> & HasSessions) {
    notOneself(call, user, 'reset your own password; change it instead');
    const made = await resetPassword(s, call.principal, user, reason, call.now);
    return {
      message: 'password reset; hand it over, it is not shown again',
      content: { user: shown(call, made.user), password: made.password },
    };
  },
});

export const setUserRole = operation({
  id: 'setUserRole',
  method: 'POST',
  path: '/v1/admin/user/:userId/role',
  tag: 'Users',
  summary: "Change a person's role",
  description: 'Takes effect within a second.',
  audience: ['operator', 'psp'],
  standing: 'active',
  body: Type.Object({ role: Type.Enum([...roles]), reason: Reason }),
  content: UserResource,
  example: { role: 'reviewer', reason: 'joined the review team' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: Needs<'ids' | 'db' | 'committer'> & HasSessions) {
    const user = await meant(s, call);
    notOneself(call, user, 'change your own role');
    const after = await setRole(s, call.principal, user, call.body.role, call.body.reason, call.now);
    return { message: 'role changed', content: shown(call, after) };
  },
});
