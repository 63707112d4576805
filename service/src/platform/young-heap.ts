// How V8 places what it makes.
import { setFlagsFromString } from 'node:v8';

/**
 * What a request makes dies with its answer, but outlives a collection if it is in flight then. V8 remembers where such
 * objects are made and makes later ones in the old heap at once. That fills with them and is collected whole, every four
 * seconds at half load, while all requests wait (0233).
 */
export const makeAllYoung = (): void => setFlagsFromString('--no-allocation-site-pretenuring');
