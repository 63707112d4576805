// What the operations on people share: the person that a request names, how they are shown, and changes that need a
// reason.
import { fromWire, type PspId } from '../../core/ids.ts';
import { notFound, phrase, refuse, type Said, said } from '../../core/refusal.ts';
import { type Role, roles } from '../../core/roles.ts';
import { type HasAccounts, knownAccount } from '../accounts/index.ts';
import { reaches } from '../kernel/asked.ts';
import {
  type Call,
  Named,
  type Needs,
  Nullable,
  operation,
  ReasonBody,
  type Reply,
  Type,
} from '../kernel/operation.ts';
import type { Principal } from '../kernel/principal.ts';
import { expectScopes, scopesOfRole } from '../kernel/scopes.ts';
import { findUser, type User, userResource } from './user-store.ts';

export const UserResource = Named('User', 'A person who may sign in.', {
  userId: Type.String(),
  accountId: Type.String({ description: "Account the person works for: the operator's, a PSP's or a client's." }),
  email: Type.String(),
  name: Type.String({ description: 'Full name.' }),
  role: Type.Enum(roles),
  state: Type.Enum(['ACTIVE', 'DISABLED']),
  mustChangePassword: Type.Boolean(),
  lockedUntil: Nullable(Type.String({ description: 'End of the lock after five failed sign-ins, or null.' })),
  createdAt: Type.String(),
  updatedAt: Type.String(),
  signedInAt: Nullable(Type.String(), 'When the person last signed in, ISO 8601 UTC; null if never.'),
  secondFactor: Type.Boolean({ description: 'Whether a second factor is set up: a code generator or a passkey.' }),
});
export const WithPassword = Named('UserWithPassword', 'A person with a new one-time password.', {
  user: UserResource,
  password: Type.String({
    description: 'One-time password, shown only here; it must be changed at the next sign-in.',
  }),
});

type Asking = Pick<Call, 'principal' | 'onBehalfOf' | 'params' | 'now'>;

/** The PSP whose people a caller may administer: undefined for operators, who administer all. */
export const pspOf = ({ kind, psp }: Principal): PspId | undefined => (kind === 'operator' ? undefined : psp);

export async function userAsked(s: Needs<'db'>, call: Asking): Promise<User> {
  const id = fromWire('user', call.params.userId ?? '');
  const user = id && (await findUser(s.db, id, pspOf(call.principal)));
  if (!user || !reaches(call, user.account)) throw notFound();
  return user;
}

/** Refuses changes to oneself, so that an administrator remains. */
export function notOneself({ principal }: Asking, user: User, what: Said): void {
  if (principal.session?.user === user.id)
    throw refuse('STATE_CONFLICT', said`you cannot ${what}; another administrator can`);
}

/** Refuses a key that would let in a person who may do more than the key. @throws SCOPE */
export const withinScopes = ({ principal }: Asking, role: Role): void =>
  expectScopes(principal, scopesOfRole(role), said`a person with the role ${phrase(role)}`);

/** A PSP lets nobody into a client that may not trade, and gives nobody of it more; staff may. @throws STATE_CONFLICT */
export async function expectOpen(
  s: Needs<'db'> & HasAccounts,
  { kind, psp }: Principal,
  account: string,
): Promise<void> {
  if (kind !== 'psp' || account === psp) return;
  const standing = (await knownAccount(s, { psp, id: account }))?.operationalStanding;
  if (standing !== 'ACTIVE') throw refuse('STATE_CONFLICT', said`the client is ${phrase(standing)}: nobody is let in`);
}

export const shown = (call: Asking, user: User) => userResource(user, new Date(call.now).toISOString());

/** An operation on one user that takes only a reason. */
export const onUser = <N>(o: {
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
    audience: ['operator', 'psp', 'client'],
    ...(o.standing === undefined ? {} : { standing: o.standing }),
    body: ReasonBody,
    content: o.content,
    example: { reason: o.example },
    refusals: ['NOT_FOUND', ...(o.refusals ?? [])],
    handle: async (call, s: N & Needs<'db'>) => o.act(call, await userAsked(s, call), call.body.reason, s),
  });
