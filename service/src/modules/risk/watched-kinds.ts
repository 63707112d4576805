// Kinds of journal entries that rules look at.
export const watchedKinds = ['transaction.created', 'transaction.updated', 'wager.created', 'payout.created'] as const;
