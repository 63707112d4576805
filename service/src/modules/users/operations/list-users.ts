import { type HasAccounts, listedClient } from '../../accounts/index.ts';
import { Extended, type Needs, Nullable, operation, Type } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { pspOf, shown, UserResource } from '../administered-user.ts';
import { lastSeen, type User, listUsers as usersWhere } from '../user-store.ts';

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

export const listUsers = operation({
  id: 'listUsers',
  method: 'GET',
  path: '/v1/admin/user',
  tag: 'Users',
  summary: 'List people who may sign in',
  audience: ['operator', 'psp', 'client'],
  query: Type.Object({
    ...pageQuery,
    accountId: Type.Optional(Type.String({ maxLength: 64, description: 'Only the people of this account.' })),
    email: Type.Optional(Type.String({ maxLength: 254, description: 'Only people who sign in with this e-mail.' })),
  }),
  content: Page(ListedUser),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const { query } = call;
    const { limit, before } = readPage('user', query);
    const account = await listedClient(s, call, query.accountId);
    const rows = await usersWhere(s.db, { psp: pspOf(call.principal), account, email: query.email, before, limit });
    const ids = rows.map((u) => u.id);
    const seen = await lastSeen(s.db, ids);
    const listed = (u: User) => ({ ...shown(call, u), ...(seen.get(u.id) ?? { seenAt: null, seenNetwork: null }) });
    return { message: 'users', content: page('user', rows, limit, listed) };
  },
});
