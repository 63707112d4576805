// GET /v1/basket/:basketId: a basket by its id.
import { fromWire } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import type { Needs } from '../../kernel/needs.ts';
import { operation } from '../../kernel/operation.ts';
import { basketResource, findBasket } from '../basket-store.ts';
import { Basket } from '../schemas.ts';

export const getBasket = operation({
  id: 'getBasket',
  method: 'GET',
  path: '/v1/basket/:basketId',
  tag: 'Baskets',
  summary: 'A basket by its id',
  audience: ['psp', 'client'],
  content: Basket,
  refusals: ['NOT_FOUND'],
  async handle({ principal, params }, s: Needs<'db'>) {
    const id = fromWire('basket', params.basketId ?? '');
    const b = id && (await findBasket(s.db, principal.psp, id));
    if (!b || (principal.kind === 'client' && b.account !== principal.account)) throw notFound();
    return { message: 'basket found', content: basketResource(b) };
  },
});
