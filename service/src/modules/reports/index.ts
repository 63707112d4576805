// What other modules may use of reports.
export type { Parameters } from '../../core/reports/manifest.ts';
export { reportStates } from '../../records/reports.ts';
export { anyParameters, kindNamed, kindNames, type ReportNeeds, reportKinds } from './kinds.ts';
export { csvName } from './manifest.ts';
export {
  countReports,
  findAnyReport,
  findReportFile,
  listReports,
  listSeries,
  type Report,
} from './report-store.ts';
export { parametersOf, requestReport, rerunReport } from './request.ts';
export { reportDetail, reportResource } from './resource.ts';
export { type HasReports, ReportRunner } from './runner.ts';
