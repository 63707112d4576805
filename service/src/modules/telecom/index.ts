// What others may ask about call detail records.
export {
  analysisName,
  analysisProgress,
  forgetAnalyses,
  makeCdrAnalysis,
  pspsWithRecords,
} from './analysis/analysis.ts';
export { type CdrAnalysisRow, findAnalysis, listAnalyses } from './analysis/analysis-store.ts';
export { compareCallTaxes } from './analysis/compare-with-journal.ts';
export { type CallsLackingDuties, callsLackingDuties } from './analysis/lacking-duties.ts';
export { CallTaxAmounts, ClassName, howDue, howDueOf, Month } from './analysis/schemas.ts';
export { callTaxes, operatorTaxes } from './analysis/totals-store.ts';
export { type CdrRecord, callsOfNumber, findCdr, findCdrs, maskedNumbers, type ShownNumbers } from './cdr-store.ts';
export type { Drop, DropFile } from './drop/drop.ts';
export { Drops } from './drop/drops.ts';
export { DropFault } from './drop/fault.ts';
export { type DropFolder, isDropName } from './drop/names.ts';
export type { DropLimits } from './drop/quota.ts';
export type { Upload } from './drop/upload.ts';
export { cdrWaits } from './files/attention.ts';
export { type CdrFile, countByState, findAnyFile, stillSince, workInHand } from './files/file-store.ts';
export { CdrIntake } from './files/intake.ts';
export { linesAbout } from './files/lines-about.ts';
export { findPortionOf } from './files/portion-of.ts';
export { dropOldRaw, dropRaw } from './files/suspense-store.ts';
export { writeOffLines } from './files/write-off-lines.ts';
export { cdrFindingsReport } from './findings/cdr-findings.ts';
export { cdrFindings } from './findings/findings.ts';
export { revokeSftpLogin } from './sftp-credentials.ts';
export { findSftpLogin, findSftpLoginById, type SftpLogin } from './sftp-login-store.ts';
export { sftpPasswords } from './sftp-passwords.ts';
export { shownNumbers } from './shown-numbers.ts';
export { cdrTaxReport } from './tax-report/cdr-tax.ts';
