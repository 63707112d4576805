// What other modules may use of payment data for CESOP.
export { cesopReport } from './report.ts';
