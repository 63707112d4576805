// What other modules may use of rate corrections.

export { adjustedLines } from './adjusted-lines.ts';
export { type AdjustedDays, adjustmentsMade, adjustmentsTakenBack, readRecorded } from './adjustment-store.ts';
export { adjustmentsAbout } from './adjustments-about.ts';
export { assess } from './affected.ts';
export { compareAdjustments } from './compare-with-journal.ts';
export { type LackingDuties, lackingDuties } from './lacking-duties.ts';
export { correctionFields, rangeOf } from './range.ts';
export { rateCorrectionReport } from './report.ts';
