// What other modules may use of cases.
export { makeCasesReader } from './cases-reader.ts';
export { letGo } from './let-go.ts';
