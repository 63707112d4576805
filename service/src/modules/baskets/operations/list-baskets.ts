// GET /v1/basket: list baskets.
import { Type } from 'typebox';
import { basketStates } from '../../../core/basket-states.ts';
import { type HasAccounts, listedAccount } from '../../accounts/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { operation } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { basketResource, listBaskets as list } from '../basket-store.ts';
import { Basket } from '../schemas.ts';

export const listBaskets = operation({
  id: 'listBaskets',
  method: 'GET',
  path: '/v1/basket',
  tag: 'Baskets',
  summary: 'List baskets',
  audience: ['psp', 'client'],
  query: Type.Object({
    ...pageQuery,
    status: Type.Optional(Type.Enum([...basketStates])),
    ref: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  content: Page(Basket),
  refusals: ['NOT_FOUND'],
  async handle({ principal, onBehalfOf, query }, s: Needs<'db'> & HasAccounts) {
    const { limit, before } = readPage('basket', query);
    const account = await listedAccount(s, principal, onBehalfOf);
    const rows = await list(s.db, { psp: principal.psp, account, status: query.status, ref: query.ref, before, limit });
    return { message: 'baskets', content: page('basket', rows, limit, basketResource) };
  },
});
