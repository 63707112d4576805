// What other modules may use of baskets.
export { type BasketFact, basketByTransaction, basketChange, basketResource } from './basket-store.ts';
