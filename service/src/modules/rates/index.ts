// What other modules may use of rates.
export { compareRates } from './compare-with-journal.ts';
export { accrualEvidence, feeEvidence, taxEvidence } from './evidence.ts';
export { AccrualEvidence, FeeEvidence, TaxEvidence } from './evidence-schemas.ts';
export { feeFields, readFee } from './fee-fields.ts';
export { type HasRateKeeper, RateKeeper } from './rate-keeper.ts';
export { feeChange, feeEndChange, type RatesChange, recordRates, taxChange } from './rates-entry.ts';
export {
  basesOf,
  type CountryFile,
  type CountryInForce,
  countriesInForce,
  countryFile,
  documentBefore,
  documents,
  hashInForce,
  isLiveFee,
  notLive,
  operationsOf,
  shippedCountries,
  taxCodesOf,
} from './rates-store.ts';
export { needTwoForRates, oneMayChangeRates } from './two-persons.ts';
