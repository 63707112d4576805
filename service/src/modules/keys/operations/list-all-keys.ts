import { dayMs } from '../../../core/calendar.ts';
import {
  AccountKey,
  accountKeyResource,
  type HasAccounts,
  listAllKeys as list,
  listedClient,
} from '../../accounts/index.ts';
import { countQuery, totalOf } from '../../kernel/counting.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { clientQuery, Page, page, pageQuery, readPage } from '../../kernel/paging.ts';

export const listAllKeys = operation({
  id: 'listAllKeys',
  method: 'GET',
  path: '/v1/key/all',
  tag: 'Keys',
  summary: 'List the keys of all accounts',
  description:
    "Keys of the PSP and of all its clients, with their accounts, newest first. An operator sees those of every account. A key's last use is stored within a minute.",
  audience: ['psp', 'operator'],
  query: Type.Object({
    ...pageQuery,
    ...countQuery,
    unusedDays: Type.Optional(
      Type.Integer({
        description: 'Only keys that were not used for so many days, counted from their issue if they never were.',
        minimum: 1,
        maximum: 3650,
      }),
    ),
    state: Type.Optional(
      Type.Enum(['WORKING', 'ENDED'], {
        description: '`WORKING`: neither revoked nor expired. `ENDED`: one of both.',
      }),
    ),
    mode: Type.Optional(Type.Enum(['live', 'test'])),
    ...clientQuery,
  }),
  content: Page(AccountKey),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const { principal, query, now } = call;
    const { limit, before } = readPage('key', query);
    const filter = {
      psp: principal.kind === 'operator' ? undefined : principal.psp,
      account: await listedClient(s, call, call.query.clientId),
      unusedSince: query.unusedDays === undefined ? undefined : new Date(now - query.unusedDays * dayMs).toISOString(),
      working: query.state === undefined ? undefined : query.state === 'WORKING',
      test: query.mode === undefined ? undefined : query.mode === 'test',
      now: new Date(now).toISOString(),
    };
    const rows = await list(s.db, { ...filter, before, limit });
    const total = await totalOf(s, query, (db, most) => list(db, { ...filter, limit: most }));
    return { message: 'keys', content: { ...page('key', rows, limit, accountKeyResource), ...total } };
  },
});
