// What other modules may use of totals.

export { oldTotalsReader } from './count-entries.ts';
export { rebuildTotals, type TotalsDifference, verifyTotals } from './recount.ts';
export { feeStatementReport } from './reports/fee-statement.ts';
export { ggrDutyReport } from './reports/ggr-duty.ts';
export { monthOfTotals, readMonth } from './reports/month.ts';
export { vatReturnReport } from './reports/vat-return.ts';
export { dayOfCountry, zoneOfDays } from './totals-reader.ts';
export {
  type AmountSums,
  type Amounts,
  accrualsOfSpans,
  accrualTotals,
  amountTotals,
  countryTaxes,
  pspsOfDays,
  recordCounts,
  recordsOfPsps,
  type Spans,
  type TaxSums,
  type TotalsFilter,
  taxesOfSpans,
  taxTotals,
  totalsLag,
} from './totals-reads.ts';
export { type Fate, totalsBehind, type VerdictSum, verdictSums } from './verdict-sums.ts';
