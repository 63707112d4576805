// What others may ask about rates.
export { accrualEvidence, feeEvidence, taxEvidence } from './evidence.ts';
export { RateKeeper, type Rates } from './rate-keeper.ts';
export { type CountryFile, type CountryInForce, countriesInForce, countryFile } from './rates-store.ts';
