// What others may ask about wagers and payouts.
export { recordLookups } from './named.ts';
