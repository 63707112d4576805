// The states of a basket and their changes when its transaction is decided, as one table. The operations, the reference
// page and the tests read it.

export const basketStates = ['PENDING', 'VERIFIED', 'CANCELLED'] as const;
export type BasketState = (typeof basketStates)[number];

/** What happens to the basket's transaction. `declined` is a verification whose verdict is DECLINED. */
export const basketTriggers = ['approved', 'declined', 'declineTransaction'] as const;
export type BasketTrigger = (typeof basketTriggers)[number];

/** Spec 2.6, 3. A declined verification or a chargeback leaves a basket unchanged: it can be paid another way. */
export const basketTable: Readonly<Record<BasketState, Readonly<Record<BasketTrigger, BasketState>>>> = {
  PENDING: { approved: 'VERIFIED', declined: 'PENDING', declineTransaction: 'CANCELLED' },
  VERIFIED: { approved: 'VERIFIED', declined: 'VERIFIED', declineTransaction: 'CANCELLED' },
  CANCELLED: { approved: 'VERIFIED', declined: 'CANCELLED', declineTransaction: 'CANCELLED' },
};
