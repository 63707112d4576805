// How other modules make their records searchable.
export { type FoundBy, lookupRows, plainForm } from './lookups.ts';
export { lookupsBackfill } from './lookups-backfill.ts';
