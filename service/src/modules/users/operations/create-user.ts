// POST /v1/admin/user: let a person sign in.
import { Type } from 'typebox';
import { accountFromWire, nobody } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import { roles } from '../../../core/roles.ts';
import type { HasAccounts } from '../../accounts/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { operation, Text } from '../../kernel/operation.ts';
import { shown, WithPassword, withinScopes } from '../administered-user.ts';
import { createUser as create } from '../change-user.ts';
import { staffAccount } from '../first-administrator.ts';

export const createUser = operation({
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
    withinScopes(call, body.role);
    // Who works on the machine has no account.
    const own = () => (principal.account === nobody ? staffAccount(s, principal, now) : principal.account);
    const account = body.accountId === undefined ? await own() : accountFromWire(body.accountId);
    if (!account || (principal.kind === 'psp' && account !== principal.account)) throw notFound();
    const made = await create(s, principal, { ...body, account }, now);
    return {
      message: 'user created; hand over the password, it is not shown again',
      content: { user: shown(call, made.user), password: made.password },
    };
  },
});
