// What others may ask about rate corrections.
export { adjustmentsMade } from './adjustment-store.ts';
export { rateCorrectionReport } from './report.ts';
