// What other modules may use of transactions. Nothing here may import the module's operations: they depend on baskets.

export { changedRows } from './changed-rows.ts';
export { compareSums } from './compare-sums.ts';
export { type Contradiction, contradictions, unjournaled } from './compare-with-journal.ts';
export { expandQuery, readExpand } from './describe.ts';
export { transactionLookups } from './named.ts';
export { type RecentMinute, recentMinutes } from './recent.ts';
export { cashTransactionsReport } from './reports/cash-transactions.ts';
export { chargebacksReport } from './reports/chargebacks.ts';
export { cryptoActivityReport } from './reports/crypto-activity.ts';
export { riskClientOf } from './risk-facts.ts';
export { Customer, Submitted } from './schemas.ts';
export { ownSumNeeds, sumWrites } from './tax-sums.ts';
export { amountsOf, findTransaction, personalRow, transactionByRef } from './transaction-store.ts';
