// What others may ask about baskets.
export { type BasketFact, basketByTransaction, basketChange, basketResource } from './basket-store.ts';
