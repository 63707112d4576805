// What other modules may use of baskets.
export { type BasketFact, basketByTransaction, basketChange, basketResource, findBasket } from './basket-store.ts';
export { Basket } from './schemas.ts';
