// What others may ask about rates.
export { feeEvidence, taxEvidence } from './evidence.ts';
export { RateKeeper, type Rates } from './rate-keeper.ts';
export { type CountryFile, countryFile } from './rates-store.ts';
