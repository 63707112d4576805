// What other modules may use of exchange rates.
export { exchangeRatesAsTold } from './as-told.ts';
export { conversions } from './conversions.ts';
