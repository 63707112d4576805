// How other modules make their records searchable.
export { walletsOf } from './lookup-store.ts';
export { type FoundBy, lookupRows, ofPlayer, plainForm } from './lookups.ts';
export { lookupsBackfill } from './lookups-backfill.ts';
