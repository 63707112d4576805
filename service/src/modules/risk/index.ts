// What other modules may use of the risk book.

export { recordRules } from './book-entry.ts';
export { type HasRiskBook, RiskBook } from './book-keeper.ts';
export { ruleBefore } from './book-store.ts';
export { compareRiskBook } from './compare-with-journal.ts';
export { Decliner } from './decliner.ts';
export { makeRiskReader } from './risk-reader.ts';
export { removePast, riskReader } from './watch-store.ts';
