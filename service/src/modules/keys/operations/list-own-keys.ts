import { type HasAccounts, keyResource, ListedKey, listKeys } from '../../accounts/index.ts';
import { countQuery, totalOf } from '../../kernel/counting.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { ownAccount } from '../own-key.ts';

export const listOwnKeys = operation({
  id: 'listOwnKeys',
  method: 'GET',
  path: '/v1/key',
  tag: 'Keys',
  summary: 'List your keys',
  description: 'Keys of the account and of its test account. With `x-client-id`, a PSP lists those of its client.',
  audience: ['psp', 'client'],
  query: Type.Object({ ...pageQuery, ...countQuery }),
  content: Page(ListedKey),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const { limit, before } = readPage('key', call.query);
    const account = await ownAccount(s, call);
    const keys = await listKeys(s.db, account, { withTest: true, before, limit });
    const total = await totalOf(s, call.query, (db, most) => listKeys(db, account, { withTest: true, limit: most }));
    return { message: 'keys', content: { ...page('key', keys, limit, keyResource), ...total } };
  },
});
