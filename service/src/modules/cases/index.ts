// What other modules may use of cases.

export { findHeldCase } from './case-store.ts';
export { makeCasesReader } from './cases-reader.ts';
export { endAlertsOfClosed } from './change-case.ts';
export { letGo } from './let-go.ts';
