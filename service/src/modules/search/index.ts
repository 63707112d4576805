// How other modules have their records found.
export { lookupRows, type Named } from './lookups.ts';
