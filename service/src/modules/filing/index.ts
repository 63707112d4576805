// What other modules may use of returns.
export { filedForDaysOf, fileReturn } from './file-return.ts';
export { type Filing, filingResource, filingsOfReports } from './filing-store.ts';
export { oneStopShopKind, oneStopShopReport } from './one-stop-shop-report.ts';
export { overseenFiling } from './overseen-filings.ts';
export { type ReturnToFile, readCalendar } from './read-calendar.ts';
export { filingKind, filingReport } from './report.ts';
