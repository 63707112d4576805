// What others may ask about call detail records.
export {
  type AnalysisProgress,
  analysisName,
  analysisProgress,
  forgetAnalyses,
  makeCdrAnalysis,
  pspsWithRecords,
} from './analysis/analysis.ts';
export { closing } from './analysis/close-period.ts';
export { type ListedPeriod, listPeriods } from './analysis/period-store.ts';
export { figuresOf, totalsResource } from './analysis/resources.ts';
export type { TotalLine } from './analysis/sums.ts';
export { analysisTotals } from './analysis/totals-store.ts';
export { type CdrRecord, callsOfNumber, cdrResource, findCdr } from './cdr-store.ts';
export { listDeclarations } from './declared/declaration-store.ts';
export { declaring } from './declared/declare.ts';
export { DeclarationBody, type DeclarationInput, declarationResource } from './declared/schemas.ts';
export type { Drop, DropFile } from './drop/drop.ts';
export { Drops } from './drop/drops.ts';
export { DropFault } from './drop/fault.ts';
export { type DropFolder, isDropName } from './drop/names.ts';
export type { DropLimits } from './drop/quota.ts';
export type { Upload } from './drop/upload.ts';
export { cdrAttention } from './files/attention.ts';
export { type CdrFile, countByState, findAnyFile, listFiles, workInHand } from './files/file-store.ts';
export { giveUp } from './files/give-up.ts';
export { CdrIntake, type HasCdrIntake } from './files/intake.ts';
export { linesAbout } from './files/lines-about.ts';
export { findPortionOf } from './files/portion-of.ts';
export { fileResource } from './files/schemas.ts';
export { countSuspended, dropOldRaw, dropRaw } from './files/suspense-store.ts';
export { cdrFindingsReport } from './findings/cdr-findings.ts';
export { cdrFindings } from './findings/findings.ts';
export { addKeyToLogin, createSftpLogin, loginResource, revokeSftpLogin } from './sftp-credentials.ts';
export { findSftpLogin, findSftpLoginById, listSftpLogins, type SftpLogin } from './sftp-login-store.ts';
export { sftpPasswords } from './sftp-passwords.ts';
export { cdrTaxReport } from './tax-report/cdr-tax.ts';
