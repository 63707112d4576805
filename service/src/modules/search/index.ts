// How other modules have their records found.
export { type FoundBy, lookupRows } from './lookups.ts';
export { lookupsBackfill } from './lookups-backfill.ts';
