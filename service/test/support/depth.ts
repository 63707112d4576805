// The number of random cases in tests. `npm test` uses enough to find a new error in a changed rule; `npm run
// check:deep` uses all, before a release.
export const deep = process.env.TEST_DEPTH === 'deep';

/** Returns the smaller count in `npm test` and the full one in `npm run check:deep`. */
export const upTo = (short: number, whole: number): number => (deep ? whole : short);
