import { notFound } from '../../../core/refusal.ts';
import { Basket, basketResource, findBasket } from '../../baskets/index.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { overseenRecord } from '../overseen-record.ts';
import { asAuthority } from '../view.ts';

export const getAuthorityBasket = operation({
  id: 'getAuthorityBasket',
  method: 'GET',
  path: '/v1/authority/record/:recordId/basket',
  tag: 'Authorities',
  summary: 'The basket of a transaction that an authority sees',
  description: 'Its lines with their VAT, for an authority whose view names `basket`.',
  audience: ['operator', 'authority'],
  query: Type.Object(asAuthority),
  content: Basket,
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'>) {
    const { record, view } = await overseenRecord(s, call);
    const seen = record.basket !== null && view.recordKinds.includes('basket');
    const basket = seen ? await findBasket(s.db, record.psp, record.basket) : undefined;
    if (basket === undefined) throw notFound();
    return { message: 'basket', content: basketResource(basket) };
  },
});
