// What others may ask about transactions. Nothing here may lead to the module's operations: they ask baskets.
export { expandQuery, readExpand } from './describe.ts';
export { CountryCode, Currency, Customer, Observations, PaymentMethods } from './schemas.ts';
export { transactionFromRow, transactionRow } from './transaction-store.ts';
