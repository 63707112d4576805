// GET /v1/telecom/declaration: list declarations, superseded ones included.
import { Type } from 'typebox';
import { type HasAccounts, listedAccount } from '../../accounts/index.ts';
import { type Needs, operation } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
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
  query: Type.Object({ ...pageQuery, period: Type.Optional(PeriodParameter) }),
  content: Page(DeclarationResource),
  refusals: ['NOT_FOUND'],
  async handle({ principal, onBehalfOf, query }, s: Needs<'db'> & HasAccounts) {
    const { limit, before } = readPage('declaration', query);
    const account = await listedAccount(s, principal, onBehalfOf);
    const rows = await list(s.db, { psp: principal.psp, account, period: query.period, before, limit });
    return { message: 'declarations', content: page('declaration', rows, limit, declarationResource) };
  },
});
