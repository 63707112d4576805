// What other modules may use of wagers and payouts.
export { recordLookups } from './named.ts';
