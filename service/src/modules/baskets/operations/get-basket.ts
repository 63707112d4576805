import { ownRecordAsked } from '../../kernel/asked.ts';
import { type Needs, operation } from '../../kernel/operation.ts';
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
  async handle({ principal, onBehalfOf, params }, s: Needs<'db'>) {
    const b = await ownRecordAsked({ principal, onBehalfOf }, 'basket', params.basketId, (id) =>
      findBasket(s.db, principal.psp, id),
    );
    return { message: 'basket found', content: basketResource(b) };
  },
});
