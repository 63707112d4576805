// What others may ask about payment data for CESOP.
export { cesopReport } from './report.ts';
