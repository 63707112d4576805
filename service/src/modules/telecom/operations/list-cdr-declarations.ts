import { type HasAccounts, listedClient } from '../../accounts/index.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { clientQuery, Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { PeriodParameter } from '../../kernel/report-period.ts';
import { listDeclarations as list } from '../declared/declaration-store.ts';
import { DeclarationResource, declarationResource } from '../declared/schemas.ts';

export const listCdrDeclarations = operation({
  id: 'listCdrDeclarations',
  method: 'GET',
  path: '/v1/telecom/declaration',
  tag: 'Telecom',
  summary: 'List declarations, superseded ones included',
  audience: ['psp', 'client'],
  query: Type.Object({ ...pageQuery, ...clientQuery, period: Type.Optional(PeriodParameter) }),
  content: Page(DeclarationResource),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const { principal, query } = call;
    const { limit, before } = readPage('declaration', query);
    const account = await listedClient(s, call, query.clientId);
    const rows = await list(s.db, { psp: principal.psp, account, period: query.period, before, limit });
    return { message: 'declarations', content: page('declaration', rows, limit, declarationResource) };
  },
});
