// How other modules have their records found.
export { type FoundBy, lookupRows } from './lookups.ts';
