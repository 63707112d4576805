import { notFound } from '../../../core/refusal.ts';
import { AccountResource } from '../../../entries/accounts.ts';
import { countQuery, totalOf } from '../../kernel/counting.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { accountResource, viewerOf } from '../account-resource.ts';
import { accountQuery, readAccounts } from '../account-search.ts';
import { findAccount, listAccounts } from '../accounts.ts';

export const listClients = operation({
  id: 'listClients',
  method: 'GET',
  path: '/v1/client',
  tag: 'Clients',
  area: 'administration',
  summary: "List the PSP's clients",
  audience: ['psp'],
  query: Type.Object({
    ...pageQuery,
    ...countQuery,
    operationalStanding: Type.Optional(Type.Enum(['ACTIVE', 'SUSPENDED', 'CLOSED'])),
    ...accountQuery,
  }),
  content: Page(AccountResource),
  async handle({ principal, query, now }, s: Needs<'settings' | 'db' | 'reference'>) {
    const { limit, before } = readPage('client', query);
    const viewer = viewerOf(principal);
    const at = new Date(now).toISOString();
    const psp = await findAccount(s.db, principal.psp, principal.psp);
    if (!psp) throw notFound();
    const filter = {
      psp: principal.psp,
      kind: 'client',
      standing: query.operationalStanding,
      ...readAccounts(s, query, at),
    };
    const rows = await listAccounts(s.db, { ...filter, before, limit });
    const total = await totalOf(s, query, (db, most) => listAccounts(db, { ...filter, limit: most }));
    return {
      message: 'clients',
      content: { ...page('client', rows, limit, (a) => accountResource(s, a, psp, at, viewer)), ...total },
    };
  },
});
