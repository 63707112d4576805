// What other modules may use of exchange rates.
export { exchangeRatesAsTold } from './as-told.ts';
export { type ConversionsAsked, conversions } from './conversions.ts';
