// GET /v1/admin/account/:accountId/key: keys of an account.
import { Type } from 'typebox';
import { notFound } from '../../../core/refusal.ts';
import { Scopes } from '../../../entries/accounts.ts';
import type { Needs } from '../../kernel/needs.ts';
import { Named, operation } from '../../kernel/operation.ts';
import { accountParam } from '../account-changes.ts';
import { findAnyAccount } from '../accounts.ts';
import { listKeys as keysOf } from '../administer-keys.ts';

const KeyRow = Named('ApiKey', 'An API key, without the key itself.', {
  keyId: Type.String(),
  name: Type.String(),
  createdAt: Type.String(),
  expiresAt: Type.Union([Type.String(), Type.Null()]),
  revokedAt: Type.Union([Type.String(), Type.Null()]),
  lastUsedAt: Type.Union([Type.String(), Type.Null()]),
  lastUsedNetwork: Type.Union([Type.String(), Type.Null()], {
    description: 'Network it was last used from: an IPv4 /24 (`203.0.113.0/24`) or an IPv6 /64.',
  }),
  scopes: Scopes,
});

export const listKeys = operation({
  id: 'listKeys',
  method: 'GET',
  path: '/v1/admin/account/:accountId/key',
  tag: 'Administration',
  summary: 'Keys of an account',
  audience: ['operator'],
  content: Named('ApiKeyList', 'All keys of the account.', { items: Type.Array(KeyRow) }),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'>) {
    const id = accountParam(call);
    if (!(await findAnyAccount(s.db, id))) throw notFound();
    return { message: 'keys', content: { items: await keysOf(s, id) } };
  },
});
