import { notFound } from '../../../core/refusal.ts';
import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { accountParam } from '../account-changes.ts';
import { findAnyAccount } from '../accounts.ts';
import { ListedKey } from '../key-fields.ts';
import { keyResource, listKeys as keysOf } from '../key-lists.ts';

const mostListed = 200;

export const listKeys = operation({
  id: 'listKeys',
  method: 'GET',
  path: '/v1/admin/account/:accountId/key',
  tag: 'Accounts',
  summary: 'Keys of an account',
  audience: ['operator'],
  content: Named('ApiKeyList', `The newest ${mostListed} keys of the account.`, { items: Type.Array(ListedKey) }),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'>) {
    const id = accountParam(call);
    if (!(await findAnyAccount(s.db, id))) throw notFound();
    return { message: 'keys', content: { items: (await keysOf(s.db, id, { limit: mostListed })).map(keyResource) } };
  },
});
