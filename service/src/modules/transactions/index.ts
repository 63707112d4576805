// What others may ask about transactions. Nothing here may lead to the module's operations: they ask baskets.
export { type Contradiction, contradictions, type ToldEntry, untold } from './as-told.ts';
export { changedRows } from './changed-rows.ts';
export { expandQuery, readExpand } from './describe.ts';
export { transactionLookups } from './named.ts';
export { type RecentMinute, recentMinutes } from './recent.ts';
export { chargebacksReport } from './reports/chargebacks.ts';
export { cryptoActivityReport } from './reports/crypto-activity.ts';
export { Customer } from './schemas.ts';
export { findTransaction, transactionByRef } from './transaction-store.ts';
