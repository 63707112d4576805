// What other modules may use of exchange rates.
export { compareExchangeRates } from './compare-with-journal.ts';
export { conversions } from './conversions.ts';
