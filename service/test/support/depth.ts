// How far tests go whose cost is in how often they draw. `npm test` draws often enough to find a new fault in a changed
// rule; `npm run check:deep` goes the whole way, before a release.
export const deep = process.env.TEST_DEPTH === 'deep';

/** The smaller count in `npm test`, the whole one in `npm run check:deep`. */
export const upTo = (short: number, whole: number): number => (deep ? whole : short);
